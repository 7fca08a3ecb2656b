import assert from "node:assert/strict";
import fc from "fast-check";
import { countNewlines, countPlainLines } from "../../../src/core/log/count.ts";

const pure = { permissions: "none" } as const;

Deno.test("countNewlines() agrees with a plain loop at any alignment and length", pure, () => {
  const byte = fc.oneof(fc.constant(10), fc.constantFrom(0, 9, 11, 0x0b, 0x8a, 0xf5, 0xff), fc.nat(255));
  const bytes = fc.array(byte, { maxLength: 3000 });
  fc.assert(
    fc.property(bytes, fc.nat(7), (list, skip) => {
      const all = Uint8Array.from(list);
      const some = all.subarray(Math.min(skip, all.length));
      assert.equal(countNewlines(some), some.filter((b) => b === 10).length);
    }),
    { seed: 1, numRuns: 300 },
  );
});

Deno.test("countNewlines() counts a chunk of nothing but newlines", pure, () => {
  assert.equal(countNewlines(new Uint8Array(1_000_003).fill(10)), 1_000_003);
  assert.equal(countNewlines(new Uint8Array(1_000_003).fill(11)), 0);
  assert.equal(countNewlines(new Uint8Array(0)), 0);
});

Deno.test("countPlainLines() counts what is plain, and finds every byte that is not", pure, () => {
  const byte = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(10, 97, 32, 0x8a, 0xff) },
    { weight: 1, arbitrary: fc.constantFrom(8, 9, 11, 13, 27, 0) },
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 300 }), fc.nat(7), (list, skip) => {
      const some = Uint8Array.from(list).subarray(Math.min(skip, list.length));
      const count = countPlainLines(some);
      if (some.some((b) => b === 8 || b === 13 || b === 27)) assert.equal(count, -1);
      else if (count >= 0 || some.every((b) => b >= 32 || b === 10)) assert.equal(count, countNewlines(some));
    }),
    { seed: 3, numRuns: 3000 },
  );
  assert.equal(countPlainLines(new Uint8Array(1_000_003).fill(10)), 1_000_003);
});
