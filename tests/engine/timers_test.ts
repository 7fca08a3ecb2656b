import assert from "node:assert/strict";
import { Timers } from "../../src/engine/timers.ts";
import { FakeClock } from "../support/fake_clock.ts";

Deno.test("Timers fires each once, and knows only those that have not fired", async () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  const timers = new Timers(clock);
  timers.set("a", 100, () => fired.push(`a ${timers.pending().length}`));
  timers.set("b", 300, () => fired.push("b"));
  await clock.advance(60);
  assert.deepEqual(timers.pending(), [{ name: "a", left: 40 }, { name: "b", left: 240 }]);
  await clock.advance(40);
  assert.deepEqual([fired, timers.pending()], [["a 1"], [{ name: "b", left: 200 }]]);
});

Deno.test("Timers begins a timer anew that is set again, also from itself, and forgets what is cleared", async () => {
  const clock = new FakeClock(0);
  const fired: string[] = [];
  const timers = new Timers(clock);
  timers.set("a", 100, () => fired.push("never"));
  timers.set("a", 200, () => {
    fired.push("first");
    timers.set("a", 50, () => fired.push("second"));
  });
  timers.set("b", 10, () => fired.push("cleared"));
  timers.clear("b");
  timers.clear("b");
  await clock.advance(200);
  assert.deepEqual(timers.pending(), [{ name: "a", left: 50 }]);
  await clock.advance(50);
  assert.deepEqual(fired, ["first", "second"]);
  timers.set("c", 10, () => fired.push("all"));
  timers.clearAll();
  await clock.advance(100);
  assert.deepEqual([fired, timers.pending()], [["first", "second"], []]);
});
