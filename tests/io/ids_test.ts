import assert from "node:assert/strict";
import { timeOfUlid, ulidSource } from "../../src/io/ids.ts";
import { noon } from "../support/units.ts";

Deno.test("ulidSource() makes ids that only go up: in one millisecond, and when the clock goes back", () => {
  let now = noon;
  const next = ulidSource(() => now);
  const ids: string[] = [];
  for (let i = 0; i < 5000; i++) {
    if (i === 2000) now -= 60_000;
    if (i === 4000) now += 120_000;
    ids.push(next());
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids, [...ids].sort());
  for (const id of ids) assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

Deno.test("timeOfUlid() reads the time of an id, and nothing from other texts", () => {
  assert.equal(timeOfUlid(ulidSource(() => noon)()), noon);
  for (const text of ["", "R1", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "01JABCDEFGHJKMNPQRSTVWXYZu", "x".repeat(26)]) {
    assert.equal(timeOfUlid(text), undefined, text);
  }
});
