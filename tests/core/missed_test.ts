import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCron } from "../../src/core/cron/parse.ts";
import { ticksBetween } from "../../src/core/cron/next.ts";
import { zoneOf } from "../../src/core/cron/zone.ts";
import { type MissedPlan, mostCounted, planMissed } from "../../src/core/missed.ts";
import { nextRunningTick, upcomingTicks } from "../../src/core/upcoming.ts";
import type { CatchUp } from "../../src/types.ts";
import { day, hour, minute, noon } from "../support/units.ts";

const pure = { permissions: "none" } as const;
const utc = zoneOf("UTC");

function plan(
  cron: string,
  span: { from?: number; to: number; catchUp: CatchUp; max?: number; zone?: string },
): MissedPlan {
  const { from = noon, to, catchUp, max = 100 } = span;
  return planMissed(parseCron(cron), zoneOf(span.zone ?? "UTC"), {
    from,
    to,
    anchor: from,
    catchUp,
    maxCatchUpRuns: max,
  });
}

Deno.test("planMissed() finds nothing where no tick was", pure, () => {
  for (const catchUp of ["latest", "all", "skip"] as const) {
    assert.deepEqual(plan("0 * * * *", { to: noon + hour - 1, catchUp }), { run: [] });
    assert.deepEqual(plan("0 * * * *", { to: noon, catchUp }), { run: [] });
    assert.deepEqual(plan("0 * * * *", { to: noon - day, catchUp }), { run: [] });
  }
});

Deno.test("planMissed() with one tick: latest and all run it, skip records it", pure, () => {
  const at = noon + hour;
  assert.deepEqual(plan("0 * * * *", { to: at, catchUp: "latest" }), { run: [at] });
  assert.deepEqual(plan("0 * * * *", { to: at, catchUp: "all" }), { run: [at] });
  assert.deepEqual(plan("0 * * * *", { to: at, catchUp: "skip" }), {
    run: [],
    record: { newest: at, count: 1, isFailure: true },
  });
});

Deno.test("planMissed() with many ticks records those that are not run as one", pure, () => {
  const to = noon + 5 * hour;
  assert.deepEqual(plan("0 * * * *", { to, catchUp: "latest" }), {
    run: [to],
    record: { newest: to - hour, count: 4, isFailure: false },
  });
  assert.deepEqual(plan("0 * * * *", { to, catchUp: "all", max: 2 }), {
    run: [to - hour, to],
    record: { newest: to - 2 * hour, count: 3, isFailure: true },
  });
  assert.deepEqual(plan("0 * * * *", { to, catchUp: "all", max: 5 }).record, undefined);
});

Deno.test(
  "planMissed() leaves out the repeat of a fixed-time tick, and takes the one after a gap",
  pure,
  () => {
    const autumn = {
      from: Date.UTC(2027, 9, 31, 0, 45),
      to: Date.UTC(2027, 9, 31, 12),
      zone: "Europe/Berlin",
    };
    assert.deepEqual(plan("30 2 * * *", { ...autumn, catchUp: "latest" }), { run: [] });
    const spring = { from: Date.UTC(2027, 2, 28, 0), to: Date.UTC(2027, 2, 28, 12), zone: "Europe/Berlin" };
    assert.deepEqual(plan("30 2 * * *", { ...spring, catchUp: "latest" }), {
      run: [Date.UTC(2027, 2, 28, 1)],
    });
  },
);

Deno.test("planMissed() looks at a bounded number of ticks, however long the absence", pure, () => {
  const to = noon + 20 * 365 * day;
  const began = Date.now();
  const found = plan("* * * * * *", { to, catchUp: "all", max: 3 });
  assert.deepEqual(found.run, [to - 2000, to - 1000, to]);
  assert.equal(found.record?.newest, to - 3000);
  assert.ok(found.record!.count >= mostCounted);
  assert.ok(Date.now() - began < 2000);
});

Deno.test("planMissed() agrees with a plain count", pure, () => {
  const crons = ["* * * * *", "*/7 * * * *", "0 3 * * *", "30 2 * * *", "@every 11m", "0 0 1 * *"];
  fc.assert(
    fc.property(
      fc.constantFrom(...crons),
      fc.constantFrom("UTC", "Europe/Berlin", "America/Havana"),
      fc.nat(400 * day),
      fc.nat(3 * day),
      fc.constantFrom<CatchUp>("latest", "all", "skip"),
      fc.integer({ min: 1, max: 30 }),
      (cron, zoneName, offset, length, catchUp, max) => {
        const from = noon + offset;
        const to = from + length;
        const zone = zoneOf(zoneName);
        const all = [...ticksBetween(parseCron(cron), zone, { from, to, anchor: from })]
          .filter(({ note }) => note !== "repeat").map(({ at }) => at);
        const found = plan(cron, { from, to, catchUp, max, zone: zoneName });
        const wanted = catchUp === "skip" ? 0 : catchUp === "all" ? max : 1;
        const runs = wanted === 0 ? [] : all.slice(-wanted);
        assert.deepEqual(found.run, runs);
        assert.equal(found.record?.count ?? 0, all.length - runs.length);
        assert.equal(found.record?.newest, all[all.length - runs.length - 1]);
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});

Deno.test("upcomingTicks() lists what will only be recorded, nextRunningTick() passes it over", pure, () => {
  const berlin = zoneOf("Europe/Berlin");
  const after = Date.UTC(2027, 9, 31, 0, 45);
  const schedule = parseCron("30 2 * * *");
  assert.deepEqual(
    upcomingTicks(schedule, berlin, { after, anchor: after, count: 2 }).map(({ note }) => note),
    ["repeat", ""],
  );
  assert.equal(nextRunningTick(schedule, berlin, { after, anchor: after }), Date.UTC(2027, 10, 1, 1, 30));
  assert.equal(
    upcomingTicks(parseCron("* * * * *"), utc, { after: noon, anchor: 0, count: 3 }).at(-1)!.at,
    noon + 3 * minute,
  );
});
