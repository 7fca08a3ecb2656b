import assert from "node:assert/strict";
import { acceptPause, acceptTrouble } from "../../../src/core/listen/accept_pause.ts";

Deno.test("acceptPause() doubles from 5 ms to a second", { permissions: "none" }, () => {
  assert.deepEqual([1, 2, 3, 8, 9, 1000].map(acceptPause), [5, 10, 20, 640, 1000, 1000]);
});

Deno.test(
  "acceptTrouble() tells a full table of files from a listener that is gone",
  { permissions: "none" },
  () => {
    const named = (name: string): Error => Object.assign(new Error("x"), { name });
    assert.equal(acceptTrouble(Object.assign(new Error("x"), { code: "EMFILE" })), "full");
    assert.equal(acceptTrouble(new Error("Too many open files in system (os error 23)")), "full");
    assert.equal(acceptTrouble(named("BadResource")), "ended");
    assert.equal(acceptTrouble(named("ConnectionAborted")), "other");
    assert.equal(acceptTrouble("nothing that anybody knows"), "other");
  },
);
