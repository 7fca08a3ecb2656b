import assert from "node:assert/strict";
import { namesIn } from "../../../src/io/logs/files.ts";
import type { KeeperFile } from "../../../src/core/keeper.ts";
import { systemProcesses } from "../../../src/io/process/system.ts";
import { isAlive } from "../../support/machine.ts";
import { type Launched, Machine } from "./fixture.ts";
import { keyOf } from "./journal.ts";
import { fileOf, read, soon, stateOf } from "./keeper_files.ts";

Deno.test("launch() gives a kept run's exit code as it is, whatever it is", async () => {
  await using m = await Machine.keeping();
  const codes = [0, 1, 2, 64, 77, 124, 125, 126, 127, 128, 160, 200, 254, 255];
  const children = codes.map((code) => m.launch(`exit ${code}`));
  for (const [index, child] of children.entries()) {
    assert.deepEqual(await child.end(), { code: codes[index] });
  }
});

Deno.test("launch() tells the signals of a kept run by its code", async () => {
  await using m = await Machine.keeping();
  for (
    const [name, number] of [["HUP", 1], ["INT", 2], ["QUIT", 3], ["ABRT", 6], ["KILL", 9], ["USR1", 10], [
      "TERM",
      15,
    ]]
  ) {
    const how = { code: 128 + Number(number), signal: `SIG${name}` };
    const child = m.launch(`ulimit -c 0; kill -${name} $$`);
    assert.deepEqual(await child.end(), how);
    assert.equal(child.stderr, "", "what the keeper's shell says of it is none of the run's");
    assert.deepEqual(await m.launch(`exit ${how.code}`).end(), how, "can't be told apart");
  }
});

Deno.test("launch() leaves a kept run the signals that its keeper ignores, to be trapped or to die of", async () => {
  await using m = await Machine.keeping();
  for (const name of ["HUP", "INT", "QUIT", "TERM"]) {
    const plain = m.launch("ulimit -c 0; echo ready; while :; do sleep 0.01; done");
    await plain.says("ready");
    plain.signal(`SIG${name}`);
    assert.equal((await plain.end()).signal, `SIG${name}`);
    const trapping = m.launch(`trap 'echo heard; exit 7' ${name}; echo ready; while :; do sleep 0.01; done`);
    await trapping.says("ready");
    trapping.signal(`SIG${name}`);
    assert.deepEqual(await trapping.end(), { code: 7 });
    assert.equal(trapping.stdout, "ready\nheard\n");
  }
});

Deno.test("signal() reaches a kept run whose pid is not known yet", async () => {
  await using m = await Machine.keeping();
  for (let times = 0; times < 20; times++) {
    const child = m.launch("sleep 60");
    child.signal("SIGTERM");
    assert.deepEqual(await child.end(), { code: 143, signal: "SIGTERM" });
  }
});

Deno.test("A run whose keeper is killed is killed, and told as lost", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("trap '' TERM HUP; (sleep 61) & echo up; while :; do sleep 1; done");
  await child.says("up");
  Deno.kill(fileOf(m, child).record.keeper!, "SIGKILL");
  assert.deepEqual(await child.exited, { code: 255, signal: "unknown", untold: "its keeper was killed" });
  await child.drained;
  await soon(() => !isAlive(child.pid));
});

Deno.test("A keeper that is killed before it has begun, or dismissed, starts nothing any more", async () => {
  await using m = await Machine.keeping();
  const ways: ((child: Launched) => void)[] = [
    ({ pid }) => Deno.kill(pid, "SIGKILL"),
    (child) => child.dismiss(),
  ];
  for (let times = 0; times < 20; times++) {
    const child = m.launch("sleep 63");
    ways[times % 2]!(child);
    await child.drained;
    const { exited, runId } = child;
    if (times % 2 === 0) {
      const { failure, untold } = await exited;
      assert.match(failure ?? untold!, /^its keeper (could not start it \(SIGKILL\)|was killed)$/);
    }
    const carriers = await m.processes.carriers();
    // What had got as far as to be the run is there, and the sweep at its end finds it.
    if (![...carriers.values()].includes(runId)) {
      assert.deepEqual((await m.processes.finish(child, "all")).killed, []);
    } else assert.ok((await m.processes.finish(child, "all")).killed.length > 0);
  }
});

