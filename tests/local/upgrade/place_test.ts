import assert from "node:assert/strict";
import { findProgram } from "../../../src/local/upgrade/place.ts";
import { swapBack, swapProgram } from "../../../src/local/upgrade/swap.ts";

/** A data folder that says by which program its daemon was started. */
class Folder implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "svc-place-" });
  readonly program = `${this.path}/bin/svc`;

  constructor() {
    Deno.mkdirSync(`${this.path}/bin`);
    Deno.writeTextFileSync(this.program, "old\n");
    Deno.chmodSync(this.program, 0o751);
  }

  says(record: unknown): void {
    Deno.writeTextFileSync(`${this.path}/daemon.json`, JSON.stringify(record));
  }

  read(name: string): string {
    return Deno.readTextFileSync(`${this.path}/bin/${name}`);
  }

  names(): string[] {
    return Array.from(Deno.readDirSync(`${this.path}/bin`), ({ name }) => name).sort();
  }

  [Symbol.dispose](): void {
    Deno.chmodSync(`${this.path}/bin`, 0o755);
    Deno.removeSync(this.path, { recursive: true });
  }
}

Deno.test("findProgram() finds the program of a daemon, behind a link too", async () => {
  using folder = new Folder();
  Deno.symlinkSync(folder.program, `${folder.path}/link`);
  folder.says({ started_by: { program: `${folder.path}/link`, words: ["daemon", "--port", "1"] } });
  assert.deepEqual(await findProgram(folder.path), {
    path: Deno.realPathSync(folder.program),
    words: ["daemon", "--port", "1"],
  });
});

Deno.test("findProgram() says why a program can't be replaced", async () => {
  using folder = new Folder();
  folder.says({ started_by: { program: null, words: [] } });
  await assert.rejects(findProgram(folder.path), /the daemon runs from source, not as one file/);
  folder.says({ started_by: { program: `${folder.path}/gone`, words: [] } });
  await assert.rejects(findProgram(folder.path), /is not there any more .*; put the new one there/);
  folder.says({ pid: 1 });
  await assert.rejects(findProgram(folder.path), /does not say; replace the program by hand/);
  Deno.removeSync(`${folder.path}/daemon.json`);
  await assert.rejects(findProgram(folder.path), /how the daemon was started can't be told/);
});

const isPackaged = await new Deno.Command("/bin/sh", {
  args: ["-c", "dpkg -S /usr/bin/env"],
  stdout: "null",
  stderr: "null",
}).output();

Deno.test({
  name: "findProgram() leaves programs of packages to the manager of packages",
  ignore: !isPackaged.success,
  async fn() {
    using folder = new Folder();
    folder.says({ started_by: { program: "/usr/bin/env", words: [] } });
    await assert.rejects(
      findProgram(folder.path),
      /"\/usr\/bin\/env" is of the package "coreutils"; upgrade that: apt-get install --only-upgrade coreutils/,
    );
  },
});

// In a container root may mount nothing.
const mayShut = Deno.uid() !== 0 ||
  new Deno.Command("unshare", { args: ["-m", "true"] }).outputSync().success;

Deno.test(
  "findProgram() says where a program can't be replaced for want of rights",
  { ignore: !mayShut },
  async () => {
    using folder = new Folder();
    folder.says({ started_by: { program: folder.program, words: [] } });
    const bin = `${folder.path}/bin`;
    // Root may write whatever the modes say, but to nothing that is mounted for reading alone.
    const isRoot = Deno.uid() === 0;
    if (isRoot) mount("mount", "--bind", bin, bin);
    try {
      if (isRoot) mount("mount", "-o", "remount,ro,bind", bin);
      else Deno.chmodSync(bin, 0o555);
      await assert.rejects(
        findProgram(folder.path),
        /bin", where the program of the daemon is, can't be written/,
      );
    } finally {
      if (isRoot) mount("umount", bin);
    }
  },
);

function mount(program: string, ...args: string[]): void {
  const { code, stderr } = new Deno.Command(program, { args }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}

Deno.test("swapProgram() replaces a program with its mode, keeps the one before, and swapBack() brings that back", async () => {
  using folder = new Folder();
  for (const name of ["new", "newer"]) {
    const file = `${folder.path}/${name}`;
    Deno.writeTextFileSync(file, `${name}\n`);
    const before = folder.read("svc");
    const inode = Deno.statSync(folder.program).ino;
    await swapProgram(folder.program, file);
    assert.deepEqual([folder.read("svc"), folder.read("svc.before-upgrade")], [`${name}\n`, before]);
    assert.notEqual(Deno.statSync(folder.program).ino, inode, "who executes the one before is not disturbed");
    assert.equal(Deno.statSync(folder.program).mode! & 0o777, 0o751);
  }
  await swapBack(folder.program);
  assert.equal(folder.read("svc"), "new\n");
  assert.deepEqual(folder.names(), ["svc"]);
  await assert.rejects(
    swapBack(folder.program),
    /cannot put the program before back: .*; do it by hand: mv /,
  );
});

Deno.test("swapProgram() that fails leaves everything as it was", async () => {
  using folder = new Folder();
  await assert.rejects(
    swapProgram(folder.program, `${folder.path}/none`),
    /cannot put ".*none" in the place of ".*svc": .*; nothing was changed/,
  );
  assert.deepEqual([folder.read("svc"), folder.names()], ["old\n", ["svc"]]);
});
