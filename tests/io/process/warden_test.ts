import assert from "node:assert/strict";
import { Warden } from "../../../src/io/process/warden.ts";
import { gone, isAlive } from "../../support/machine.ts";
import { Machine } from "./fixture.ts";

/** Waits until something holds, as long as the test may last. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The pid of a machine's live warden; other test files have wardens in this process too. */
function wardenPid({ key }: { key: string }): number {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Deno.readTextFileSync(`/proc/${name}/stat`).replace(/^.*\) /s, "").split(" ")[1];
      const environment = Deno.readTextFileSync(`/proc/${name}/environ`);
      if (parent === String(Deno.pid) && environment.includes(`KEY=${key}`)) return Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new RangeError("there is no warden");
}

Deno.test("Warden tells the boot id, and the start time of live processes alone", async () => {
  await using m = new Machine();
  const child = m.launch("sleep 60");
  assert.equal(await m.warden.bootId(), Deno.readTextFileSync("/proc/sys/kernel/random/boot_id").trim());
  const fields = Deno.readTextFileSync(`/proc/${child.pid}/stat`).replace(/^.*\) /s, "").split(" ");
  assert.equal(await m.warden.startTicks(child.pid), fields[19]);
  child.signal("SIGKILL");
  await child.end();
  assert.equal(await m.warden.startTicks(child.pid), undefined);
  assert.equal(await m.warden.startTicks(2 ** 30), undefined);
});

Deno.test("Warden has a short line in a list of processes", async () => {
  await using m = new Machine();
  await m.warden.bootId();
  const line = Deno.readTextFileSync(`/proc/${wardenPid(m)}/cmdline`).replaceAll("\0", " ");
  assert.match(line, /svc-warden $/);
  assert.ok(line.length < 100, line);
});

Deno.test("Warden reads the start time of a process whose name holds blanks and brackets", async () => {
  await using m = new Machine();
  Deno.symlinkSync("/bin/sleep", `${m.folder}/a) b (c`);
  const child = m.launch("echo ready; exec './a) b (c' 60");
  await child.says("ready");
  await until(() => Deno.readTextFileSync(`/proc/${child.pid}/stat`).includes("a) b (c"));
  const ticks = await m.warden.startTicks(child.pid);
  assert.match(ticks ?? "", /^\d+$/);
  assert.ok(Deno.readTextFileSync(`/proc/${child.pid}/stat`).includes(` ${ticks} `));
});

