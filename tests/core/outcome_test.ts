import assert from "node:assert/strict";
import { isFailure, outcomeOf } from "../../src/core/outcome.ts";
import type { Exit, StopReason } from "../../src/core/run_machine.ts";
import { endReasons } from "../../src/core/run_words.ts";
import { endUnexecuted } from "../../src/core/unexecuted.ts";
import { failures, noon, run } from "../support/units.ts";

const pure = { permissions: "none" } as const;

function outcome(
  exit: Exit,
  own: { exitCodes?: number[]; want?: StopReason; output?: boolean } = {},
): string {
  const { reason, exitCode } = outcomeOf(exit, {
    exitCodes: own.exitCodes ?? [0],
    want: own.want,
    outputFailed: own.output ?? false,
  });
  return `${reason} ${exitCode}`;
}

Deno.test("outcomeOf() judges an exit code by exit_codes", pure, () => {
  assert.equal(outcome({ code: 0 }), "success 0");
  assert.equal(outcome({ code: 3 }), "failed 3");
  assert.equal(outcome({ code: 3 }, { exitCodes: [0, 3] }), "success 3");
  assert.equal(outcome({ code: 0 }, { exitCodes: [3] }), "failed 0");
});

Deno.test("outcomeOf() calls a signal that nobody sent a crash, and a shell's word of one too", pure, () => {
  assert.equal(outcome({ code: 139, signal: "SIGSEGV" }), "crashed 139");
  assert.equal(outcome({ code: 165, signal: "signal 37" }), "crashed 165");
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31, 34, 50, 64];
  for (const number of numbers) assert.equal(outcome({ code: 128 + number }), `crashed ${128 + number}`);
  for (const number of [-1, 0, 16, 17, 18, 19, 23, 26, 28, 30, 32, 33, 65, 127]) {
    assert.equal(outcome({ code: 128 + number }), `failed ${128 + number}`);
  }
});

Deno.test("outcomeOf() judges a signal by exit_codes as the code that a shell gives for it", pure, () => {
  for (const exit of [{ code: 143 }, { code: 143, signal: "SIGTERM" }]) {
    assert.equal(outcome(exit, { exitCodes: [0, 143] }), "success 143");
    assert.equal(outcome(exit, { exitCodes: [137] }), "crashed 143");
    assert.equal(outcome(exit, { exitCodes: [143], output: true }), "failed 143");
  }
});

Deno.test("outcomeOf() calls what nobody was told of a crash, whatever exit_codes say", pure, () => {
  const exit = { code: 255, signal: "unknown", untold: "its process is gone" };
  assert.equal(outcome(exit, { exitCodes: [0, 255] }), "crashed 255");
});

Deno.test("outcomeOf() says why a process was made to end, with the code that it gave", pure, () => {
  for (const want of ["stopped", "timeout", "log_overflow", "daemon_stopped", "unhealthy"] as const) {
    assert.equal(outcome({ code: 143, signal: "SIGTERM" }, { want }), `${want} 143`);
    assert.equal(outcome({ code: 0 }, { want }), `${want} 0`);
  }
});

Deno.test("outcomeOf() calls it start_failed when the script was never reached", pure, () => {
  const found = outcomeOf({ code: 125, failure: "no such user" }, {
    exitCodes: [0, 125],
    outputFailed: false,
  });
  assert.deepEqual(found, { reason: "start_failed", exitCode: -1, error: "no such user" });
});

Deno.test("outcomeOf() turns a success into failed by its output, and nothing else", pure, () => {
  assert.equal(outcome({ code: 0 }, { output: true }), "failed 0");
  assert.equal(outcome({ code: 139, signal: "SIGSEGV" }, { output: true }), "crashed 139");
  assert.equal(outcome({ code: 143 }, { output: true, want: "stopped" }), "stopped 143");
});

Deno.test("isFailure() goes by reasons, exit codes, ranges and output", pure, () => {
  const check = (reason: (typeof endReasons)[number], exitCode: number, ...rules: string[]): boolean =>
    isFailure({ reason, exitCode }, failures(...rules));
  assert.equal(check("failed", 3, "failed"), true);
  assert.equal(check("failed", 3, "timeout"), false);
  assert.equal(check("failed", 3, "3"), true);
  assert.equal(check("failed", 4, "3"), false);
  assert.equal(check("failed", 10, "10-20"), true);
  assert.equal(check("failed", 20, "10-20"), true);
  assert.equal(check("failed", 21, "10-20"), false);
  assert.equal(check("failed", 3), false);
  assert.equal(check("success", 0, "0-255"), false, "a success is no failure by its code");
  assert.equal(check("skipped", -1, "0-255"), false);
  assert.equal(isFailure({ reason: "failed", exitCode: 0, byOutput: true }, failures("output:x")), true);
  assert.equal(isFailure({ reason: "failed", exitCode: 0 }, failures("output:x")), false);
});

Deno.test("isFailure() by default calls no failure what was asked for or never due", pure, () => {
  const mild = ["success", "stopped", "skipped", "dst_skipped"];
  const rules = failures(...endReasons.filter((reason) => !mild.includes(reason)));
  for (const reason of endReasons) {
    assert.equal(isFailure({ reason, exitCode: 1 }, rules), !mild.includes(reason), reason);
  }
});

Deno.test("endUnexecuted() ends a run with -1, a sentence, and the unit's word on failure", pure, () => {
  const unit = { failures: failures("missed") };
  const missed = endUnexecuted(unit, run({ id: "R1" }), { reason: "missed", at: noon });
  assert.deepEqual([missed.status, missed.exitCode, missed.endReason, missed.endedAt, missed.isFailure], [
    "ended",
    -1,
    "missed",
    noon,
    true,
  ]);
  assert.ok(missed.error);
  const mild = endUnexecuted(unit, run({ id: "R2" }), { reason: "missed", at: noon, failure: false });
  assert.equal(mild.isFailure, false);
});
