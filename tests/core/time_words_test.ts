import assert from "node:assert/strict";
import {
  durationWords,
  fullTime,
  relativeTime,
  roughWords,
  timeWords,
  utcTime,
  zonedTime,
} from "../../src/core/time_words.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2027, 2, 28, 12);

Deno.test("durationWords() shows the two largest units", { permissions: "none" }, () => {
  const said: [ms: number, text: string][] = [
    [0, "0 ms"],
    [320, "320 ms"],
    [1200, "1.2 s"],
    [9949, "9.9 s"],
    [9960, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 m 00 s"],
    [4 * minute + 7 * second, "4 m 07 s"],
    [59 * minute + 59_900, "1 h 00 m"],
    [2 * hour + 3 * minute, "2 h 03 m"],
    [3 * day + 4 * hour, "3 d 04 h"],
    [-5, "0 ms"],
  ];
  for (const [ms, text] of said) assert.equal(durationWords(ms), text);
});

Deno.test("roughWords() shows the largest unit alone", { permissions: "none" }, () => {
  const said: [ms: number, text: string][] = [
    [999, "0 s"],
    [59_999, "59 s"],
    [4 * minute, "4 m"],
    [23 * hour, "23 h"],
    [60 * day, "60 d"],
    [125 * day, "4 months"],
    [800 * day, "2 years"],
  ];
  for (const [ms, text] of said) assert.equal(roughWords(ms), text);
});

Deno.test("relativeTime() looks back and ahead", { permissions: "none" }, () => {
  assert.equal(relativeTime(now, now), "just now");
  assert.equal(relativeTime(now - 4 * minute, now), "4 m ago");
  assert.equal(relativeTime(now - 9 * hour - 59 * minute, now), "9 h ago");
  assert.equal(relativeTime(now + 500, now), "now");
  assert.equal(relativeTime(now + 2 * hour + 10 * minute, now), "in 2 h 10 m");
  assert.equal(relativeTime(now + 2 * hour, now), "in 2 h");
  assert.equal(relativeTime(now + 19 * hour + 30 * minute, now), "in 19 h");
});

Deno.test("timeWords() is exact beyond a day, and always with utc", { permissions: "none" }, () => {
  const style = { now, timezone: "Europe/Berlin" };
  assert.equal(timeWords(now - day + 1, style), "23 h ago");
  assert.equal(timeWords(now - day, style), "2027-03-27 13:00");
  assert.equal(timeWords(now - minute, { ...style, utc: true }), "2027-03-28T11:59:00Z");
  assert.equal(utcTime(now + 1), "2027-03-28T12:00:00Z");
});

Deno.test("fullTime() names the zone as its people do, else by offset", { permissions: "none" }, () => {
  const at = Date.UTC(2027, 2, 28, 1);
  assert.equal(fullTime(at, "Europe/Berlin"), "Sun 2027-03-28 03:00:00 CEST");
  assert.equal(fullTime(at - 1000, "Europe/Berlin"), "Sun 2027-03-28 01:59:59 CET");
  assert.equal(fullTime(at, "America/New_York"), "Sat 2027-03-27 21:00:00 EDT");
  assert.equal(fullTime(at, "Asia/Kathmandu"), "Sun 2027-03-28 06:45:00 +05:45");
  assert.equal(fullTime(at, "UTC"), "Sun 2027-03-28 01:00:00 UTC");
  assert.equal(zonedTime(at, "Asia/Tokyo"), "2027-03-28 10:00:00");
});
