import assert from "node:assert/strict";
import { RE2JS } from "re2js";
import { MOST_STEPS, stepsOf, userRegex } from "../../src/core/user_regex.ts";
import { Random } from "../simulation/random.ts";

/** Expressions of all kinds: refused or made ready, never more than they may be, and never in a way that throws. */
export function fuzzRegex(seed: number): void {
  const random = new Random(seed);
  const text = expression(random, 3);
  const began = performance.now();
  const made = userRegex(text, { ignoreCase: random.oneIn(2) });
  if ("problem" in made) {
    assert.ok(made.problem.length > 0, `${JSON.stringify(text)} is refused without a reason`);
  } else {
    // What was let through is near what was foreseen.
    const steps = RE2JS.compile(text).programSize();
    assert.ok(steps <= 3 * stepsOf(text) + 200, `${JSON.stringify(text)}: ${stepsOf(text)}, ${steps} steps`);
    assert.ok(steps <= 2 * MOST_STEPS);
    for (const line of ["", "a".repeat(65_536), "ab\u00e9 ".repeat(9000), "x".repeat(40_000)]) {
      made.regex.test(line);
    }
  }
  const took = performance.now() - began;
  assert.ok(took < 20_000, `${JSON.stringify(text)} took ${took} ms`);
}

function expression(random: Random, depth: number): string {
  let text = "";
  for (let i = random.below(6); i >= 0; i--) {
    text += random.weighted<() => string>([
      [
        6,
        () =>
          random.pick(["a", "b", ".", "\\d", "[^a]", "[a-z\\]]", "\\pL", "\\p{Greek}", "\\x{41}", "^", "$"]),
      ],
      [
        2,
        () =>
          depth > 0 ? `(${random.pick(["", "?:", "?P<n>", "?i:"])}${expression(random, depth - 1)})` : "c",
      ],
      [1, () => depth > 0 ? `${expression(random, depth - 1)}|b` : "|"],
      [
        1,
        () => random.pick(["(", ")", "[", "]", "{", "}", "\\", "\\Q{9}(\\E", "[[:alpha:]]", "{2}", "*", "?"]),
      ],
    ])();
    if (!random.oneIn(3)) continue;
    const count = random.pick([0, 1, 2, 3, 30, 999, 1000, 1001]);
    text += random.pick(["*", "+", "?", `{${count}}`, `{1,${count}}`, `{${count},}`]);
  }
  return text;
}
