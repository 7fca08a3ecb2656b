import assert from "node:assert/strict";
import fc from "fast-check";
import { formatDuration, parseDuration } from "../../src/core/duration.ts";

const read: [text: string, ms: number][] = [
  ["0s", 0],
  ["1ns", 1e-6],
  ["1us", 1e-3],
  ["250us", 0.25],
  ["1ms", 1],
  ["1.5s", 1500],
  ["90s", 90_000],
  ["1m", 60_000],
  ["1h30m", 5_400_000],
  ["1d", 86_400_000],
  ["1w2d", 777_600_000],
  ["0.1s0.2s", 300],
  ["1h1h", 7_200_000],
  ["1s1h", 3_601_000],
  ["00.50s", 500],
];

const refused = [
  ..."|0|5|s|-1s|+1s|1 s| 1s|1s |1.s|.5s|1,5s|1e3s|1S|1H|1y|1h30|h1|1µs|1ms5|Infinitys|NaNs|1s\n|999999999d"
    .split("|"),
];

const written: [ms: number, text: string][] = [
  [0, "0s"],
  [1e-6, "1ns"],
  [0.0015, "1.5us"],
  [0.25, "250us"],
  [300, "300ms"],
  [1500, "1.5s"],
  [60_000, "1m"],
  [90_500, "1m30.5s"],
  [5_400_000, "1h30m"],
  [777_600_000, "9d"],
  [86_400_000 + 5, "1d5ms"],
];

Deno.test("parseDuration() reads numbers with units and adds them up", { permissions: "none" }, () => {
  for (const [text, ms] of read) assert.equal(parseDuration(text), ms, text);
});

Deno.test("parseDuration() refuses everything else", { permissions: "none" }, () => {
  for (const text of refused) assert.equal(parseDuration(text), undefined, JSON.stringify(text));
});

Deno.test("formatDuration() writes the shortest canonical text", { permissions: "none" }, () => {
  for (const [ms, text] of written) assert.equal(formatDuration(ms), text);
});

Deno.test("formatDuration() takes no negative and no endless duration", { permissions: "none" }, () => {
  for (const ms of [-1, NaN, Infinity]) assert.throws(() => formatDuration(ms), RangeError);
});

Deno.test("parseDuration() reads back what formatDuration() wrote", { permissions: "none" }, () => {
  // Milliseconds hold whole nanoseconds up to 26 days; beyond that, whole microseconds are safe.
  const nanoseconds = fc.oneof(
    fc.nat({ max: 10_000 }),
    fc.maxSafeNat().map((n) => n % 2 ** 50),
    fc.maxSafeNat().map((n) => (n % 2 ** 50) * 1000),
  );
  fc.assert(
    fc.property(nanoseconds, (ns) => {
      const ms = ns / 1e6;
      const text = formatDuration(ms);
      assert.equal(parseDuration(text), ms, text);
      assert.equal(formatDuration(parseDuration(text) ?? NaN), text);
    }),
    { seed: 11, numRuns: 2000 },
  );
});

Deno.test(
  "parseDuration() gives any text a number of 0 or more, or undefined",
  { permissions: "none" },
  () => {
    const pieces = fc.array(
      fc.constantFrom("1", "0", ".", "9", "ns", "us", "ms", "s", "m", "h", "d", "w", "-", " "),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const ms = parseDuration(parts.join(""));
        assert.ok(ms === undefined || (Number.isFinite(ms) && ms >= 0));
      }),
      { seed: 12, numRuns: 2000 },
    );
  },
);