Deno.test("Warden reads the counters of processors and memory", async () => {
  await using m = new Machine();
  const ticks = (): number[] =>
    Deno.readTextFileSync("/proc/stat").split("\n")[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
  const sum = (counts: number[]): number => counts.reduce((all, count) => all + count, 0);
  const before = sum(ticks());
  const reading = await m.warden.systemReading();
  const after = sum(ticks());
  assert.ok(reading !== undefined && reading.total >= before && reading.total <= after);
  assert.ok(reading.busy > 0 && reading.busy <= reading.total);
  const memory = /^MemTotal:\s+(\d+)/m.exec(Deno.readTextFileSync("/proc/meminfo"))![1];
  assert.equal(reading.memTotal, Number(memory) * 1024);
  assert.ok(reading.memAvailable > 0 && reading.memAvailable <= reading.memTotal);
});

Deno.test("Warden kills what a run left behind, wherever it went, and nothing of another run", async () => {
  await using m = new Machine();
  const child = m.launch("setsid sleep 61 & (setsid nohup sleep 62 >/dev/null 2>&1 &) ; sleep 63 & wait");
  const other = m.launch("sleep 64");
  await until(() => count("sleep 61", "sleep 62", "sleep 63") >= 3);
  const carriers = await m.warden.carriers();
  const own = [...carriers].filter(([, id]) => id === child.runId).map(([pid]) => pid);
  assert.ok(own.length >= 4, "the shell and three sleepers");
  const { killed, left } = await m.warden.sweep([child.runId]);
  assert.deepEqual(left, []);
  assert.deepEqual(killed.map(({ pid }) => pid).sort(), own.sort());
  assert.ok(killed.some(({ name }) => name === "sleep"), "by name");
  await child.end();
  await Promise.all(own.map(gone));
  assert.equal(isAlive(other.pid), true);
  other.signal("SIGKILL");
  await other.end();
});

Deno.test("Warden kills a tree that grows faster than one look at it", async () => {
  await using m = new Machine();
  const child = m.launch("while :; do setsid sleep 0.2 & sleep 0.01; done");
  await until(() => isAlive(child.pid));
  const { left } = await m.warden.sweep([child.runId]);
  assert.deepEqual(left, []);
  const carriers = await m.warden.carriers();
  assert.ok(![...carriers.values()].includes(child.runId));
  await child.end();
});

Deno.test("Warden does not take an id for another that it is the beginning of", async () => {
  await using m = new Machine();
  const long = m.launch("sleep 60", { env: { SVC_RUN_ID: "ABC1" } });
  const named = m.launch("sleep 60", { env: { OTHER: "x\nSVC_RUN_ID=ABC", SVC_RUN_ID: "XABC" } });
  await until(() => isAlive(long.pid) && isAlive(named.pid));
  assert.deepEqual(await m.warden.sweep(["ABC"]), { killed: [], left: [] });
  assert.ok(isAlive(long.pid) && isAlive(named.pid));
  for (const child of [long, named]) {
    child.signal("SIGKILL");
    await child.end();
  }
});

Deno.test("Warden does sweeps together that are asked for while one is under way, and tells each its own", async () => {
  await using m = new Machine();
  const children = Array.from({ length: 6 }, () => m.launch("sleep 60"));
  const swept = await Promise.all(children.map((child) => m.warden.sweep([child.runId])));
  await Promise.all(children.map((child) => child.end()));
  assert.ok(children.every(({ pid }) => !isAlive(pid)));
  for (const [n, { killed, left }] of swept.entries()) {
    const own = children[n]!.pid;
    assert.ok(killed.some(({ pid, name }) => pid === own && name !== "") && left.length === 0);
    assert.ok(killed.every(({ pid }) => pid === own || !children.some((child) => child.pid === pid)));
  }
});

Deno.test("Warden starts again after it was killed, and a sweep under way is done all the same", async () => {
  await using m = new Machine();
  const child = m.launch("setsid sleep 60 & sleep 60");
  await m.warden.bootId();
  const killer = wardenPid(m);
  const sweep = m.warden.sweep([child.runId]);
  Deno.kill(killer, "SIGKILL");
  await sweep;
  await child.end();
  assert.equal(await m.warden.startTicks(Deno.pid) !== undefined, true);
  assert.notEqual(wardenPid(m), killer);
});

Deno.test("Warden.close() ends its process, and a question after that has an empty answer", async () => {
  const key = crypto.randomUUID();
  const warden = new Warden({ KEY: key });
  await warden.bootId();
  const pid = wardenPid({ key });
  await warden.close();
  assert.equal(isAlive(pid), false);
  assert.equal(await warden.bootId(), "");
  assert.deepEqual(await warden.sweep(["X"]), { killed: [], left: [] });
});

Deno.test("Warden.close() without a question starts nothing", async () => {
  await new Warden().close();
});

function count(...commands: string[]): number {
  let found = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    try {
      const command = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      if (commands.includes(command)) found++;
    } catch {
      // It is no process, or has ended.
    }
  }
  return found;
}

Deno.test({
  name: "sweep() kills what a run's own user has, not what another's process says of itself",
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await using m = new Machine();
    const runId = `T${crypto.randomUUID().replaceAll("-", "").toUpperCase()}`;
    const children = [65533, 65534, 65534].map((uid) =>
      new Deno.Command("/usr/bin/setpriv", {
        args: [`--reuid=${uid}`, "--clear-groups", "--", "sleep", "60"],
        env: { SVC_RUN_ID: runId },
        stdin: "null",
        stdout: "null",
      }).spawn()
    );
    const [other, ...own] = children.map(({ pid }) => pid);
    try {
      const carry = async (): Promise<number> =>
        [...(await m.warden.carriers()).values()].filter((id) => id === runId).length;
      await until(async () => await carry() === 3);
      const { killed, left } = await m.warden.sweep([runId], 65534);
      assert.deepEqual([killed.map(({ pid }) => pid).sort(), left], [own.sort(), []]);
      assert.ok(isAlive(other!));
      assert.deepEqual(
        (await m.warden.sweep([runId])).killed.map(({ pid }) => pid),
        [other],
        "where no user is named, all are meant",
      );
    } finally {
      for (const child of children) {
        try {
          child.kill("SIGKILL");
        } catch {
          // The sweep was faster.
        }
        await child.status;
      }
    }
  },
});

