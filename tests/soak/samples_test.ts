import assert from "node:assert/strict";
import { type Measure, type Sample, trendsOf } from "./samples.ts";

/** Twenty minutes of a daemon, a sample each 10 s. */
function samples(grow: Partial<Record<Measure, (n: number) => number>>): Sample[] {
  return Array.from({ length: 121 }, (_, n) => {
    const waver = (n * 7 % 5 - 2) / 2;
    const flat = { resident: 90 + waver, descriptors: 40 + waver, threads: 12, database: 2, logs: 5 + waver };
    const grown = Object.entries(grow).map(([name, more]) => [name, flat[name as Measure] + more(n)]);
    return { at: n * 10, ...flat, ...Object.fromEntries(grown) };
  });
}

function growing(all: Sample[], slack = 1): Measure[] {
  return trendsOf(all, { warmUp: 300, slack })
    .filter(({ growth, allowed }) => growth > allowed).map(({ measure }) => measure);
}

Deno.test("trendsOf() finds no growth in a daemon that wavers", () => {
  assert.deepEqual(growing(samples({})), []);
});

Deno.test("trendsOf() leaves out how a daemon comes to its size", () => {
  assert.deepEqual(growing(samples({ resident: (n) => Math.min(n, 30) })), []);
});

Deno.test("trendsOf() finds 10 MB in a quarter of an hour, and a descriptor a minute", () => {
  assert.deepEqual(growing(samples({ resident: (n) => n / 9 })), ["resident"]);
  assert.deepEqual(growing(samples({ descriptors: (n) => Math.floor(n / 6) })), ["descriptors"]);
  assert.deepEqual(growing(samples({ database: (n) => n / 30, logs: (n) => n / 10 })), ["database", "logs"]);
});

Deno.test("trendsOf() allows more with slack", () => {
  assert.deepEqual(growing(samples({ resident: (n) => n / 9 }), 10), []);
});
