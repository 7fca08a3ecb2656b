import assert from "node:assert/strict";
import fc from "fast-check";
import { countNewlines } from "../../../src/core/log/count.ts";

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
