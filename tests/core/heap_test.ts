import assert from "node:assert/strict";
import fc from "fast-check";
import { Heap } from "../../src/core/heap.ts";

const pure = { permissions: "none" } as const;

Deno.test("Heap hands out its entries from the least on", pure, () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant("pop" as const))), (moves) => {
      const heap = new Heap<{ at: number }>();
      const model: number[] = [];
      for (const move of moves) {
        if (move === "pop") {
          assert.equal(heap.peek()?.at, model[0]);
          assert.equal(heap.pop()?.at, model.shift());
        } else {
          heap.push({ at: move });
          model.push(move);
          model.sort((a, b) => a - b);
        }
        assert.equal(heap.size, model.length);
      }
      while (model.length > 0) assert.equal(heap.pop()?.at, model.shift());
      assert.equal(heap.pop(), undefined);
    }),
    { seed: 8, numRuns: 500 },
  );
});
