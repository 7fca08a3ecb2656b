import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../../src/io/store/migrations.ts";
import { Store } from "../../../src/io/store/store.ts";
import { readyForTrial } from "../../../src/io/store/upgrade_copy.ts";
import { run } from "../../support/units.ts";

const known = migrations.length;

/** A folder, and the paths of a database and of its copies in it. */
class Folder implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "svc-upgrade-" });
  readonly db = `${this.path}/svc.db`;
  readonly places = { copy: `${this.path}/copy`, failed: `${this.path}/failed` };

  make(path: string, schema: number, runs: readonly string[] = []): void {
    const store = new Store(path);
    for (const id of runs) store.runs.insert(run({ id, unit: "t", status: "running" }));
    store.close();
    using db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${schema}`);
  }

  schema(path: string): number {
    using db = new DatabaseSync(path);
    return Number(db.prepare("PRAGMA user_version").get()?.user_version);
  }

  runs(path: string): string[] {
    using db = new DatabaseSync(path);
    return db.prepare("SELECT id FROM runs").all().map(({ id }) => String(id));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

Deno.test("Store.copyTo() copies all of a database in use, replaces what was there, and is for its owner alone", async () => {
  using folder = new Folder();
  const store = new Store(folder.db);
  store.runs.insert(run({ id: "R1", unit: "t", status: "pending" }));
  store.runs.begin(run({ id: "R1", unit: "t", status: "running" }), { nonce: "n1", kept: "k1" });
  await Deno.writeTextFile(folder.places.copy, "another");
  await store.copyTo(folder.places.copy);
  store.close();
  using db = new DatabaseSync(folder.places.copy);
  assert.deepEqual({ ...db.prepare("SELECT id, nonce, kept FROM runs").get() }, {
    id: "R1",
    nonce: "n1",
    kept: "k1",
  });
  assert.equal(Deno.statSync(folder.places.copy).mode! & 0o777, 0o600);
});

Deno.test("Store.copyTo() says what is in its way, and leaves nothing", async () => {
  using folder = new Folder();
  const store = new Store(folder.db);
  await Deno.mkdir(`${folder.path}/there`);
  await assert.rejects(store.copyTo(`${folder.path}/there`), /make room there; nothing was changed/);
  await assert.rejects(store.copyTo(`${folder.path}/no/such`), /cannot copy the database to/);
  assert.throws(() => Deno.statSync(`${folder.path}/there.new`), Deno.errors.NotFound);
  store.close();
});

Deno.test("readyForTrial() copies an older database before it is migrated, and leaves one of today alone", async () => {
  using folder = new Folder();
  assert.equal(await readyForTrial(folder.db, folder.places), "nothing");
  folder.make(folder.db, known, ["R1"]);
  assert.equal(await readyForTrial(folder.db, folder.places), "nothing");
  folder.make(folder.db, known - 1);
  assert.equal(await readyForTrial(folder.db, folder.places), "copied");
  assert.deepEqual([folder.schema(folder.places.copy), folder.runs(folder.places.copy)], [known - 1, ["R1"]]);
});

Deno.test("readyForTrial() puts the copy back where a newer program has migrated the database", async () => {
  using folder = new Folder();
  folder.make(folder.db, known + 1, ["R1", "R2"]);
  assert.equal(await readyForTrial(folder.db, folder.places), "nothing", "there is no copy");
  folder.make(folder.places.copy, known + 1, []);
  assert.equal(await readyForTrial(folder.db, folder.places), "nothing", "the copy is no older");
  Deno.removeSync(folder.places.copy);
  folder.make(folder.places.copy, known, ["R1"]);
  await Deno.writeTextFile(folder.places.failed, "of an upgrade before");
  assert.equal(await readyForTrial(folder.db, folder.places), "put back");
  assert.deepEqual([folder.schema(folder.db), folder.runs(folder.db)], [known, ["R1"]]);
  assert.deepEqual(folder.runs(folder.places.failed), ["R1", "R2"]);
  new Store(folder.db).close();
});
