import assert from "node:assert/strict";
import { isTimeZone, offsetAt, zoneOf } from "../../../src/core/cron/zone.ts";

const everyZone = Intl.supportedValuesOf("timeZone").filter(isTimeZone);

Deno.test("isTimeZone() knows IANA names in any case", { permissions: "none" }, () => {
  for (
    const name of [
      "Europe/Berlin",
      "europe/BERLIN",
      "UTC",
      "utc",
      "Etc/GMT+5",
      "US/Eastern",
      "EST",
      "Asia/Calcutta",
    ]
  ) {
    assert.equal(isTimeZone(name), true, name);
  }
});

Deno.test("isTimeZone() refuses offsets, ISO texts and invented names", { permissions: "none" }, () => {
  const names = [
    "",
    " ",
    "+02:00",
    "-0530",
    "+02",
    "Z",
    "T12+02",
    "2027-01-01[Europe/Berlin]",
    "Europe/Berlin ",
    "Mars/Olympus",
    "local",
  ];
  for (const name of names) {
    assert.equal(isTimeZone(name), false, name);
    assert.throws(() => zoneOf(name), new RangeError(`time zone ${JSON.stringify(name)} is unknown`));
  }
});

Deno.test("zoneOf() gives one object per zone, under its canonical name", { permissions: "none" }, () => {
  assert.equal(zoneOf("europe/berlin"), zoneOf("Europe/Berlin"));
  assert.equal(zoneOf("EUROPE/BERLIN").name, "Europe/Berlin");
});

Deno.test("zoneOf() agrees with Temporal on the offset of every zone", { permissions: "none" }, () => {
  assert.ok(everyZone.length > 300);
  let at = Date.UTC(1840, 0, 1, 3, 7, 11);
  for (let i = 0; i < 20_000; i++) {
    // A stride that wanders through hours, seasons and zones alike, back to the beginning at 2200.
    at += 91 * 86_400_000 + 5 * 3_600_000 + 1_234_567;
    if (at > Date.UTC(2200, 0)) at -= Date.UTC(2200, 0) - Date.UTC(1840, 0);
    const name = everyZone[i % everyZone.length] ?? "UTC";
    const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).offsetNanoseconds /
      1e6;
    assert.equal(offsetAt(zoneOf(name), at), expected, `${name} at ${new Date(at).toISOString()}`);
  }
});

Deno.test("zoneOf() is exact to the second on both sides of every change", { permissions: "none" }, () => {
  for (const name of everyZone) {
    const zone = zoneOf(name);
    zone.periodAt(Date.UTC(2040, 0) / 1000);
    for (const start of zone.starts.slice(1)) {
      for (const at of [start * 1000 - 1, start * 1000]) {
        const expected =
          Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).offsetNanoseconds / 1e6;
        assert.equal(offsetAt(zone, at), expected, `${name} at ${at}`);
      }
    }
  }
});

Deno.test("zoneOf() has no zone whose local times repeat, or are lost, but across neighbouring periods", {
  permissions: "none",
}, () => {
  for (const name of everyZone) {
    const zone = zoneOf(name);
    zone.periodAt(Date.UTC(2040, 0) / 1000);
    const { starts, offsets } = zone;
    for (let i = 1; i < starts.length; i++) {
      const [start = 0, former = 0, offset = 0] = [starts[i], offsets[i - 1], offsets[i]];
      // The step of the clock is shorter than the periods beside it.
      const step = Math.abs(offset - former);
      assert.ok(
        start - (starts[i - 1] ?? 0) > step && (starts[i + 1] ?? Infinity) - start > step,
        `${name} at ${start}`,
      );
    }
  }
});

Deno.test("periodAt() gives the same answers in any order of questions", { permissions: "none" }, () => {
  const zone = zoneOf("America/Chicago");
  const seconds = Array.from(
    { length: 500 },
    (_, i) => Date.UTC(1900 + (i * 37) % 250, i % 12, 1 + i % 28) / 1000,
  );
  const first = seconds.map((second) => zone.offsets[zone.periodAt(second)]);
  const again = seconds.toReversed().map((second) => zone.offsets[zone.periodAt(second)]).reverse();
  assert.deepEqual(again, first);
  for (const second of seconds) {
    const period = zone.periodAt(second);
    assert.ok((zone.starts[period] ?? NaN) <= second && second < (zone.starts[period + 1] ?? Infinity));
  }
});
