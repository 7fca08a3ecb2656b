import { later, monotonicMs as at } from "../../src/core/time.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  memoryWords,
  noUsage,
  outOfMemory,
  parseSessions,
  sumUsage,
  withReading,
} from "../../src/core/usage.ts";

const pure = { permissions: "none" } as const;

Deno.test(
  "withReading() tells the share of one core since the reading before, and the memory of now",
  pure,
  () => {
    const first = withReading(noUsage(at(1000)), { cpuMs: 500, memoryBytes: 100, oomKills: 0 }, at(2000));
    assert.deepEqual(first, {
      at: 2000,
      cpuMs: 500,
      peakBytes: 100,
      oomKills: 0,
      usage: { cpuPercent: 50, memoryBytes: 100 },
    });
    const second = withReading(
      first,
      { cpuMs: 10_500, memoryBytes: 40, peakBytes: 90, oomKills: 2 },
      at(7000),
    );
    assert.deepEqual(second.usage, { cpuPercent: 200, memoryBytes: 40 });
    assert.deepEqual([second.peakBytes, second.oomKills], [100, 2]);
  },
);

Deno.test("withReading() keeps the last percentage where no time has passed", pure, () => {
  const first = withReading(noUsage(at(0)), { cpuMs: 500, oomKills: 0 }, at(1000));
  const again = withReading(first, { cpuMs: 600, oomKills: 0 }, at(1000));
  assert.equal(again.usage?.cpuPercent, 50);
  assert.equal(again.cpuMs, 600);
});

Deno.test("withReading() never lets a total fall, whatever is read", pure, () => {
  const reading = fc.record({
    cpuMs: fc.nat(1e6),
    memoryBytes: fc.nat(1e9),
    peakBytes: fc.nat(1e9),
    oomKills: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(reading, fc.nat(10_000)), { maxLength: 20 }), (readings) => {
      let state = noUsage(at(0));
      for (const [one, span] of readings) {
        const next = withReading(state, one, later(state.at, span));
        assert.ok(next.cpuMs >= state.cpuMs && next.oomKills >= state.oomKills);
        assert.ok((next.peakBytes ?? 0) >= Math.max(state.peakBytes ?? 0, one.peakBytes, one.memoryBytes));
        assert.ok(next.usage!.cpuPercent >= 0);
        state = next;
      }
    }),
    { seed: 4 },
  );
});

Deno.test("sumUsage() adds up, and tells none from nothing used", pure, () => {
  assert.equal(sumUsage([]), undefined);
  const usages = [{ cpuPercent: 0.1, memoryBytes: 1 }, { cpuPercent: 0.2, memoryBytes: 2 }];
  assert.deepEqual(sumUsage(usages), { cpuPercent: 0.3, memoryBytes: 3 });
});

/** A line of /proc/PID/stat. */
function stat(own: { pid: number; name: string; session: number; times: number[]; pages: number }): string {
  const { pid, name, session, times, pages } = own;
  const rest = [
    "S",
    1,
    pid,
    session,
    0,
    -1,
    4194560,
    1,
    2,
    3,
    4,
    ...times,
    20,
    0,
    1,
    0,
    500,
    999999,
    pages,
    7,
  ];
  return `${pid} (${name}) ${rest.join(" ")}`;
}

Deno.test("parseSessions() sums up the processes of each session, waited-for children included", pure, () => {
  const sessions = parseSessions([
    stat({ pid: 10, name: "sh", session: 10, times: [100, 50, 25, 25], pages: 10 }),
    stat({ pid: 11, name: "a) S 1 1 99 (b", session: 10, times: [100, 0, 0, 0], pages: 5 }),
    stat({ pid: 20, name: "sh", session: 20, times: [0, 0, 0, 0], pages: 1 }),
    "",
    "21 (torn",
  ], { ticks: 100, page: 4096 });
  assert.deepEqual([...sessions], [
    [10, { cpuMs: 3000, memoryBytes: 15 * 4096, oomKills: 0 }],
    [20, { cpuMs: 0, memoryBytes: 4096, oomKills: 0 }],
  ]);
});

Deno.test("memoryWords() takes the unit that makes a round number, else the decimal one", pure, () => {
  const words: [number, string][] = [
    [0, "0 bytes"],
    [999, "999 bytes"],
    [64_000_000, "64 MB"],
    [64 * 1024 ** 2, "64 MiB"],
    [1.5 * 1024 ** 3, "1.5 GiB"],
    [1_234_567, "1.2 MB"],
    [123_456_789, "123 MB"],
    [999_700_000, "1 GB"],
  ];
  for (const [bytes, text] of words) assert.equal(memoryWords(bytes), text);
});

Deno.test("outOfMemory() names the run's own limit where it has one", pure, () => {
  assert.equal(outOfMemory(64_000_000), "out of memory: killed at the limit of 64 MB");
  assert.equal(outOfMemory(undefined), "out of memory: killed by the system");
});
