import assert from "node:assert/strict";
import { MOST_STEPS, sizeProblem, stepsOf, userRegex } from "../../src/core/user_regex.ts";

const pure = { permissions: "none" } as const;

Deno.test("userRegex() refuses what unfolds to more steps than it may, before it is made ready", pure, () => {
  const large = [
    "a{1,1000}".repeat(111),
    "\\pL{1000}".repeat(111),
    "\\pL{1,1000}".repeat(90),
    ".{1,1000}".repeat(111),
    "[^a]{1000}".repeat(100),
    "(a{1,999}|b)".repeat(80),
    "(?:(?:a{30}){30}){3}",
    "\\p{Greek}{900}[]a{5}]{900}x{900}",
    `\\Q${"(".repeat(3000)}`,
  ];
  for (const pattern of large) {
    const made = userRegex(pattern);
    assert.match(
      "problem" in made ? made.problem : "",
      /unfolds to some \d+ steps, and may have 2500/,
      pattern,
    );
    assert.ok(sizeProblem(pattern) !== undefined);
  }
  for (const pattern of ["a{1,1000}", "ERROR.*failed", "\\pL{1000}", "(a|aa|aaa)+$", "[{]{2}x{", "{1000}"]) {
    assert.equal(sizeProblem(pattern), undefined, pattern);
  }
  const wrong = userRegex("a(");
  assert.match("problem" in wrong ? wrong.problem : "", /missing closing/);
});

Deno.test("stepsOf() is near what the engine makes of an expression", pure, () => {
  const cases = [
    "a{3}",
    "(ab){4}",
    "a{2,5}",
    "(a|b)*c",
    "\\x{41}{7}",
    "[^\\]{9}]{6}",
    "(?P<n>a{2}){3}",
    "(?i:ab)",
  ];
  const steps = [3, 16, 8, 7, 7, 6, 12, 4];
  assert.deepEqual(cases.map(stepsOf), steps);
  assert.ok(MOST_STEPS > 2001);
});

Deno.test("userRegex() looks at the beginning of a line that would take long", pure, () => {
  const made = userRegex("x{1,1000}end");
  assert.ok("regex" in made);
  assert.equal(made.regex.test(`${"x".repeat(1000)}end`), true);
  assert.equal(made.regex.test(`${"y".repeat(65_000)}xend`), false);
  const small = userRegex("x+end");
  assert.ok("regex" in small && small.regex.test(`${"y".repeat(65_000)}xend`));
});
