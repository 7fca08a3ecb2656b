import assert from "node:assert/strict";
import type { NewsEvent } from "../../src/engine/news.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { day, hour, minute, noon, second } from "../support/units.ts";

/** The machine works at so many percent from now on: a tick of all per ms. */
async function work(t: TestEngine, ms: number, percent: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5000) {
    const step = Math.min(5000, left);
    const { busy, total } = t.processes.reading ?? { busy: 0, total: 0 };
    t.processes.reading = {
      busy: busy + step * percent / 100,
      total: total + step,
      memTotal: 1000,
      memAvailable: 600,
    };
    await t.clock.advance(step);
  }
}

async function makeMonitored(): Promise<TestEngine> {
  const t = await makeEngine({
    units: [],
    before: ({ processes }) => {
      processes.reading = { busy: 0, total: 0, memTotal: 1000, memAvailable: 600 };
    },
  });
  t.engine.monitor.start();
  await settle();
  return t;
}

Deno.test("SystemMonitor takes a sample every 5 s, tells it, and keeps an hour of them", async () => {
  await using t = await makeMonitored();
  const news: NewsEvent[] = [];
  t.engine.news.subscribe((one) => news.push(one));
  await work(t, 10 * second, 40);
  const start = noon / 1000;
  const sample = (at: number) => ({ at: start + at, cpu: 40, mem: 40, memTotal: 1000, memUsed: 400 });
  assert.deepEqual(t.engine.monitor.samples(0), [sample(5), sample(10)]);
  assert.deepEqual(news, [
    { type: "system.sample", sample: sample(5), uptime: 5000 },
    { type: "system.sample", sample: sample(10), uptime: 10_000 },
  ]);
  await work(t, hour, 40);
  const kept = t.engine.monitor.samples(start + 3610 - 3600);
  assert.equal(kept.length, 720);
  assert.equal(kept[0]!.at, start + 15);
});

Deno.test("SystemMonitor tells what is older than an hour by the means of minutes, each moment once", async () => {
  await using t = await makeMonitored();
  await work(t, 5 * minute, 10);
  await work(t, 70 * minute, 50);
  const samples = t.engine.monitor.samples(0);
  const times = samples.map(({ at }) => at - noon / 1000);
  assert.deepEqual(times.slice(0, 4), [0, 60, 120, 180]);
  assert.deepEqual(times, [...new Set(times)].sort((a, b) => a - b));
  assert.deepEqual(samples.slice(0, 7).map(({ cpu }) => cpu), [10, 10, 10, 10, 10, 46.67, 50]);
  const since = noon / 1000 + 120;
  assert.equal(t.engine.monitor.samples(since)[0]!.at, since);
});

Deno.test("SystemMonitor finds the minutes of an earlier daemon, the last one too, for 7 days", async () => {
  await using t = await makeMonitored();
  await work(t, 90 * second, 20);
  await t.stop();
  await t.start();
  const start = noon / 1000;
  assert.deepEqual(t.engine.monitor.samples(0).map(({ at, cpu }) => [at - start, cpu]), [[0, 20], [60, 20]]);
  t.clock.stall(7 * day);
  t.engine.monitor.start();
  await settle();
  await work(t, 2 * minute, 20);
  assert.deepEqual(t.store.systemMinutes.between(0, start + 1000), []);
  assert.equal(t.store.systemMinutes.between(0, start + 8 * 86_400).length > 0, true);
});

Deno.test("SystemMonitor forgets samples that lie ahead when the clock is set back", async () => {
  await using t = await makeMonitored();
  await work(t, minute, 20);
  t.clock.jump(-30 * second);
  await work(t, 10 * second, 20);
  const times = t.engine.monitor.samples(0).map(({ at }) => at);
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
  assert.equal(times.at(-1), noon / 1000 + 40);
});

Deno.test("SystemMonitor.current() tells the load since boot before the first sample, and nothing where none is known", async () => {
  await using t = await makeEngine({ units: [] });
  assert.equal(await t.engine.monitor.current(), undefined);
  t.processes.reading = { busy: 30, total: 100, memTotal: 1000, memAvailable: 600 };
  assert.equal((await t.engine.monitor.current())?.cpu, 30);
  t.engine.monitor.start();
  await settle();
  await work(t, 5 * second, 80);
  assert.equal((await t.engine.monitor.current())?.cpu, 80);
});

Deno.test("SystemMonitor sets no timer before its start, nor after its stop", async () => {
  await using t = await makeEngine({ units: [] });
  const waiting = t.clock.waiting;
  t.engine.monitor.start();
  t.engine.monitor.start();
  await settle();
  assert.equal(t.clock.waiting, waiting + 1);
  t.engine.monitor.stop();
  assert.equal(t.clock.waiting, waiting);
});

Deno.test("SystemMonitor goes on after a question that was never answered", async () => {
  await using t = await makeMonitored();
  t.processes.answers = "never";
  await work(t, 5 * second, 20);
  t.processes.answers = "yes";
  await work(t, 20 * second, 80);
  assert.equal((await t.engine.monitor.current())?.cpu, 80);
});