Deno.test("Warden kills its shell where it hangs, answers the others, and says what has no answer", async () => {
  const folder = Deno.makeTempDirSync();
  Deno.mkdirSync(`${folder}/g`);
  await new Deno.Command("/usr/bin/mkfifo", { args: [`${folder}/g/cgroup.procs`] }).output();
  const said: string[] = [];
  const warden = new Warden({ MAIN: folder }, { patience: 200, say: (text) => said.push(text) });
  const [hung, boot] = await Promise.all([warden.tryAsk("kill g"), warden.bootId()]);
  assert.equal(hung, undefined);
  assert.match(boot, /^[0-9a-f-]{36}$/);
  assert.deepEqual(said, ['the helper that looks at processes gives no answer to "kill"']);
  await warden.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("Warden ends soon though its shell hangs", async () => {
  const folder = Deno.makeTempDirSync();
  Deno.mkdirSync(`${folder}/g`);
  await new Deno.Command("/usr/bin/mkfifo", { args: [`${folder}/g/cgroup.procs`] }).output();
  const warden = new Warden({ MAIN: folder }, { patience: 60_000 });
  const asked = warden.tryAsk("kill g");
  await warden.close();
  assert.equal(await asked, undefined);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("Warden tells what lives of a run whose process has ended, with names and groups", async () => {
  await using m = new Machine();
  const child = m.launch("sleep 60 & setsid sleep 61 & sleep 0.2; echo ready");
  await child.says("ready");
  await child.exited;
  const rest = await m.warden.rest(child, { group: undefined, owner: undefined });
  assert.deepEqual(rest?.map(({ name }) => name), ["sleep", "sleep"]);
  assert.deepEqual(rest?.map(({ group, pid }) => [group === child.pid, group === pid]).sort(), [
    [false, true],
    [true, false],
  ]);
  child.abandon();
  await m.processes.finish(child, "all");
  assert.deepEqual(await m.warden.rest(child, { group: undefined, owner: undefined }), []);
});

/** Whether a file of /proc can be covered by another for a child alone. */
const canMount = Deno.uid() === 0 && (await new Deno.Command("/usr/bin/unshare", {
  args: ["-m", "true"],
  stderr: "null",
}).output().catch(() => ({ success: false }))).success;

Deno.test({
  name: "Warden passes over a process that keeps whoever reads of it for ever, and says so once",
  ignore: !canMount,
  async fn() {
    await using m = new Machine();
    const bad = m.launch("sleep 60");
    const child = m.launch("setsid sleep 61 & wait");
    await new Deno.Command("/usr/bin/mkfifo", { args: [`${m.folder}/pipe`] }).output();
    const { stdout, stderr } = await new Deno.Command("/usr/bin/unshare", {
      args: [
        "-m",
        "/bin/sh",
        "-c",
        `mount --bind "$1" /proc/$2/environ && shift 2 && exec "$@"`,
        "sh",
        `${m.folder}/pipe`,
        String(bad.pid),
        Deno.execPath(),
        "run",
        "-A",
        "--no-prompt",
        new URL("blind_child.ts", import.meta.url).pathname,
        child.runId,
      ],
    }).output();
    const said = JSON.parse(new TextDecoder().decode(stdout) || `"${new TextDecoder().decode(stderr)}"`);
    assert.deepEqual(said, {
      left: [],
      again: [],
      killed: true,
      said: [
        `process ${bad.pid} can't be looked at: reading in /proc/${bad.pid} does not come back; it is passed over`,
      ],
    });
    bad.signal("SIGKILL");
    await Promise.all([bad.end(), child.end()]);
  },
});

Deno.test("Warden takes no empty answer for none where it could not look", async () => {
  const blind = 'there is no "grep" in PATH';
  const warden = new Warden({}, { blindness: blind });
  try {
    assert.deepEqual(await warden.sweep(["R1"]), { killed: [], left: [], untold: blind });
    assert.equal(
      await warden.rest({ runId: "R1", pid: 1 }, { group: undefined, owner: undefined }),
      undefined,
    );
    assert.match(await warden.bootId(), /-/, "what needs no such program is answered");
  } finally {
    await warden.close();
  }
});

Deno.test("SystemProcesses.lives() tells who lives from who is gone, also where nobody has waited for it, and from who can't be told", async () => {
  await using m = new Machine();
  const { processes } = m;
  const child = m.launch("sleep 0 & echo pid $!; exec sleep 60");
  await child.says("\n");
  const [, zombie] = /pid (\d+)/.exec(child.stdout)!;
  await until(() => / Z /.test(Deno.readTextFileSync(`/proc/${zombie}/stat`)));
  assert.equal(await processes.lives(Number(zombie)), false);
  assert.equal(await processes.lives(child.pid), true);
  child.signal("SIGKILL");
  await child.end();
  assert.equal(await processes.lives(child.pid), false);
  await processes.close();
  assert.equal(await processes.lives(Deno.pid), undefined, "nobody looks any more");
});
