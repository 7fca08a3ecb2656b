import assert from "node:assert/strict";
import { Connection } from "../../../src/io/store/connection.ts";

Deno.test("Connection prepares a statement once, and as many anew as it does not keep", () => {
  using db = new Connection(":memory:");
  const first = db.prepare("SELECT 0 AS n");
  assert.equal(db.prepare("SELECT 0 AS n"), first);
  for (let n = 1; n < 200; n++) db.prepare(`SELECT ${n} AS n`);
  assert.equal(db.prepare("SELECT 0 AS n"), first);
  const second = db.prepare("SELECT 1 AS n");
  for (let n = 200; n < 399; n++) db.prepare(`SELECT ${n} AS n`);
  assert.equal(db.prepare("SELECT 1 AS n"), second, "what was used last is kept");
  assert.notEqual(db.prepare("SELECT 0 AS n"), first);
  assert.deepEqual({ ...first.get() }, { n: 0 }, "whoever still has it may use it");
});

Deno.test("Connection keeps no statement that is faulty, and none once it is closed", () => {
  const db = new Connection(":memory:");
  assert.throws(() => db.prepare("SELEC 1"), /syntax error/);
  assert.throws(() => db.prepare("SELEC 1"), /syntax error/);
  db.prepare("SELECT 1");
  db.close();
  assert.throws(() => db.prepare("SELECT 1"), /not open/);
});
