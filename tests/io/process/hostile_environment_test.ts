import assert from "node:assert/strict";
import { programPath } from "../../../src/io/programs.ts";
import { accountOf } from "../../../src/io/process/accounts.ts";
import { Planted } from "../../support/planted.ts";
import type { LaunchSpec } from "../../../src/io/process/processes.ts";
import { type Launched, Machine } from "./fixture.ts";

const isRoot = Deno.uid() === 0;
const user = "nobody";

/** A folder of the user's in which whatever acts with his variables leaves a mark with the number of its user. */
class Trap implements Disposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "svc-trap-" });
  readonly uid = accountOf(user).uid;

  constructor() {
    const { folder } = this;
    Deno.mkdirSync(`${folder}/bin`);
    // Programs by the names of those that a start needs.
    for (const name of ["setpriv", "setsid", "mkdir", "sh", "bash", "env", "test", "id", "docker", "cd"]) {
      this.#script(`bin/${name}`, `echo "$(/usr/bin/id -u) ${name}" >> ${folder}/marks; exit 99`);
    }
    this.#script("startup", `echo "$(/usr/bin/id -u) startup file" >> ${folder}/marks`);
    Deno.writeTextFileSync(`${folder}/marks`, "", { mode: 0o666 });
    for (const path of [folder, `${folder}/marks`, `${folder}/bin`]) Deno.chownSync(path, this.uid, this.uid);
    for (const path of [folder, `${folder}/bin`]) Deno.chmodSync(path, 0o777);
    Deno.chmodSync(`${folder}/marks`, 0o666);
  }

  /** Variables that make programs do something else than they are for. */
  get env(): Record<string, string> {
    const { folder } = this;
    return {
      PATH: `${folder}/bin:/usr/bin:/bin`,
      // The dynamic linker then writes a file for each process that has this, which belongs to the process's user.
      LD_DEBUG: "statistics",
      LD_DEBUG_OUTPUT: `${folder}/linked`,
      LD_PRELOAD: `${folder}/none.so`,
      LD_LIBRARY_PATH: folder,
      BASH_ENV: `${folder}/startup`,
      ENV: `${folder}/startup`,
      IFS: "/s",
      PS4: `$(echo "$(/usr/bin/id -u) PS4" >> ${folder}/marks)`,
      SHELLOPTS: "xtrace",
      CDPATH: folder,
      LANG: `${folder}/locale`,
      LOCPATH: folder,
      GCONV_PATH: folder,
      UID: "77",
    };
  }

  /** Names that only bash carries on, one of which is a function to it. */
  get weird(): Record<string, string> {
    return {
      "spring.profile": "prod",
      "BASH_FUNC_cd%%": `() { echo "$(/usr/bin/id -u) cd" >> ${this.folder}/marks; builtin cd "$@"; }`,
    };
  }

  /** Numbers of the users by whom anything acted with the variables. */
  actors(): Set<string> {
    const marks = Deno.readTextFileSync(`${this.folder}/marks`).trim().split("\n").filter(Boolean);
    const linked = [...Deno.readDirSync(this.folder)].filter(({ name }) => name.startsWith("linked."));
    return new Set([
      ...marks.map((line) => line.split(" ")[0]!),
      ...linked.map(({ name }) => String(Deno.statSync(`${this.folder}/${name}`).uid)),
    ]);
  }

  #script(name: string, text: string): void {
    Deno.writeTextFileSync(`${this.folder}/${name}`, `#!/bin/sh\n${text}\n`);
    Deno.chmodSync(`${this.folder}/${name}`, 0o755);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

const ways = [
  { of: "", make: (): Promise<Machine> => Promise.resolve(new Machine()) },
  { of: " (kept)", make: (): Promise<Machine> => Machine.keeping() },
];

for (const { of, make } of ways) {
  const test = (what: Deno.TestDefinition): void => Deno.test({ ...what, name: what.name + of });

  for (const launcher of ["sh", "bash"]) {
    test({
      name: `launch() lets nothing of a unit act before its user is taken: launched by ${launcher}`,
      ignore: !isRoot,
      fn: async () => {
        await using m = await make();
        using trap = new Trap();
        for (const shell of ["/bin/sh", "/bin/bash"]) {
          const child = m.launch('printf "%s\\n" "$LD_PRELOAD" "$PATH" "$IFS"', {
            user,
            shell,
            cwd: "/",
            umask: "022",
            env: { ...trap.env, ...(launcher === "bash" ? trap.weird : {}) },
          });
          assert.deepEqual(await child.end(), { code: 0 }, `${shell}: ${child.stderr}`);
          const { LD_PRELOAD, PATH } = trap.env;
          assert.equal(child.stdout.split("\n").slice(0, 2).join("\n"), `${LD_PRELOAD}\n${PATH}`, shell);
        }
        assert.deepEqual(trap.actors(), new Set([String(trap.uid)]), "the trap works, and only for the user");
      },
    });
  }

  test({
    name: "launch() gives another user's run just the variables that it should have",
    ignore: !isRoot,
    fn: async () => {
      await using m = await make();
      const values = {
        A: "a 'b' \"c\" $D `e` \\f %g\nü",
        UID: "77",
        name: "n",
        set: "s",
        "a.b": "dot",
        dir: "d",
      };
      const child = m.launch(`${programPath("env")} -0`, { user, cwd: "/", env: values });
      assert.deepEqual(await child.end(), { code: 0 }, child.stderr);
      const found = new Map(
        child.stdout.split("\0").filter(Boolean).map((line) => {
          const [name = "", ...value] = line.split("=");
          return [name, value.join("=")];
        }),
      );
      for (const [name, value] of Object.entries(values)) {
        // A shell that has no such name drops it, also where it starts the script alone.
        if (name !== "a.b") assert.equal(found.get(name), value, name);
      }
      assert.equal(found.get("SVC_RUN_ID"), child.runId);
      const beside = [...found.keys()].filter((name) => !(name in values)).sort();
      assert.deepEqual(beside.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)), [
        "HOME",
        "LOGNAME",
        "PATH",
        "SHELL",
        "SVC_RUN_ID",
        "USER",
      ]);
    },
  });
}

Deno.test({
  name: "launch() takes root's shell, and what a compose service needs, out of no folder of another user's",
  ignore: !isRoot,
  fn: async () => {
    await using m = new Machine();
    using planted = new Planted(["sh", "odd-shell", "cat", "odd-program"]);
    const launch = (shell: string, own: Partial<LaunchSpec> = {}): Launched =>
      m.launch('printf %s "$PATH"', { shell, env: { PATH: planted.path }, ...own });
    const shell = launch("sh");
    assert.deepEqual(await shell.end(), { code: 0 });
    assert.equal(shell.stdout, planted.path, "what the script looks up is its own affair");
    assert.throws(
      () => launch("odd-shell"),
      /^Fault: root starts no shell that somebody else could change, and PATH leads "odd-shell" to one \(user 12345 owns .*\): take its folder out of PATH, or name the shell by its path$/,
    );
    const other = launch("odd-shell", { user });
    await other.end();
    assert.deepEqual(
      planted.started(),
      [],
      "the user may not write there, but it is his own to say what he starts",
    );
    assert.throws(
      () => launch("/bin/sh", { needs: "odd-program" }),
      /in a folder of PATH that only root may change/,
    );
    const needy = launch("/bin/sh", { needs: "cat" });
    assert.deepEqual(await needy.end(), { code: 0 });
    assert.equal(needy.stdout.includes(planted.folder), false, needy.stdout);
  },
});
