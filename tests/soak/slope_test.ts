import assert from "node:assert/strict";
import { slopeOf } from "./slope.ts";

const points = (value: (n: number) => number, count = 60) =>
  Array.from({ length: count }, (_, n) => ({ at: n * 10, value: value(n) }));

/** Between -1 and 1, the same each time. */
const noise = (n: number): number => Math.sin(n * 12.9898) * 43758.5453 % 1;

Deno.test("slopeOf() sees a line as it is", () => {
  const { median, least } = slopeOf(points((n) => 5 + 20 * n));
  assert.equal(median, 2);
  assert.equal(least, 2);
});

Deno.test("slopeOf() is sure of no growth where values only waver", () => {
  assert.ok(slopeOf(points((n) => 100 + 20 * noise(n))).least <= 0);
});

Deno.test("slopeOf() sees slow growth below larger noise", () => {
  const { median, least } = slopeOf(points((n) => n + 20 * noise(n)));
  assert.ok(least > 0.03 && least < 0.1, `at least ${least}`);
  assert.ok(median > 0.07 && median < 0.13, `median ${median}`);
});

Deno.test("slopeOf() is not moved by peaks, nor by one step", () => {
  assert.equal(slopeOf(points((n) => n % 9 === 0 ? 1000 : 10)).median, 0);
  assert.ok(slopeOf(points((n) => n < 6 ? 50 : 100)).least <= 0);
});

Deno.test("slopeOf() says nothing of a few points", () => {
  assert.deepEqual(slopeOf(points((n) => 100 * n, 7)), { median: 0, least: 0 });
});
