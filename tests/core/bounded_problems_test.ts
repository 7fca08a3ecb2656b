import assert from "node:assert/strict";
import { BoundedProblems, clip } from "../../src/core/bounded_problems.ts";

const pure = { permissions: "none" } as const;

Deno.test("BoundedProblems.list() tells a hundred, and how many more there are", pure, () => {
  const problems = new BoundedProblems();
  for (let i = 0; i < 100; i++) problems.add({ location: `at ${i}`, message: "wrong" });
  assert.equal(problems.list().length, 100);
  for (let i = 0; i < 1234; i++) problems.add({ location: "x", message: "wrong" });
  assert.equal(problems.list().length, 101);
  assert.deepEqual(problems.list().at(-1), { location: "", message: "and 1234 more" });
  assert.equal(problems.count, 1334);
});

Deno.test("BoundedProblems.add() repeats no long text of a request", pure, () => {
  const problems = new BoundedProblems();
  const long = "x".repeat(1_000_000);
  problems.add({ location: long, message: long, value: long });
  assert.ok(JSON.stringify(problems.list()).length < 2000);
  problems.add({ location: "a", message: "b", value: 7 });
  assert.equal(problems.list()[1]?.value, 7);
});

Deno.test(
  "clip() leaves short texts alone, and cuts long ones where it can be seen, never within a character",
  pure,
  () => {
    assert.equal(clip("abc", 3), "abc");
    assert.equal(clip("abcd", 3), "ab…");
    assert.ok(clip("a😀😀😀", 3).isWellFormed());
  },
);
