import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../../src/io/store/database.ts";
import { migrations } from "../../../src/io/store/migrations.ts";
import { Store } from "../../../src/io/store/store.ts";
import { run } from "../../support/units.ts";

/** A folder that goes when the test ends. */
function folder(): { path: string; [Symbol.dispose](): void } {
  const path = Deno.makeTempDirSync({ prefix: "svc-store-" });
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

Deno.test("openDatabase() makes a database from nothing, in WAL and with this version's schema", () => {
  using dir = folder();
  const { db, unclean, close } = openDatabase(`${dir.path}/svc.db`);
  assert.equal(unclean, false);
  assert.equal(db.prepare("PRAGMA user_version").get()?.user_version, migrations.length);
  assert.equal(db.prepare("PRAGMA journal_mode").get()?.journal_mode, "wal");
  assert.equal(db.prepare("PRAGMA synchronous").get()?.synchronous, 1);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all().map(({ name }) =>
    name
  );
  for (const table of ["meta", "runs", "schedules", "retries"]) assert.ok(tables.includes(table), table);
  close();
});

Deno.test("openDatabase() brings a database of every earlier version up to date", () => {
  using dir = folder();
  for (let version = 0; version <= migrations.length; version++) {
    const path = `${dir.path}/v${version}.db`;
    const old = new DatabaseSync(path);
    for (const migration of migrations.slice(0, version)) old.exec(migration);
    old.exec(`PRAGMA user_version = ${version}`);
    old.close();
    const store = new Store(path);
    store.runs.insert(run({ id: "R1" }));
    assert.equal(store.runs.get("R1")?.unit, "t");
    store.close();
  }
});

Deno.test("openDatabase() refuses a database of a newer version and leaves it untouched", () => {
  using dir = folder();
  const path = `${dir.path}/svc.db`;
  const newer = new DatabaseSync(path);
  newer.exec(`CREATE TABLE future (x); PRAGMA user_version = ${migrations.length + 1}`);
  newer.close();
  const before = Deno.readFileSync(path);
  assert.throws(() => openDatabase(path), { code: "conflict", message: /newer svc/ });
  assert.deepEqual(Deno.readFileSync(path), before);
  assert.deepEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["svc.db"]);
});

Deno.test("openDatabase() notices that the last user did not close it, once", () => {
  using dir = folder();
  const path = `${dir.path}/svc.db`;
  const first = openDatabase(path);
  first.db.close(); // not by `close`
  const second = openDatabase(path);
  assert.equal(second.unclean, true);
  second.close();
  const third = openDatabase(path);
  assert.equal(third.unclean, false);
  third.close();
});

Deno.test("openDatabase() checks after an unclean end and refuses a damaged database, with a way out", () => {
  using dir = folder();
  const path = `${dir.path}/svc.db`;
  const { db } = openDatabase(path);
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?)");
  for (let i = 0; i < 2000; i++) insert.run(`key ${i}`, "x".repeat(100));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = Deno.readFileSync(path);
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 8192);
  Deno.writeFileSync(path, bytes);
  assert.throws(() => openDatabase(path), { code: "internal", message: /damaged|malformed/ });
});

Deno.test("openDatabase() refuses what is no database, and a folder that is not there", () => {
  using dir = folder();
  Deno.writeTextFileSync(
    `${dir.path}/text.db`,
    "this is no database, it is a text of some length\n".repeat(100),
  );
  for (const path of [`${dir.path}/text.db`, `${dir.path}/none/svc.db`]) {
    assert.throws(() => openDatabase(path), {
      code: "internal",
      message: new RegExp(`cannot open database "${path}"`),
    });
  }
});

Deno.test("Store.transaction() stores all or nothing, and nested calls join in", () => {
  const store = new Store(":memory:");
  const fails = () =>
    store.transaction(() => {
      store.runs.insert(run({ id: "R1" }));
      store.transaction(() => store.runs.insert(run({ id: "R2" })));
      throw new RangeError("no");
    });
  assert.throws(fails, { message: "no" });
  assert.equal(store.runs.count({}), 0);
  assert.equal(store.transaction(() => (store.runs.insert(run({ id: "R3" })), 7)), 7);
  assert.equal(store.runs.count({}), 1);
  assert.throws(() => store.transaction(() => store.runs.insert(run({ id: "R3" }))));
  store.runs.insert(run({ id: "R4" }));
  assert.equal(store.runs.count({}), 2);
  store.close();
});

Deno.test("Store.setting() makes a value once and keeps it over restarts", () => {
  using dir = folder();
  const read = (value: string): string => {
    const store = new Store(`${dir.path}/svc.db`);
    try {
      return store.setting("fingerprint", () => value);
    } finally {
      store.close();
    }
  };
  assert.equal(read("one"), "one");
  assert.equal(read("two"), "one");
});
