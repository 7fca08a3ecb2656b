import assert from "node:assert/strict";
import { FairQueue } from "../../src/core/fair_queue.ts";

const pure = { permissions: "none" } as const;
const good = { isSuspect: false };
const bad = { isSuspect: true };

Deno.test("FairQueue.next() lets keys take turns, each in its own order", pure, () => {
  const queue = new FairQueue<string>({ most: 10, mostEach: 4 });
  for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) {
    assert.equal(queue.add(item[0]!, item, good), true);
  }
  const order = Array.from({ length: 6 }, () => queue.next());
  assert.deepEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3"]);
  assert.equal(queue.next(), undefined);
});

Deno.test("FairQueue.next() lets suspects wait for all others", pure, () => {
  const queue = new FairQueue<string>({ most: 10, mostEach: 4 });
  queue.add("x", "x1", bad);
  queue.add("a", "a1", good);
  queue.add("a", "a2", good);
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ["a1", "a2", "x1"]);
});

Deno.test("FairQueue.add() has room for so many of a key and so many in all; suspects give way", pure, () => {
  const queue = new FairQueue<string>({ most: 3, mostEach: 2 });
  queue.add("x", "x1", bad);
  queue.add("x", "x2", bad);
  assert.equal(queue.add("x", "x3", bad), false);
  assert.equal(queue.add("a", "a1", good), true);
  assert.equal(queue.add("y", "y1", bad), false, "a suspect displaces nobody");
  assert.deepEqual(queue.add("b", "b1", good), { evicted: "x2" });
  assert.deepEqual(queue.add("c", "c1", good), { evicted: "x1" });
  assert.equal(queue.add("d", "d1", good), false);
  queue.remove("b1");
  queue.remove("nobody");
  assert.equal(queue.size, 2);
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ["a1", "c1", undefined]);
});
