import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Fault } from "../../../src/fault.ts";
import { Store } from "../../../src/io/store/store.ts";
import { inFolder } from "../../support/folder.ts";
import { run } from "../../support/units.ts";

Deno.test("Store.backup() is one file that a store opens as closed in order, with all that was stored", () =>
  inFolder(async (folder) => {
    const store = new Store(`${folder}/svc.db`);
    const fingerprint = store.setting("fingerprint", () => "f00d");
    for (let n = 0; n < 500; n++) store.runs.insert(run({ id: `R${n}`, error: "x".repeat(500) }));
    const { size, body } = await store.backup(folder);
    store.runs.insert(run({ id: "later" }));
    const bytes = await new Response(body).bytes();
    store.close();
    assert.equal(bytes.length, size);
    const path = `${folder}/restored.db`;
    Deno.writeFileSync(path, bytes);
    using raw = new DatabaseSync(path);
    assert.equal(raw.prepare("PRAGMA integrity_check").get()?.integrity_check, "ok");
    raw.close();
    const restored = new Store(path);
    assert.equal(restored.unclean, false);
    assert.equal(restored.runs.count({}), 500);
    assert.equal(restored.setting("fingerprint", () => "other"), fingerprint);
    restored.close();
  }));

Deno.test("Store.backup() has nothing by which a run that goes on could be claimed", () =>
  inFolder(async (folder) => {
    const store = new Store(`${folder}/svc.db`);
    store.runs.insert(run({ id: "R1" }));
    store.runs.begin(run({ id: "R1", status: "running", startedAt: 1 }), { nonce: "n1", kept: "{}" });
    const { body } = await store.backup(folder);
    Deno.writeFileSync(`${folder}/copy.db`, await new Response(body).bytes());
    assert.deepEqual(store.runs.active()[0]?.keeping, { nonce: "n1", kept: "{}" });
    store.close();
    const copy = new Store(`${folder}/copy.db`);
    assert.deepEqual(copy.runs.active(), [{ run: run({ id: "R1", status: "running", startedAt: 1 }) }]);
    copy.close();
  }));

Deno.test("Store.backup() leaves no file behind, read or not", () =>
  inFolder(async (folder) => {
    const store = new Store(":memory:");
    const [one, other] = await Promise.all([store.backup(folder), store.backup(folder)]);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await one.body.cancel();
    assert.equal((await new Response(other.body).bytes()).length, other.size);
    store.close();
  }));

Deno.test("Store.backup() says where it could not write", async () => {
  const store = new Store(":memory:");
  await assert.rejects(store.backup("/nowhere/at/all"), (error) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, "internal");
    assert.match(error.message, /"\/nowhere\/at\/all"/);
    return true;
  });
  store.close();
});
