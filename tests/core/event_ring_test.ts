import assert from "node:assert/strict";
import fc from "fast-check";
import { EventRing } from "../../src/core/event_ring.ts";

Deno.test("EventRing gives what came after any id that it can tell of, and nothing for all others", {
  permissions: "none",
}, () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 1e15 }),
      fc.nat(30),
      (size, firstId, count) => {
        const ring = new EventRing<number>(size, firstId);
        for (let i = 0; i < count; i++) ring.push(ring.nextId);
        const last = firstId + count - 1;
        const oldest = Math.max(firstId, last + 1 - size);
        for (let id = firstId - 3; id <= last + 3; id++) {
          const expected = id < oldest - 1 || id > last
            ? undefined
            : Array.from({ length: last - id }, (_, i) => id + 1 + i);
          assert.deepEqual(ring.after(id), expected, `after ${id}`);
        }
      },
    ),
    { seed: 5, numRuns: 200 },
  );
});

Deno.test("EventRing can't tell what came after something that is no id", { permissions: "none" }, () => {
  const ring = new EventRing<string>(4, 10);
  ring.push("a");
  for (const id of [NaN, Infinity, 10.5, -1, 2 ** 60]) assert.equal(ring.after(id), undefined);
});
