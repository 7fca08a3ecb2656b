import assert from "node:assert/strict";
import { exitOfCode, signalOfCode } from "../../src/core/signal_codes.ts";

Deno.test("exitOfCode() takes 128 + n for a signal that ends processes, and nothing else", {
  permissions: "none",
}, () => {
  const named = Array.from({ length: 256 }, (_, code) => code).filter((code) =>
    signalOfCode(code) !== undefined
  );
  const plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31];
  const realTime = Array.from({ length: 31 }, (_, index) => 34 + index);
  assert.deepEqual(named, [...plain, ...realTime].map((number) => 128 + number));
  assert.deepEqual(exitOfCode(143), { code: 143, signal: "SIGTERM" });
  assert.deepEqual(exitOfCode(139), { code: 139, signal: "SIGSEGV" });
  assert.deepEqual(exitOfCode(168), { code: 168, signal: "signal 40" });
  assert.deepEqual(
    [0, 1, 125, 127, 128, 145, 160, 255].map(exitOfCode),
    [0, 1, 125, 127, 128, 145, 160, 255].map((code) => ({ code })),
  );
});

Deno.test("exitOfCode() knows shells that give 256 + n for a signal", { permissions: "none" }, () => {
  assert.deepEqual(exitOfCode(256 + 9), { code: 137, signal: "SIGKILL" });
  assert.deepEqual(exitOfCode(256 + 40), { code: 168, signal: "signal 40" });
});
