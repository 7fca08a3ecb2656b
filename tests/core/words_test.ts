import assert from "node:assert/strict";
import { endReasons } from "../../src/core/run_words.ts";
import {
  type MarkName,
  markOf,
  needsAttention,
  type RunFacts,
  runWord,
  serviceWord,
  taskWord,
  whyNotExecuted,
} from "../../src/core/words.ts";

const ended = (reason: NonNullable<RunFacts["reason"]>, exitCode = 0): RunFacts => ({
  status: "ended",
  reason,
  exitCode,
});

Deno.test("runWord() says each state of a run in its one way", { permissions: "none" }, () => {
  const said: [facts: RunFacts, mark: string, text: string][] = [
    [{ status: "pending", exitCode: 0 }, "◌", "queued"],
    [{ status: "running", exitCode: 0 }, "◐", "running"],
    [ended("success"), "✓", "ok"],
    [ended("succeeded"), "✓", "ok"],
    [ended("failed", 3), "✕", "failed (3)"],
    [ended("failed", 0), "✕", "failed"],
    [ended("timeout", 143), "✕", "timeout"],
    [ended("crashed", 139), "✕", "crashed (SEGV)"],
    [ended("crashed", 128 + 40), "✕", "crashed (40)"],
    [ended("crashed", -2), "✕", "crashed"],
    [ended("start_failed", -1), "✕", "start failed"],
    [ended("log_overflow", 143), "✕", "log overflow"],
    [ended("unhealthy", 143), "✕", "unhealthy"],
    [ended("stopped", 143), "■", "stopped"],
    [ended("daemon_stopped", 143), "■", "stopped"],
    [ended("skipped", -1), "↷", "skipped"],
    [ended("queue_full", -1), "↷", "skipped (queue full)"],
    [ended("dst_skipped", -1), "↷", "skipped (clock went back)"],
    [ended("missed", -1), "!", "missed"],
    [{ ...ended("missed", -1), count: 7 }, "!", "missed (7)"],
  ];
  for (const [facts, mark, text] of said) {
    const word = runWord(facts);
    assert.deepEqual([markOf(word.mark), word.text], [mark, text]);
  }
});

Deno.test("runWord() knows every reason", { permissions: "none" }, () => {
  for (const reason of endReasons) assert.ok(runWord(ended(reason, -1)).text.length > 0, reason);
});

Deno.test("serviceWord() fills its mark by the share of healthy instances", { permissions: "none" }, () => {
  const marks = [0, 1, 2, 3, 4].map((healthy) =>
    markOf(serviceWord({ state: healthy === 4 ? "running" : "degraded", healthy, instances: 4 }).mark)
  );
  assert.deepEqual(marks, ["○", "◔", "◑", "◕", "●"]);
  assert.equal(serviceWord({ state: "running", healthy: 3, instances: 3 }).text, "up 3/3");
  assert.equal(serviceWord({ state: "degraded", healthy: 2, instances: 3 }).text, "degraded 2/3");
  const waiting = serviceWord({ state: "backing_off", healthy: 0, instances: 1, retryIn: 11_200 });
  assert.equal(waiting.text, "backing off (12 s)");
  assert.equal(serviceWord({ state: "fatal", healthy: 0, instances: 1 }).role, "bad");
});

Deno.test("taskWord() tells what a task does now before how it went", { permissions: "none" }, () => {
  const idle = { isPaused: false, active: 0, queued: 0 };
  const failed = ended("failed", 1);
  assert.equal(taskWord(idle).text, "not run yet");
  assert.equal(taskWord({ ...idle, last: failed }).text, "failed (1)");
  assert.equal(taskWord({ ...idle, isPaused: true, last: failed }).text, "paused");
  assert.equal(taskWord({ ...idle, active: 1, isPaused: true }).text, "running");
  assert.equal(taskWord({ ...idle, active: 2, queued: 3 }).text, "running 2, 3 queued");
  assert.equal(taskWord({ ...idle, queued: 1 }).text, "queued");
});

Deno.test("needsAttention() is about what is bad or strange, not about what was asked for", {
  permissions: "none",
}, () => {
  assert.deepEqual(
    endReasons.filter((reason) => needsAttention(runWord(ended(reason, 1)))).sort(),
    [
      "crashed",
      "failed",
      "log_overflow",
      "missed",
      "queue_full",
      "start_failed",
      "timeout",
      "unhealthy",
    ],
  );
});

Deno.test("whyNotExecuted() has a reason for every run that was not let in", { permissions: "none" }, () => {
  assert.match(whyNotExecuted("queue_full") ?? "", /queue is full/);
  assert.match(whyNotExecuted("skipped") ?? "", /limit/);
  assert.equal(whyNotExecuted("failed"), undefined);
});

Deno.test("markOf() gives one ASCII character to each mark", { permissions: "none" }, () => {
  const names: MarkName[] = ["queued", "running", "ok", "failed", "stopped", "skipped", "missed", "paused"];
  const ascii = names.map((name) => markOf(name, { ascii: true }));
  assert.ok(ascii.every((mark) => /^[!-~]$/.test(mark)), ascii.join(" "));
  assert.equal(new Set(ascii).size, names.length);
});
