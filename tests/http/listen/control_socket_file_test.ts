import assert from "node:assert/strict";
import { ControlSocketFile } from "../../../src/http/listen/control_socket_file.ts";

function site(): { folder: string; file: ControlSocketFile; told: string[]; path: string; keptAs: string } {
  const folder = Deno.makeTempDirSync({ prefix: "svc-socket-" });
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  Deno.mkdirSync(`${folder}/run`);
  const [path, keptAs] = [`${folder}/run/svc.sock`, `${folder}/kept`];
  return {
    folder,
    told,
    path,
    keptAs,
    file: new ControlSocketFile({ path, keptAs, log: { info: tell, warn: tell, error: tell } }),
  };
}

/** Whether a client that comes by the path reaches the listener. */
async function reaches(path: string, listener: Deno.Listener): Promise<boolean> {
  const [client, accepted] = await Promise.all([
    Deno.connect({ transport: "unix", path }),
    listener.accept(),
  ]);
  client.close();
  accepted.close();
  return true;
}

Deno.test("ControlSocketFile is for its user alone, and leaves nothing else beside it", () => {
  const { folder, file, path } = site();
  const before = Deno.umask(0);
  try {
    const listener = file.listen();
    assert.equal(Deno.lstatSync(path).mode! & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(`${folder}/run`)].map(({ name }) => name), ["svc.sock"]);
    file.close();
    listener.close();
  } finally {
    Deno.umask(before);
  }
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("ControlSocketFile.look() puts a file back that was removed, its folder too", async () => {
  const { folder, file, path, told } = site();
  const listener = file.listen();
  file.look();
  assert.deepEqual(told, []);
  Deno.removeSync(`${folder}/run`, { recursive: true });
  file.look();
  assert.match(told[0]!, /was put back/);
  assert.ok(await reaches(path, listener));
  file.close();
  listener.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("ControlSocketFile.look() leaves alone what others have put there", () => {
  const { folder, file, path, told } = site();
  const listener = file.listen();
  Deno.removeSync(path);
  Deno.writeTextFileSync(path, "mine");
  file.look();
  assert.equal(Deno.readTextFileSync(path), "mine");
  assert.deepEqual(told, []);
  file.close();
  listener.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("ControlSocketFile.look() tells once that there is nothing to put back", () => {
  const { folder, file, path, keptAs, told } = site();
  const listener = file.listen();
  Deno.removeSync(path);
  Deno.removeSync(keptAs);
  file.look();
  file.look();
  assert.equal(told.length, 1);
  assert.match(told[0]!, /can't be put back/);
  file.close();
  listener.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("ControlSocketFile.listen() replaces files that a dead daemon left", () => {
  const { folder, file, path, keptAs } = site();
  file.listen().close();
  assert.ok(Deno.lstatSync(keptAs).isSocket);
  const listener = file.listen();
  assert.ok(Deno.lstatSync(path).isSocket);
  file.close();
  listener.close();
  Deno.removeSync(folder, { recursive: true });
});
