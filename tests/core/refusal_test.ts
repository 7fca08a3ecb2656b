import assert from "node:assert/strict";
import { refusalOf } from "../../src/core/refusal.ts";

function sqliteError(message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR" });
}

Deno.test(
  "refusalOf() knows a disk or a lock that keeps the database from storing",
  { permissions: "none" },
  () => {
    assert.equal(refusalOf(sqliteError("database or disk is full")), "database or disk is full");
    assert.equal(refusalOf(sqliteError("database is locked")), "database is locked");
  },
);

Deno.test("refusalOf() leaves errors of the program alone", { permissions: "none" }, () => {
  assert.equal(refusalOf(sqliteError("UNIQUE constraint failed: runs.id")), undefined);
  assert.equal(refusalOf(new Error("database is locked")), undefined);
  assert.equal(refusalOf("database is locked"), undefined);
});
