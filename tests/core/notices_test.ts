import assert from "node:assert/strict";
import {
  coalesce,
  fingerprintOf,
  type Happening,
  happeningOfRun,
  happeningOfService,
  mostOccurrences,
  type Notice,
} from "../../src/core/notices.ts";
import type { EndReason, Run } from "../../src/types.ts";
import { hour, minute, noon, run } from "../support/units.ts";

const permissions = "none";

function ended(endReason: EndReason, own: Partial<Run> = {}): Run {
  return run({
    id: "R1",
    unit: "backup",
    status: "ended",
    endReason,
    isFailure: endReason !== "success",
    exitCode: 3,
    startedAt: noon,
    endedAt: noon + 4200,
    ...own,
  });
}

function happening(own: Partial<Happening> = {}): Happening {
  return { ...happeningOfRun(ended("failed"), { wasFailing: false })!, at: noon, ...own };
}

const ids = () => {
  let n = 0;
  return () => `N${++n}`;
};

Deno.test("happeningOfRun() tells what failed, how, and its last line", { permissions }, () => {
  assert.deepEqual(happeningOfRun(ended("failed"), { wasFailing: false, lastLines: ["no space left"] }), {
    kind: "run.failed",
    reason: "failed",
    severity: "error",
    unit: "backup",
    runId: "R1",
    isFailure: true,
    title: 'Task "backup" failed',
    body: "exit code 3 after 4.2 s\nlast line: no space left",
    at: noon + 4200,
  });
});

Deno.test("happeningOfRun() has a kind for each way to fail", { permissions }, () => {
  const kinds: [EndReason, string][] = [
    ["failed", "run.failed"],
    ["start_failed", "run.failed"],
    ["log_overflow", "run.failed"],
    ["queue_full", "run.failed"],
    ["timeout", "run.timeout"],
    ["crashed", "run.crashed"],
    ["missed", "run.missed"],
  ];
  for (const [reason, kind] of kinds) {
    const found = happeningOfRun(ended(reason), { wasFailing: false });
    assert.deepEqual([found?.kind, found?.reason], [kind, reason]);
  }
});

Deno.test(
  "happeningOfRun() is silent about what is no failure, and about services that end with the daemon",
  {
    permissions,
  },
  () => {
    const none = (one: Run, wasFailing = false) =>
      assert.equal(happeningOfRun(one, { wasFailing }), undefined);
    none(ended("success"));
    none(ended("stopped", { isFailure: false }), true);
    none(ended("missed", { isFailure: false }), true);
    none(ended("daemon_stopped", { trigger: "service" }));
    none(ended("success", { trigger: "service" }), true);
    none(ended("unhealthy", { trigger: "service" })); // service.unhealthy tells it, with its cause
    none(run({ id: "R1", status: "running" }), true);
    assert.equal(happeningOfRun(ended("daemon_stopped"), { wasFailing: false })?.kind, "run.failed");
  },
);

Deno.test(
  "happeningOfRun() tells of the first success after failures, without its output",
  { permissions },
  () => {
    const found = happeningOfRun(ended("success", { exitCode: 0, retryAttempt: 1 }), {
      wasFailing: true,
      lastLines: ["done"],
    });
    assert.deepEqual([found?.kind, found?.severity, found?.isFailure], ["run.recovered", "info", false]);
    assert.equal(found?.title, 'Task "backup" works again');
    assert.equal(found?.body, "exit code 0 after 4.2 s\nattempt 2");
  },
);

Deno.test("happeningOfRun() says why a run never executed, or that the daemon died", { permissions }, () => {
  const { startedAt: _, ...missed } = ended("missed", { error: "missed: the machine slept", exitCode: -1 });
  assert.equal(happeningOfRun(missed, { wasFailing: false })?.body, "missed: the machine slept");
  const died = happeningOfRun(ended("crashed", { exitCode: -2 }), { wasFailing: false });
  assert.equal(died?.body, "the daemon died while it ran");
});

Deno.test(
  "happeningOfRun() takes out of a line what would steer a terminal, and cuts it",
  { permissions },
  () => {
    const body = (line: string) =>
      happeningOfRun(ended("failed"), { wasFailing: false, lastLines: [line] })!.body;
    assert.equal(
      body("\x1b[31mred\x1b[0m\r\x07 alert\x1b]0;title\x07").split("\n")[1],
      "last line: red  alert",
    );
    assert.equal(body(" \t\x1b[0m ").includes("last line"), false);
    const long = body("💥".repeat(1000)).split("\n")[1]!.slice("last line: ".length);
    assert.equal([...long].length, 300);
    assert.ok(long.endsWith("💥…"));
  },
);