Deno.test("A keeper stays stopped until its run is dismissed, and then goes with its file", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("exit 3");
  await child.end();
  const { keeper, end } = fileOf(m, child).record;
  assert.equal(end, 3);
  await soon(() => stateOf(keeper!) === "T");
  Deno.kill(keeper!, "SIGCONT");
  Deno.kill(keeper!, "SIGTERM");
  await soon(() => stateOf(keeper!) === "T");
  child.dismiss();
  child.dismiss();
  await soon(() => !isAlive(keeper!));
  assert.deepEqual([...Deno.readDirSync(m.folders.keepers)].map(({ name }) => name).sort(), [
    "bell",
    "daemon",
  ]);
});

Deno.test("lives() knows a kept run by its own pid and by its keeper's", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("echo up; while [ ! -e go ]; do sleep 0.01; done; exit 4");
  const keeper = child.pid;
  await child.started;
  assert.notEqual(child.pid, keeper);
  assert.equal(await m.processes.lives(child.pid), true);
  assert.equal(await m.processes.lives(keeper), true);
  Deno.writeTextFileSync(`${m.folder}/go`, "");
  assert.deepEqual(await child.end(), { code: 4 });
  assert.equal(await m.processes.lives(child.pid), false);
  assert.equal(await m.processes.lives(keeper), false, "the keeper itself is not meant");
});

Deno.test("finish() kills what a kept run leaves, and not its keeper", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("sleep 62 >/dev/null 2>&1 & echo $!");
  const keeper = child.pid;
  await child.end();
  const stray = Number(child.stdout);
  const left = await m.processes.left({ runId: child.runId, pid: keeper });
  assert.deepEqual(left!.map(({ pid }) => pid), [stray]);
  const { killed } = await m.processes.finish({ runId: child.runId, pid: keeper }, "all");
  assert.deepEqual(killed.map(({ pid }) => pid), [stray]);
  assert.equal(isAlive(stray), false);
  assert.equal(isAlive(keeper), true);
});

Deno.test("Ends are told although somebody has removed the bell, or put a file in its place", async () => {
  await using m = await Machine.keeping();
  const bell = `${m.folders.keepers}/bell`;
  const waits = "echo up; while [ ! -e go ]; do sleep 0.01; done; exit 5";
  const before = m.launch(waits);
  await before.says("up");
  Deno.removeSync(bell);
  Deno.writeTextFileSync(bell, "something else");
  Deno.writeTextFileSync(`${m.folder}/go`, "");
  await soon(() => fileOf(m, before).record.end === 5);
  assert.equal(await m.processes.lives(before.pid), false, "whoever asks finds out");
  assert.deepEqual(await before.end(), { code: 5 });
  await soon(() => Deno.lstatSync(bell).isFifo === true);
  assert.deepEqual(await m.launch("exit 6").end(), { code: 6 });
  Deno.removeSync(bell);
  assert.deepEqual(await m.launch("exit 7").end(), { code: 7 }, "made again for the next, and asked then");
});

Deno.test("The bell passes over what is no run's id", async () => {
  await using m = await Machine.keeping();
  const child = m.launch("echo up; while [ ! -e go ]; do sleep 0.01; done; exit 5");
  await child.says("up");
  using bell = await Deno.open(`${m.folders.keepers}/bell`, { write: true });
  const noise = [
    "",
    "x\n",
    `${child.runId}`.slice(0, 5) + "\n",
    "y".repeat(5_000),
    "\n\0\xff\n",
    `${child.runId} more\n`,
  ];
  for (const text of noise) await bell.write(new TextEncoder().encode(text || "\n"));
  Deno.writeTextFileSync(`${m.folder}/go`, "");
  assert.deepEqual(await child.end(), { code: 5 });
});

