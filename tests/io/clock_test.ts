import assert from "node:assert/strict";
import { FakeClock } from "../support/fake_clock.ts";
import { systemClock } from "../../src/io/clock.ts";

Deno.test("systemClock.after() does not fire a delay at once that is longer than a platform timer takes", async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 5, () => fired = true);
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  cancel();
  assert.equal(fired, false);
});

Deno.test("systemClock.after() calls once and can be cancelled", async () => {
  const calls: string[] = [];
  const cancel = systemClock.after(1, () => calls.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => systemClock.after(3, () => (calls.push("called"), resolve())));
  assert.deepEqual(calls, ["called"]);
});

Deno.test("systemClock.after() lets be heard first what came while the process stood still", async () => {
  const heard: string[] = [];
  const timer = Promise.withResolvers<void>();
  const child = new Deno.Command("true").spawn();
  systemClock.after(50, () => (heard.push("timer"), timer.resolve()));
  const ended = child.status.then(() => heard.push("end of the process"));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await Promise.all([timer.promise, ended]);
  assert.deepEqual(heard, ["end of the process", "timer"]);
});

Deno.test("systemClock.after() lets be heard first what came before a timer that is in time", async () => {
  const heard: string[] = [];
  const timer = Promise.withResolvers<void>();
  const child = new Deno.Command("true").spawn();
  const ended = child.status.then(() => heard.push("end of the process"));
  systemClock.after(500, () => (heard.push("timer"), timer.resolve()));
  // It wakes as the timer is due.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 501);
  await Promise.all([timer.promise, ended]);
  assert.deepEqual(heard, ["end of the process", "timer"]);
});

Deno.test("systemClock.after() is in time where nothing holds it up", async () => {
  const began = performance.now();
  for (const ms of [0, 5, 10, 100]) {
    const from = performance.now();
    await new Promise<void>((resolve) => systemClock.after(ms, resolve));
    assert.ok(performance.now() - from >= ms);
  }
  assert.ok(performance.now() - began >= 115);
});

Deno.test("systemClock.measure() tells how late a timer is, without what after() waits to hear first", async () => {
  const late = Promise.withResolvers<number>();
  const heard = Promise.withResolvers<number>();
  const began = performance.now();
  systemClock.after(50, () => heard.resolve(performance.now() - began - 50));
  systemClock.measure(50, late.resolve);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  assert.ok(await late.promise >= 250);
  assert.ok(await heard.promise - await late.promise > 50);
});

Deno.test("systemClock.after() waits longer for what is to be heard first where the process stood still for long", async () => {
  const fired = async (pause: number): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const began = performance.now();
    systemClock.after(10, resolve);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    const woke = performance.now();
    await promise;
    assert.ok(woke - began >= pause);
    return performance.now() - woke;
  };
  assert.ok(await fired(410) >= 750);
  assert.ok(await fired(2000) >= 950);
});

Deno.test("FakeClock.advance() takes no time back that was lost meanwhile", async () => {
  const clock = new FakeClock(0);
  clock.after(100, () => clock.stall(5000));
  await clock.advance(1000);
  assert.deepEqual([clock.elapsed, clock.now()], [5100, 5100]);
});