Deno.test("happeningOfService() tells of a service that does not come up", { permissions }, () => {
  const trouble = { kind: "service.fatal", unit: "web", instance: 1, tries: 4, runId: "R9" } as const;
  const found = happeningOfService(trouble, { at: noon, lastLines: ["bind: in use"] });
  assert.deepEqual([found.kind, found.severity, found.unit, found.runId], [
    "service.fatal",
    "error",
    "web",
    "R9",
  ]);
  assert.match(found.title, /"web" is fatal/);
  assert.match(
    found.body,
    /instance 1 failed to start 4 times in a row\n.*by hand.*\nlast line: bind: in use$/,
  );
  const failing = happeningOfService({ ...trouble, kind: "service.failing", runId: "" }, { at: noon });
  assert.deepEqual([failing.severity, failing.body.includes("by hand")], ["warn", false]);
});

Deno.test("happeningOfService() tells of a failed health check with its cause", { permissions }, () => {
  const found = happeningOfService(
    {
      kind: "service.unhealthy",
      unit: "web",
      instance: 1,
      why: "status 503 (3 failures in a row)",
      runId: "R9",
    },
    { at: noon, lastLines: ["out of memory"] },
  );
  assert.deepEqual(found, {
    kind: "service.unhealthy",
    reason: "",
    severity: "error",
    unit: "web",
    runId: "R9",
    isFailure: true,
    title: 'Service "web" is unhealthy',
    body:
      "instance 1 is stopped: its health check failed\nstatus 503 (3 failures in a row)\nlast line: out of memory",
    at: noon,
  });
});

Deno.test("happeningOfService() tells what a service waits for, which is no failure of its own", {
  permissions,
}, () => {
  const found = happeningOfService(
    { kind: "service.blocked", unit: "app", waitsFor: ['"db" (unhealthy)', '"mq" (stopped)'], runId: "" },
    { at: noon },
  );
  assert.deepEqual([found.kind, found.severity, found.isFailure], ["service.blocked", "warn", false]);
  assert.equal(found.title, 'Service "app" is blocked');
  assert.equal(found.body, 'it waits for "db" (unhealthy), "mq" (stopped)');
});

Deno.test("fingerprintOf() tells kinds, units and reasons apart", { permissions }, () => {
  const base = { kind: "run.failed", unit: "a", reason: "failed" } as const;
  const prints = [
    base,
    { ...base, unit: "b" },
    { ...base, reason: "start_failed" },
    { ...base, kind: "run.crashed" as const },
    { ...base, unit: "a\nfailed", reason: "" },
  ].map(fingerprintOf);
  assert.equal(new Set(prints).size, prints.length);
  assert.ok(prints.every((print) => /^[0-9a-f]{16}$/.test(print)));
  assert.equal(fingerprintOf(base), fingerprintOf({ ...base }));
});

Deno.test(
  "coalesce() makes one row of what happens inside the window that its first began",
  { permissions },
  () => {
    const id = ids();
    const ring = (former: Notice | undefined, at: number) =>
      coalesce(happening({ at, runId: `R${at}` }), { former, window: hour, id });
    const first = ring(undefined, noon);
    assert.deepEqual([first.isNew, first.notice.id, first.notice.count], [true, "N1", 1]);
    const second = ring({ ...first.notice, readAt: noon + 1 }, noon + 50 * minute);
    assert.deepEqual([second.isNew, second.notice.id, second.notice.count], [false, "N1", 2]);
    assert.deepEqual(second.notice.occurrences, [noon + 50 * minute, noon]);
    assert.equal(second.notice.createdAt, noon);
    assert.equal(second.notice.lastOccurredAt, noon + 50 * minute);
    assert.equal(second.notice.runId, `R${noon + 50 * minute}`);
    assert.equal("readAt" in second.notice, false, "it is unread again");
    const third = ring(second.notice, noon + hour);
    assert.deepEqual([third.isNew, third.notice.id, third.notice.count], [true, "N2", 1]);
  },
);

Deno.test(
  "coalesce() begins a new row with no window, and after the clock was set back",
  { permissions },
  () => {
    const id = ids();
    const { notice: former } = coalesce(happening(), { former: undefined, window: hour, id });
    assert.equal(coalesce(happening(), { former, window: 0, id }).isNew, true);
    assert.equal(coalesce(happening({ at: noon - 1 }), { former, window: hour, id }).isNew, true);
    assert.equal(coalesce(happening(), { former, window: hour, id }).isNew, false);
  },
);

Deno.test("coalesce() keeps the newest times only, and counts on", { permissions }, () => {
  let former: Notice | undefined;
  for (let n = 0; n < 70; n++) {
    former = coalesce(happening({ at: noon + n }), { former, window: hour, id: () => "N" }).notice;
  }
  assert.equal(former?.count, 70);
  assert.equal(former?.occurrences.length, mostOccurrences);
  assert.deepEqual([former?.occurrences[0], former?.occurrences.at(-1)], [noon + 69, noon + 20]);
});