Deno.test({
  name: "A full disk keeps no keeper from writing down an end, and no run from being started without one",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using m = new Machine();
    const { keepers } = m.folders;
    const small = ["-t", "tmpfs", "-o", "size=64k,mode=700", "svc-test", keepers];
    if (!new Deno.Command("mount", { args: small }).outputSync().success) return; // not allowed here
    try {
      await m.processes.prepare();
      m.isKept = true;
      const child = m.launch("echo up; while [ ! -e go ]; do sleep 0.01; done; exit 9");
      await child.says("up");
      assert.throws(() => Deno.writeFileSync(`${keepers}/fill`, new Uint8Array(200_000)), /No space/);
      Deno.writeTextFileSync(`${m.folder}/go`, "");
      assert.deepEqual(await child.end(), { code: 9 });
      assert.deepEqual(await m.launch("exit 4").end(), { code: 4 });
      assert.match(m.said.join(), /^runs do not outlive this daemon for now: .*No space/);
      child.dismiss();
      await m.processes.close();
    } finally {
      new Deno.Command("umount", { args: ["-l", keepers] }).outputSync();
    }
  },
});

Deno.test("close() waits for no run that is kept, which lives on with its pipes", async () => {
  const m = await Machine.keeping();
  const child = m.launch("echo up; while [ ! -e go ]; do sleep 0.01; done; exit 6");
  await child.says("up");
  const { keeper } = fileOf(m, child).record;
  await m.processes.close();
  assert.equal(isAlive(child.pid), true);
  Deno.writeTextFileSync(`${m.folder}/go`, "");
  await soon(() => fileOf(m, child).record.end === 6);
  child.dismiss();
  await soon(() => !isAlive(keeper!));
  child.abandon();
  await m[Symbol.asyncDispose]();
});

Deno.test("A kept run outlives the daemon that is killed: it writes on, its end stands in the file, its pipes are held", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "svc-dying-" });
  for (const inner of ["notes", "keepers", "spools"]) Deno.mkdirSync(`${folder}/${inner}`, { mode: 0o700 });
  const script =
    `echo up; while [ ! -e ${folder}/go ]; do sleep 0.01; done; echo rest; echo wrong >&2; exit 143`;
  const daemon = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-prompt",
      new URL("./dying_daemon.ts", import.meta.url).pathname,
      folder,
      script,
      "sleep 60",
    ],
    stdout: "piped",
  }).spawn();
  const said = daemon.stdout.getReader();
  assert.equal(new TextDecoder().decode((await said.read()).value), "up\n");
  daemon.kill("SIGKILL");
  await daemon.status;
  await said.cancel();
  await soon(() => [0, 1].every((index) => read(`${folder}/keepers/R${index}`).record.pid !== undefined));
  const [ends, stays] = [0, 1].map((index) => read(`${folder}/keepers/R${index}`).record) as [
    KeeperFile["record"],
    KeeperFile["record"],
  ];
  try {
    assert.ok(isAlive(ends.pid!) && isAlive(stays.pid!));
    Deno.writeTextFileSync(`${folder}/go`, "");
    await soon(() => read(`${folder}/keepers/R0`).record.end === 143);
    await soon(() => stateOf(ends.keeper!) === "T");
    for (const [descriptor, text] of [[3, "rest\n"], [4, "wrong\n"]]) {
      const { stdout } = new Deno.Command("dd", {
        args: [`if=/proc/${ends.keeper}/fd/${descriptor}`, "status=none"],
      }).outputSync();
      // On a slow machine the daemon has come so far as to have it read by way of files.
      const spooled = namesIn(`${folder}/spools`).filter((name) =>
        name.startsWith(`R0.${Number(descriptor) - 2}.`)
      )
        .map((name) => Deno.readTextFileSync(`${folder}/spools/${name}`)).join("");
      assert.equal(spooled + new TextDecoder().decode(stdout), text);
    }
    const known = new Deno.Command("sh", {
      args: ["-c", `[ ${folder}/keepers/R1 -ef /proc/${stays.keeper}/fd/7 ]`],
    });
    assert.equal(known.outputSync().code, 0, "who holds its file is the keeper");
    assert.equal(isAlive(stays.pid!), true);
  } finally {
    for (const pid of [ends.keeper!, stays.pid!, stays.keeper!]) Deno.kill(pid, "SIGKILL");
    const next = systemProcesses({ noteFolder: `${folder}/notes`, key: keyOf(folder) });
    await next.prepare();
    await next.killLeftovers([]);
    await next.close();
    Deno.removeSync(folder, { recursive: true });
  }
});
