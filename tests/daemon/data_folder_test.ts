import assert from "node:assert/strict";
import { lockDataFolder, lookAtSocketPlace, prepareFile } from "../../src/daemon/data_folder.ts";
import { FolderWatch } from "../../src/daemon/folder_watch.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { faultOf, inFolder } from "../support/folder.ts";

Deno.test("lockDataFolder() gives a folder that is released though a file of its can't be removed", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/data`;
    const first = lockDataFolder(path);
    // Stands in for a disk that has turned read-only: this can't be removed either.
    await Deno.mkdir(`${path}/daemon.json/in_the_way`, { recursive: true });
    first.release();
    lockDataFolder(path).release();
  });
});

Deno.test("lockDataFolder() gives a folder that is no longer held once it was replaced, and leaves the other alone", () =>
  inFolder((folder) => {
    const path = `${folder}/data`;
    const first = lockDataFolder(path);
    assert.ok(first.isHeld());
    Deno.renameSync(path, `${folder}/away`);
    assert.ok(!first.isHeld());
    // Another daemon takes the place: it keeps its files, and so its lock, when the first one ends.
    const second = lockDataFolder(path);
    Deno.writeTextFileSync(`${path}/daemon.json`, "{}");
    assert.ok(!first.isHeld() && second.isHeld());
    first.release();
    assert.ok(second.isHeld());
    assert.equal(Deno.readTextFileSync(`${path}/daemon.json`), "{}");
    assert.equal(faultOf(() => lockDataFolder(path)).code, "conflict");
    second.release();
  }));

Deno.test("FolderWatch says once that the folder is gone, and when it is back", () =>
  inFolder(async (folder) => {
    const path = `${folder}/data`;
    const data = lockDataFolder(path);
    const clock = new FakeClock(0);
    const said: string[] = [];
    const log = {
      error: (message: string) => void said.push(`error ${message}`),
      info: (message: string) => void said.push(`info ${message}`),
    };
    const watch = new FolderWatch(clock, { folder: data, log });
    watch.start();
    await clock.advance(10_000);
    assert.deepEqual(said, []);
    Deno.renameSync(path, `${folder}/away`);
    await clock.advance(10_000);
    assert.equal(said.length, 1);
    assert.match(said[0]!, /^error the data folder, or daemon\.pid in it, has been removed or replaced/);
    Deno.renameSync(`${folder}/away`, path);
    await clock.advance(2_000);
    assert.deepEqual(said.slice(1), ["info the data folder is back"]);
    watch.close();
    Deno.removeSync(`${path}/daemon.pid`);
    await clock.advance(10_000);
    assert.equal(said.length, 2);
    data.release();
  }));

Deno.test("prepareFile() refuses what can't be written before anything is replaced", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/daemon.json`;
    prepareFile(path, "old")();
    const put = prepareFile(path, "new");
    assert.equal(await Deno.readTextFile(path), "old");
    put();
    assert.equal(await Deno.readTextFile(path), "new");
    const fault = faultOf(() => prepareFile(`${folder}/nowhere/daemon.json`, "x"));
    assert.match(fault.message, /cannot write ".*nowhere\/daemon\.json"/);
  });
});

Deno.test("lockDataFolder() refuses links in the place of its files, and says which", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/precious`, "precious");
    for (
      const name of ["daemon.json", "daemon.json.new", "daemon.pid", "notes/groups", "svc.db", "svc.sock"]
    ) {
      const path = `${folder}/data`;
      Deno.mkdirSync(`${path}/notes`, { recursive: true });
      Deno.symlinkSync(`${folder}/precious`, `${path}/${name}`);
      const fault = faultOf(() => lockDataFolder(path));
      assert.equal(fault.code, "forbidden");
      assert.match(fault.message, new RegExp(`data/${name}" is a link; remove it, or `));
      assert.equal(Deno.readTextFileSync(`${folder}/precious`), "precious");
      Deno.removeSync(path, { recursive: true });
    }
  }));

Deno.test({
  name:
    "lookAtSocketPlace() as root refuses a place of another user's by a variable, and tells of it by a flag",
  ignore: Deno.uid() !== 0,
  async fn() {
    await inFolder((folder) => {
      Deno.chownSync(folder, 12345, 12345);
      const told: string[] = [];
      const socketPath = `${folder}/svc.sock`;
      const warn = (sentence: string): void => void told.push(sentence);
      const look = (socketNamedBy: "--socket" | "SVC_SOCKET", uid = 0): void =>
        lookAtSocketPlace({ socketPath, socketNamedBy }, {
          warn: (sentence) => void told.push(sentence),
          uid,
        });
      const { code, message } = faultOf(() => look("SVC_SOCKET"));
      assert.equal(code, "forbidden");
      assert.match(
        message,
        /^cannot use control socket ".*" \(SVC_SOCKET\): user 12345 owns ".*", which leads to it; name /,
      );
      assert.equal(told.length, 0);
      look("--socket");
      look("SVC_SOCKET", 12346);
      assert.equal(told.length, 2);
      assert.match(
        told[0]!,
        /^others may put another in the place of control socket ".*" \(--socket\): user 12345 owns /,
      );
      look("SVC_SOCKET", 12345);
      lookAtSocketPlace({ socketPath }, { warn, uid: 0 });
      assert.equal(told.length, 2, "his own, and one that nobody named");
    });
  },
});
