import assert from "node:assert/strict";
import { concat, wordsOf } from "../../src/core/bytes.ts";

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

Deno.test("concat() copies only where there is something to put together", { permissions: "none" }, () => {
  const one = bytes(1, 2);
  assert.equal(concat([one]), one);
  assert.equal(concat([bytes(), one, bytes()]), one);
  assert.deepEqual(concat([one, bytes(), bytes(3)]), bytes(1, 2, 3));
  assert.deepEqual(concat([]), bytes());
  assert.deepEqual(concat([bytes(), bytes()]), bytes());
});

Deno.test(
  "wordsOf() has all whole words of a part of memory, wherever it begins",
  { permissions: "none" },
  () => {
    const all = Uint8Array.from({ length: 40 }, (_, i) => i);
    for (let from = 0; from < 5; from++) {
      for (let length = 0; length < 20; length++) {
        const part = all.subarray(from, from + length);
        const words = wordsOf(part);
        const first = from + (4 - from % 4) % 4;
        assert.equal(words.length, Math.max(0, Math.floor((from + length - first) / 4)), `${from} ${length}`);
        if (words.length > 0) assert.equal(words.byteOffset, first);
      }
    }
  },
);
