import assert from "node:assert/strict";
import fc from "fast-check";
import { nearest } from "../../src/core/nearest.ts";

const keys = ["cron", "timezone", "timeout", "run", "env", "env_file", "keep_runs", "keep_for", "user"];

Deno.test("nearest() finds the word that was meant", { permissions: "none" }, () => {
  const meant: [typed: string, word: string | undefined][] = [
    ["cronn", "cron"],
    ["corn", "cron"],
    ["CRON", "cron"],
    ["timeuot", "timeout"],
    ["time_out", "timeout"],
    ["keep_run", "keep_runs"],
    ["evn", "env"],
    ["usr", "user"],
    ["colour", undefined],
    ["xyz", undefined],
    ["e", undefined],
    ["", undefined],
  ];
  for (const [typed, word] of meant) assert.equal(nearest(typed, keys), word, typed);
});

Deno.test("nearest() takes the first of equally near words", { permissions: "none" }, () => {
  assert.equal(nearest("web-3", ["web-1", "web-2"]), "web-1");
});

Deno.test("nearest() prefers the nearer word wherever it stands", { permissions: "none" }, () => {
  assert.equal(nearest("backup", ["backap2", "backups", "other"]), "backups");
});

Deno.test("nearest() finds a word again after any one slip", { permissions: "none" }, () => {
  const word = fc.stringMatching(/^[a-z]{4,20}$/);
  const slip = fc.constantFrom("drop", "double", "swap", "replace");
  fc.assert(
    fc.property(word, fc.nat(), slip, (text, seed, kind) => {
      const at = seed % (text.length - 1);
      const [head, char, tail] = [text.slice(0, at), text[at] ?? "", text.slice(at + 1)];
      const typed = {
        drop: head + tail,
        double: head + char + char + tail,
        swap: head + (tail[0] ?? "") + char + tail.slice(1),
        replace: `${head}_${tail}`,
      }[kind];
      assert.equal(nearest(typed, ["0000000000", text]), text);
    }),
    { seed: 31, numRuns: 1000 },
  );
});

Deno.test("nearest() answers for a hostile word at once", { permissions: "none" }, () => {
  const start = performance.now();
  nearest("a".repeat(1_000_000), Array.from({ length: 100 }, (_, n) => `${"a".repeat(100_000)}${n}`));
  assert.ok(performance.now() - start < 2000);
});
