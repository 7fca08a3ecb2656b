import assert from "node:assert/strict";
import { isAlive } from "../../support/machine.ts";
import { Machine } from "./fixture.ts";

const isRoot = Deno.uid() === 0;

/** Runs that end with the daemon, and those that are kept beyond it. */
const ways = [
  { of: "", make: (): Promise<Machine> => Promise.resolve(new Machine()) },
  { of: " (kept)", make: (): Promise<Machine> => Machine.keeping() },
];

for (const { of, make } of ways) {
  const test = (what: string | Deno.TestDefinition, fn?: () => Promise<void>): void => {
    const whole = typeof what === "string" ? { name: what, fn: fn! } : what;
    Deno.test({ ...whole, name: whole.name + of });
  };

  test("launch() runs the script with -e, tells its exit code and hands out both streams", async () => {
    await using m = await make();
    const child = m.launch("echo out; echo err >&2; false; echo never");
    assert.deepEqual(await child.end(), { code: 1 });
    assert.equal(child.stdout, "out\n");
    assert.equal(child.stderr, "err\n");
    for (const code of [0, 3, 125, 126, 127, 255]) {
      assert.deepEqual(await m.launch(`exit ${code}`).end(), { code });
    }
  });

  test("launch() hands arguments and $0 over as they are, never as script", async () => {
    await using m = await make();
    const args = ["a b", "", "$HOME", "'; touch x; '", "*", "--", "-e", "ü\n"];
    const child = m.launch('echo "$0 $#"; for a; do printf "<%s>\\n" "$a"; done', { args });
    await child.end();
    assert.equal(child.stdout, `unit ${args.length}\n${args.map((arg) => `<${arg}>\n`).join("")}`);
    assert.deepEqual([...Deno.readDirSync(m.folder)], []);
  });

  test("launch() tells the signal by which a process ended", async () => {
    await using m = await make();
    assert.deepEqual(await m.launch("kill -SEGV $$").end(), { code: 139, signal: "SIGSEGV" });
    // A keeper knows the code alone.
    const own = m.isKept ? { code: 137, signal: "SIGKILL" } : { code: 137 };
    assert.deepEqual(await m.launch("sh -c 'kill -KILL $$'").end(), own);
  });

  test("launch() makes the process the leader of its own session and group", async () => {
    await using m = await make();
    const child = m.launch("cat /proc/self/stat; echo; cut -d' ' -f5,6 /proc/$$/stat");
    await child.end();
    const last = child.stdout.trim().split("\n").at(-1);
    assert.equal(last, `${child.pid} ${child.pid}`);
  });

  test("signal() reaches the whole group, at once after the launch too, and nothing happens when it is gone", async () => {
    await using m = await make();
    const child = m.launch(
      "trap : TERM; sh -c 'trap \"echo child\" TERM; echo ready; while :; do sleep 0.01; done' & while :; do wait || :; done",
    );
    await child.says("ready");
    child.signal("SIGTERM");
    await child.says("child");
    child.signal("SIGKILL");
    assert.deepEqual(await child.end(), { code: 137, signal: "SIGKILL" });
    child.signal("SIGTERM");
    child.signal("SIGKILL");
    for (let i = 0; i < 10; i++) {
      const quick = m.launch("sleep 60");
      quick.signal("SIGKILL");
      assert.deepEqual(await quick.end(), { code: 137, signal: "SIGKILL" });
    }
  });

  test("launch() refuses a folder, a shell or a user that does not exist, and says what to do", async () => {
    await using m = await make();
    Deno.writeTextFileSync(`${m.folder}/plain`, "");
    const refused = (own: object, message: RegExp) =>
      assert.throws(() => m.launch("true", own), { name: "Fault", message });
    refused({ cwd: `${m.folder}/none` }, /no such folder ".*none"/);
    refused({ cwd: `${m.folder}/plain` }, /is no folder/);
    refused({ shell: "/bin/none" }, /no such shell "\/bin\/none"/);
    refused({ shell: "no-shell-of-this-name" }, /no such shell "no-shell-of-this-name"/);
    refused({ shell: `${m.folder}/plain` }, /not executable/);
    refused({ user: "no-user-of-this-name" }, /no such user "no-user-of-this-name"/);
    refused({ user: "root:no-group-of-this-name" }, /no such group/);
    refused({ script: "echo \0" }, /cannot start/);
  });

  test("launch() finds a shell by the PATH of the run", async () => {
    await using m = await make();
    const child = m.launch("echo $0", { shell: "sh" });
    assert.deepEqual(await child.end(), { code: 0 });
    assert.equal(child.stdout, "unit\n");
    Deno.writeTextFileSync(`${m.folder}/mysh`, '#!/bin/sh\necho "mine $1 $2"\n', { mode: 0o755 });
    const mine = m.launch("script", { shell: "mysh", env: { PATH: `${m.folder}:/bin` } });
    await mine.end();
    assert.equal(mine.stdout, "mine -c script\n", "no -e for a shell that is not known to be POSIX");
  });

  test("launch() sets the working folder, also from ~", async () => {
    await using m = await make();
    const child = m.launch("pwd", { cwd: m.folder });
    await child.end();
    assert.equal(child.stdout, `${Deno.realPathSync(m.folder)}\n`);
    const home = m.launch('[ "$(pwd -P)" = "$(cd "$HOME" && pwd -P)" ]', { cwd: "~" });
    assert.deepEqual(await home.end(), { code: 0 });
  });

  test("launch() sets the umask", async () => {
    await using m = await make();
    const child = m.launch("umask; exit 3", { umask: "027" });
    assert.deepEqual(await child.end(), { code: 3 });
    assert.equal(child.stdout, "0027\n");
  });

  test("launch() lets a pipe fail with any of its parts where that is asked for", async () => {
    await using m = await make();
    const shell = "/bin/bash";
    assert.deepEqual(await m.launch("false | true; echo on", { shell }).end(), { code: 0 });
    assert.deepEqual(await m.launch("false | true; echo on", { shell, pipefail: true }).end(), { code: 1 });
  });

  test("launch() takes 125 of a script behind the launcher for the script's own", async () => {
    await using m = await make();
    assert.deepEqual(await m.launch("exit 125", { umask: "022" }).end(), { code: 125 });
  });

  test("launch() gives a clean environment, or the daemon's own without its SVC_ variables", async () => {
    await using m = await make();
    Deno.env.set("SVC_PASSWORD_TEST", "secret");
    Deno.env.set("TEST_INHERITED", "yes");
    try {
      const clean = m.launch("env", { env: { A: "1" } });
      await clean.end();
      const names = clean.stdout.trim().split("\n").map((line) => line.split("=")[0]).filter((name) =>
        name !== "PWD" && name !== "_" && name !== "SHLVL"
      );
      assert.deepEqual(names.sort(), ["A", "HOME", "LOGNAME", "PATH", "SHELL", "SVC_RUN_ID", "USER"]);
      assert.match(clean.stdout, /^PATH=\/usr\/bin:\/bin$/m);
      const inherited = m.launch("env", { envBase: "inherit", env: { A: "1" } });
      await inherited.end();
      assert.match(inherited.stdout, /^TEST_INHERITED=yes$/m);
      assert.match(inherited.stdout, /^A=1$/m);
      assert.doesNotMatch(inherited.stdout, /SVC_PASSWORD_TEST/);
    } finally {
      Deno.env.delete("SVC_PASSWORD_TEST");
      Deno.env.delete("TEST_INHERITED");
    }
  });

  test("launch() gives HOME, USER, LOGNAME and SHELL where the daemon itself has none", async () => {
    await using m = await make();
    const names = ["HOME", "USER", "LOGNAME", "SHELL"];
    const before = names.map((name) => Deno.env.get(name));
    const say = 'echo "$HOME $USER $LOGNAME $SHELL"';
    try {
      for (const name of names) Deno.env.delete(name);
      m.processes.hide([]);
      const lacking = m.launch(say, { envBase: "inherit" });
      await lacking.end();
      const [home, user, logname, shell] = lacking.stdout.trim().split(" ");
      assert.ok(home!.startsWith("/") && user !== "" && logname === user, lacking.stdout);
      assert.equal(shell, "/bin/sh");
      for (const name of names) Deno.env.set(name, `own-${name}`);
      m.processes.hide([]);
      const own = m.launch(say, { envBase: "inherit" });
      await own.end();
      assert.equal(own.stdout, "own-HOME own-USER own-LOGNAME own-SHELL\n");
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) Deno.env.delete(name);
        else Deno.env.set(name, value);
      }
      m.processes.hide([]);
    }
  });

  test("Processes.hide() keeps variables from runs that inherit, and gives them back to those that have them of their own", async () => {
    await using m = await make();
    Deno.env.set("TEST_HIDDEN", "from the daemon");
    try {
      const say = 'echo "${TEST_HIDDEN-none}"';
      const said = async (env: Record<string, string> = {}): Promise<string> => {
        const child = m.launch(say, { envBase: "inherit", env });
        await child.end();
        return child.stdout.trim();
      };
      m.processes.hide([]);
      assert.equal(await said(), "from the daemon");
      assert.deepEqual(m.processes.hide(["TEST_HIDDEN", "TEST_NOT_SET"]), ["from the daemon", ""]);
      assert.equal(await said(), "none");
      assert.equal(await said({ TEST_HIDDEN: "own" }), "own");
      m.processes.hide([]);
      assert.equal(await said(), "from the daemon");
    } finally {
      m.processes.hide([]);
      Deno.env.delete("TEST_HIDDEN");
    }
  });

  test("launch() carries values of the environment over untouched", async () => {
    await using m = await make();
    const value = "a 'b' \"c\" $D `e` \\f %g #h\nü";
    const child = m.launch('printf %s "$V"', { env: { V: value } });
    await child.end();
    assert.equal(child.stdout, value);
  });

  test({
    name: "launch() runs as another user: ids, groups, home, and a shell that was named without a path",
    ignore: !isRoot,
    fn: async () => {
      await using m = await make();
      const child = m.launch('id -un; id -u; echo "$USER $HOME"; umask; echo "$0" "$1"', {
        user: "nobody",
        umask: "077",
        shell: "sh",
        args: ["a b"],
        cwd: "/tmp",
      });
      assert.deepEqual(await child.end(), { code: 0 });
      const [name, uid, person, umask, words] = child.stdout.trim().split("\n");
      assert.equal(name, "nobody");
      assert.notEqual(uid, "0");
      assert.match(person!, /^nobody \//);
      assert.equal(umask, "0077");
      assert.equal(words, "unit a b");
      const group = m.launch("id -gn; id -un", { user: "nobody:daemon", cwd: "/" });
      await group.end();
      assert.equal(group.stdout, "daemon\nnobody\n");
      const byNumber = m.launch("id -un", { user: uid!, cwd: "/" });
      await byNumber.end();
      assert.equal(byNumber.stdout, "nobody\n");
      const named = m.launch("echo a > /dev/stdout; echo b > /dev/stderr", { user: "nobody", cwd: "/" });
      assert.deepEqual(await named.end(), { code: 0 }, named.stderr);
      assert.deepEqual([named.stdout, named.stderr], ["a\n", "b\n"]);
      assert.equal(Deno.statSync("/dev/null").uid, 0, "nothing but the pipes is given away");
    },
  });

  test("launch() gives a run the number of open files that the daemon's caller had", async () => {
    await using m = await make();
    Deno.env.set("SVC_OPEN_FILES", "200");
    try {
      for (const more of [{}, { umask: "022" }, isRoot ? { user: "nobody" } : {}]) {
        const child = m.launch("ulimit -S -n", { cwd: "/", ...more });
        await child.end();
        assert.equal(child.stdout, "200\n");
      }
    } finally {
      Deno.env.delete("SVC_OPEN_FILES");
    }
  });

  test({
    name: "launch() tells apart what the launcher could not do for a user and what the script does",
    ignore: !isRoot,
    fn: async () => {
      await using m = await make();
      Deno.mkdirSync(`${m.folder}/private`, { mode: 0o700 });
      const refused = await m.launch("true", { user: "nobody", cwd: `${m.folder}/private` }).end();
      assert.equal(
        refused.failure,
        `cannot start as the user: not allowed to use folder "${m.folder}/private"`,
      );
      const shell = `${m.folder}/private/sh`;
      Deno.writeTextFileSync(shell, "#!/bin/sh\n", { mode: 0o755 });
      const shellRefused = await m.launch("true", { user: "nobody", cwd: "/", shell }).end();
      assert.equal(shellRefused.failure, `cannot start as the user: not allowed to use shell "${shell}"`);
      assert.deepEqual(await m.launch("exit 125", { user: "nobody", cwd: "/" }).end(), { code: 125 });
      assert.deepEqual(await m.launch("kill -9 $$", { user: "nobody", cwd: "/" }).end(), {
        code: 137,
        signal: "SIGKILL",
      });
      assert.deepEqual(
        [...Deno.readDirSync(m.folder)].map(({ name }) => name),
        ["private"],
        "no notes are left",
      );
    },
  });

  test({
    name: "signal() reaches a process of another user",
    ignore: !isRoot,
    fn: async () => {
      await using m = await make();
      const child = m.launch("echo ready; sleep 60", { user: "nobody", cwd: "/" });
      await child.says("ready");
      child.signal("SIGTERM");
      assert.equal((await child.end()).signal, "SIGTERM");
    },
  });

  test("launch() reads a flood to its last byte, and a last line without a line end", async () => {
    await using m = await make();
    const child = m.launch("head -c 5000000 /dev/zero; printf end");
    assert.deepEqual(await child.end(), { code: 0 });
    assert.equal(child.bytes, 5_000_003);
    const quick = m.launch("printf x");
    await quick.end();
    assert.equal(quick.stdout, "x");
  });

  test("launch() gives no standard input", async () => {
    await using m = await make();
    assert.deepEqual(await m.launch("read line").end(), { code: 1 });
  });

  test("abandon() ends the wait for pipes that a stray holds", async () => {
    await using m = await make();
    const child = m.launch("sleep 60 & echo started");
    assert.deepEqual(await child.exited, { code: 0 });
    await child.says("started");
    let drained = false;
    void child.drained.then(() => drained = true);
    await m.processes.bootId(); // time enough for an end of file that was on its way
    assert.equal(drained, false);
    child.abandon();
    await child.drained;
    assert.equal(isAlive(child.pid), false);
  });

  test({
    name: "launch() tells the number of a signal that has no name",
    // The runtime itself does not let go of a child whose signal it does not know.
    sanitizeResources: false,
    async fn() {
      await using m = await make();
      for (const number of [34, 37, 64]) {
        const exit = await m.launch(`kill -${number} $$`).end();
        assert.deepEqual(exit, { code: 128 + number, signal: `signal ${number}` });
      }
    },
  });

  test("signal() lets a suspended process go on, so that it hears what is asked of it", async () => {
    await using m = await make();
    const child = m.launch("trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done");
    await child.says("ready");
    child.signal("SIGSTOP");
    child.signal("SIGTERM");
    assert.deepEqual(await child.end(), { code: 3 });
  });

  test("signal() says that a process is another user's, and nothing else throws for that", async () => {
    await using m = await make();
    const child = m.launch("sleep 60");
    await child.started;
    const { kill } = Deno;
    try {
      Deno.kill = (): never => {
        throw new Deno.errors.PermissionDenied("Operation not permitted");
      };
      assert.throws(() => child.signal("SIGTERM"), /belongs to another user/);
      assert.equal(m.processes.killGroup(child.pid), "refused");
      m.processes.signal([{ pid: child.pid, name: "sleep" }], "SIGTERM");
      const { killed, left } = await m.processes.finish({ runId: "NOBODY", pid: child.pid }, "all");
      const why = "the session of a process that lives is not the rest of one that has ended";
      assert.deepEqual([killed, left], [[], []], why);
    } finally {
      Deno.kill = kill;
    }
    child.signal("SIGKILL");
    await child.end();
  });

  test("release() lets strays write on, and hands nothing out any more", async () => {
    await using m = await make();
    const child = m.launch("(while :; do echo tick; sleep 0.01; done) & echo started");
    await child.exited;
    await child.says("tick");
    child.release();
    const { length } = child.stdout;
    const [stray] = (await m.warden.rest(child, { group: undefined, owner: undefined }))!;
    for (let look = 0; look < 20; look++) await m.warden.bootId();
    assert.ok(isAlive(stray!.pid));
    assert.equal(child.stdout.length, length);
    await m.processes.finish(child, "all");
    await child.drained;
  });
}
