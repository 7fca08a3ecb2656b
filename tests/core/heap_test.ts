import assert from "node:assert/strict";
import fc from "fast-check";
import { Heap } from "../../src/core/heap.ts";

const pure = { permissions: "none" } as const;

const entry = fc.record(
  { at: fc.integer({ min: 0, max: 20 }), name: fc.constantFrom("a", "b", "c") },
  { noNullPrototype: true },
);

Deno.test("Heap hands out its entries from the least on, equals by name", pure, () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(entry, fc.constant("pop" as const))), (moves) => {
      const heap = new Heap<{ at: number; name: string }>();
      const model: { at: number; name: string }[] = [];
      for (const move of moves) {
        if (move === "pop") {
          assert.deepEqual(heap.peek(), model[0]);
          assert.deepEqual(heap.pop(), model.shift());
        } else {
          heap.push(move);
          model.push(move);
          model.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
        }
        assert.equal(heap.size, model.length);
      }
      while (model.length > 0) assert.deepEqual(heap.pop(), model.shift());
      assert.equal(heap.pop(), undefined);
    }),
    { seed: 8, numRuns: 500 },
  );
});
