import assert from "node:assert/strict";
import { averageOf, parseReading, sampleOf } from "../../src/core/system_sample.ts";

const lines = (cpu: string): string[] => [cpu, "MemTotal:        1000 kB", "MemAvailable:     250 kB"];

Deno.test("parseReading() counts what is neither idle nor waiting for a disk as work", {
  permissions: "none",
}, () => {
  const reading = parseReading(lines("cpu  100 20 30 700 50 0 10 5 90 8"));
  assert.deepEqual(reading, { busy: 165, total: 915, memTotal: 1_024_000, memAvailable: 256_000 });
});

Deno.test("parseReading() answers nothing for what it can't read", { permissions: "none" }, () => {
  assert.equal(parseReading([]), undefined);
  assert.equal(parseReading(["cpu  1 2 3 4"]), undefined);
  assert.equal(parseReading(lines("cpu  1 2 x 4")), undefined);
  assert.equal(parseReading(lines("cpu0 1 2 3 4")), undefined);
  assert.equal(parseReading(["cpu  1 2 3 4", "MemTotal: 10 kB"]), undefined);
});

Deno.test("sampleOf() tells the load between two readings, and since boot without the first", {
  permissions: "none",
}, () => {
  const from = { busy: 100, total: 1000, memTotal: 4000, memAvailable: 1000 };
  const to = { busy: 125, total: 1100, memTotal: 4000, memAvailable: 3000 };
  assert.deepEqual(sampleOf({ from, to }, 60), { at: 60, cpu: 25, mem: 25, memTotal: 4000, memUsed: 1000 });
  assert.equal(sampleOf({ from: undefined, to: from }, 60).cpu, 10);
});

Deno.test("sampleOf() stays between 0 and 100 when counters stand still or step back", {
  permissions: "none",
}, () => {
  const reading = { busy: 100, total: 1000, memTotal: 0, memAvailable: 0 };
  assert.equal(sampleOf({ from: reading, to: reading }, 1).cpu, 0);
  assert.equal(sampleOf({ from: { ...reading, busy: 150 }, to: { ...reading, total: 1010 } }, 1).cpu, 0);
  assert.equal(sampleOf({ from: reading, to: { ...reading, busy: 300, total: 1100 } }, 1).cpu, 100);
  assert.equal(sampleOf({ from: reading, to: reading }, 1).mem, 0);
});

Deno.test("averageOf() is the mean of a minute, and nothing for none", { permissions: "none" }, () => {
  const samples = [10, 20, 60].map((cpu, index) => (
    { at: 60 + index * 5, cpu, mem: cpu / 2, memTotal: 1000, memUsed: cpu * 5 }
  ));
  assert.deepEqual(averageOf(samples, 60), { at: 60, cpu: 30, mem: 15, memTotal: 1000, memUsed: 150 });
  assert.equal(averageOf([], 60), undefined);
});
