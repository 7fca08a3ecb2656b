import assert from "node:assert/strict";
import {
  blindness,
  findProgram,
  findUserChange,
  missingHelpers,
  ownEnvironment,
  plainEnvironment,
  trustedPath,
} from "../../src/io/programs.ts";
import { runImport } from "../../src/local/import/run_import.ts";
import { askShell } from "../../src/io/ask_shell.ts";
import { lookAtContainers, lookAtGroups } from "../../src/local/doctor/look_machine.ts";
import { system } from "../../src/local/service/manager.ts";
import { inFolder, write } from "../support/folder.ts";
import { Planted } from "../support/planted.ts";

const ignore = Deno.uid() !== 0;
/** What scripts and programs of ours look up. */
const names = [
  "cat",
  "sed",
  "grep",
  "mkdir",
  "dirname",
  "ln",
  "mv",
  "rm",
  "docker",
  "timedatectl",
  "crontab",
];

Deno.test({
  name: "findProgram(), trustedPath() and ownEnvironment() pass over folders that another user could change",
  ignore,
  fn() {
    using planted = new Planted(["cat", "docker"]);
    assert.equal(findProgram("docker", { path: planted.folder, usual: [] }), undefined);
    assert.match(findProgram("cat", { path: planted.path })!, /^\/(?:usr\/)?bin\/cat$/);
    assert.equal(trustedPath(`${planted.folder}:/usr/bin::.:bin`), "/usr/bin");
    assert.equal(trustedPath(planted.folder), "");
    planted.set({ PATH: planted.path, HOME: planted.folder, XDG_RUNTIME_DIR: "/run/user/0" });
    const { PATH, HOME, XDG_RUNTIME_DIR } = ownEnvironment();
    assert.equal(PATH!.includes(planted.folder), false);
    assert.match(PATH!, /(?:^|:)\/usr\/bin(?::|$)/);
    assert.equal(HOME, undefined, "settings and plugins in it would be the other user's");
    assert.equal(XDG_RUNTIME_DIR, "/run/user/0");
  },
});

Deno.test({
  name: "doctor, import and the service commands start nothing out of a folder of another user's",
  ignore,
  async fn() {
    using planted = new Planted(names);
    await inFolder(async (folder) => {
      write(`${folder}/svc.toml`, "");
      write(`${folder}/Procfile`, "web: true\n");
      planted.set({ PATH: planted.path });
      const order = { kind: "procfile", files: [`${folder}/Procfile`], system: false, write: true };
      const { written } = await runImport({ config: `${folder}/svc.toml` }, order);
      assert.match(Deno.readTextFileSync(written!.path), /\[services\.web\]/);
      const [path] = await askShell('echo "$PATH"; cat /dev/null; mkdir -p /');
      const his = planted.path.split(":")[0]!;
      assert.ok(!path!.split(":").includes(his), `${his} is in ${path}`);
      await lookAtGroups(undefined, { pid: undefined, daemonHas: undefined });
      await lookAtContainers();
      assert.equal((await system(["/bin/sh", "-c", "echo hi | cat"])).stdout, "hi");
    });
    assert.deepEqual(planted.started(), []);
  },
});

Deno.test("plainEnvironment looks helpers up in the usual folders first, and then where nobody else could put them", () => {
  const folders = plainEnvironment["PATH"]!.split(":");
  assert.deepEqual(folders.slice(0, 4), ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]);
  for (const folder of folders) assert.ok(folder.startsWith("/"), folder);
  assert.deepEqual(Object.keys({ ...plainEnvironment }), ["PATH", "LC_ALL"]);
});

Deno.test("findUserChange() passes over a setpriv that knows no users, as busybox's, and says so", async () => {
  await inFolder((folder) => {
    const busybox = `${folder}/busybox`, own = `${folder}/util-linux`;
    const refuses = 'case $1 in -[dn]*|--help) ;; *) echo "setpriv: unrecognized option" >&2; exit 1 ;; esac';
    Deno.writeTextFileSync(busybox, `#!/bin/sh\n${refuses}\n`, { mode: 0o755 });
    Deno.writeTextFileSync(own, '#!/bin/sh\n[ "$4" = --help ]\n', { mode: 0o755 });
    assert.deepEqual(findUserChange([busybox, own]), { path: own });
    assert.match(
      findUserChange([busybox]).why!,
      /busybox" knows no users .*: install setpriv of util-linux$/,
    );
    assert.match(findUserChange([]).why!, /^setpriv is missing, .*: install util-linux$/);
    assert.match(findUserChange([`${folder}/none`]).why!, /knows no users/);
  });
});

Deno.test("missingHelpers() says what is lost with each program that isn't there", () => {
  const change = () => ({ why: "setpriv is missing" });
  const all = { users: false, found: () => "/bin/x", change };
  assert.deepEqual(missingHelpers(all), [], "nobody needs what changes to users");
  assert.deepEqual(missingHelpers({ ...all, users: true }), [
    'no unit with a "user" can start: setpriv is missing',
  ]);
  const without = (...names: string[]) => (name: string) => names.includes(name) ? undefined : `/bin/${name}`;
  assert.deepEqual(missingHelpers({ ...all, found: without("df", "grep") }), [
    `"grep" is not in PATH: what runs leave behind can't be found, nor what an earlier daemon left`,
    `"df" is not in PATH: min_free_space is not held`,
  ]);
  assert.equal(blindness(without("df")), undefined);
  assert.equal(blindness(without("grep", "sleep")), 'there is no "grep", no "sleep" in PATH');
});
