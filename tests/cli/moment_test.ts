import assert from "node:assert/strict";
import { UsageError } from "../../src/cli/failures.ts";
import { parseMoment } from "../../src/cli/moment.ts";

const now = Date.UTC(2027, 2, 28, 12);
const past = { flag: "--since", now, timezone: "Europe/Berlin", isPast: true };

Deno.test("parseMoment() reads durations back from now, times, and dates on the wall", {
  permissions: "none",
}, () => {
  assert.equal(parseMoment("10m", past), now - 600_000);
  assert.equal(parseMoment("2027-03-28T01:00:00Z", past), Date.UTC(2027, 2, 28, 1));
  assert.equal(parseMoment("2027-03-28T03:00:00.5+02:00", past), Date.UTC(2027, 2, 28, 1) + 500);
  assert.equal(parseMoment("2027-03-27", past), Date.UTC(2027, 2, 26, 23));
  assert.equal(parseMoment("2027-03-28 14:00", past), Date.UTC(2027, 2, 28, 12));
});

Deno.test("parseMoment() refuses what is no time, by the name of its flag", { permissions: "none" }, () => {
  for (const text of ["", "yesterday", "2027-02-30", "2027-13-01T00:00:00Z", "5 x", "-5m", "20270328"]) {
    assert.throws(
      () => parseMoment(text, past),
      (error) => error instanceof UsageError && error.message.startsWith(`--since is "${text}"`),
      text,
    );
  }
  assert.throws(() => parseMoment("10m", { ...past, isPast: false }), UsageError);
});
