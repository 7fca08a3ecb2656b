import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { endKept, keptIn } from "../support/kept.ts";
import { gone, isAlive, until } from "../support/machine.ts";

interface RunJson {
  id: string;
  task_name: string;
  status: string;
  end_reason?: string;
  exit_code: number;
  start_at?: string;
  end_at?: string;
  adopted_at?: string;
}

const numbers = "n=0; while :; do n=$((n + 1)); echo $n; sleep 0.02; done";

/** Daemons on one folder, one after the other; what is left of the last is ended at the end. */
class Lives implements AsyncDisposable {
  daemon!: DaemonProcess;
  #folder: string | undefined;

  async start(config: string, env: Record<string, string> = {}): Promise<DaemonProcess> {
    const folder = this.#folder;
    this.daemon = await startDaemonProcess(config, { env, ...(folder === undefined ? {} : { folder }) });
    this.#folder = this.daemon.folder;
    return this.daemon;
  }

  async kill(): Promise<void> {
    await this.daemon.end("SIGKILL");
  }

  async runs(unit: string): Promise<RunJson[]> {
    const response = await this.daemon.request(`/api/runs?task_name=${unit}&limit=100&sort_direction=asc`);
    return (await response.json()).runs;
  }

  async only(unit: string): Promise<RunJson> {
    const runs = await this.runs(unit);
    assert.equal(runs.length, 1, `${unit} has one run: ${JSON.stringify(runs)}`);
    return runs[0]!;
  }

  async trigger(unit: string): Promise<string> {
    const response = await this.daemon.request(`/api/tasks/${unit}/run`, { method: "POST" });
    assert.equal(response.status, 201);
    return (await response.json()).id;
  }

  async lines(id: string, stream = "stdout"): Promise<string[]> {
    const response = await this.daemon.request(`/api/runs/${id}/log?from=0&limit=10000`);
    const { lines } = await response.json();
    return lines.filter((line: { stream: string }) => line.stream === stream).map((
      { text }: { text: string },
    ) => text);
  }

  /** The process of a run; waits until its keeper has written that down. */
  async pidOf(id: string): Promise<number> {
    let pid = 0;
    await until(`run ${id} has a process`, () => {
      pid = keptIn(this.daemon.dataDir).find(({ runId }) => runId === id)?.pid ?? 0;
      return Promise.resolve(pid > 0);
    });
    return pid;
  }

  async info(): Promise<{ adopted: number; ended_meanwhile: number }> {
    return await (await this.daemon.request("/api/daemon")).json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.daemon.end("SIGKILL");
    endKept(this.daemon.dataDir);
    await Deno.remove(this.daemon.folder, { recursive: true });
  }
}

Deno.test("a daemon that is killed takes nothing with it: the next one goes on with its runs", async () => {
  const config = `
[services.web]
healthy_after = "100ms"
run = '${numbers}'
[tasks.long]
run = 'echo begun; read -r line < go; echo "$line"; exit 7'
`;
  await using lives = new Lives();
  const first = await lives.start(config);
  await new Deno.Command("mkfifo", { args: [`${first.folder}/go`] }).output();
  const id = await lives.trigger("long");
  await until("it has begun", async () => (await lives.lines(id)).includes("begun"));
  const web = await lives.only("web");
  const [webPid, longPid] = [await lives.pidOf(web.id), await lives.pidOf(id)];
  await until("numbers come", async () => (await lives.lines(web.id)).length > 20);
  for (let n = 0; n < 3; n++) {
    await lives.kill();
    assert.ok(isAlive(webPid) && isAlive(longPid));
    await lives.start(config);
    assert.deepEqual(await lives.info().then(({ adopted, ended_meanwhile }) => [adopted, ended_meanwhile]), [
      2,
      0,
    ]);
  }
  const after = await lives.only("web");
  assert.deepEqual([after.id, after.status, after.start_at], [web.id, "running", web.start_at]);
  assert.ok(Date.parse(after.adopted_at!) > Date.parse(web.start_at!));
  assert.equal(await lives.pidOf(web.id), webPid);
  await Deno.writeTextFile(`${first.folder}/go`, "and went on\n");
  await until("it has ended", async () => (await lives.only("long")).status === "ended");
  const long = await lives.only("long");
  assert.deepEqual([long.id, long.exit_code, long.end_reason], [id, 7, "failed"]);
  assert.deepEqual(await lives.lines(id), ["begun", "and went on"]);
  const seen = (await lives.lines(web.id)).length;
  await until("more numbers come", async () => (await lives.lines(web.id)).length > seen + 10);
  const lines = await lives.lines(web.id);
  assert.deepEqual(lines, lines.map((_, i) => String(i + 1)));
  assert.equal(await lives.daemon.end("SIGTERM"), 0);
  await gone(webPid);
  const left = ["keepers", "spools"].flatMap((name) => filesIn(`${lives.daemon.dataDir}/${name}`));
  assert.deepEqual(left, ["daemon"]);
});

Deno.test("what ends while no daemon is there has its own exit code, its end and all that it wrote", async () => {
  const config = `
[daemon]
timezone = "UTC"
[tasks.meanwhile]
retry_attempts = 1
retry_delay = "1h"
run = 'while [ ! -e go ]; do sleep 0.02; done; seq 1 2000; echo last >&2; exit 9'
[tasks.killed]
run = 'while [ ! -e go ]; do sleep 0.02; done; kill -SEGV $$'
[tasks.next]
queue_max = 5
run = 'while [ ! -e go ]; do sleep 0.02; done; sleep 1; rm go'
`;
  await using lives = new Lives();
  const first = await lives.start(config);
  const id = await lives.trigger("meanwhile");
  const killed = await lives.trigger("killed");
  const next = await lives.trigger("next");
  const queued = await lives.trigger("next");
  const pids = await Promise.all([id, killed, next].map((one) => lives.pidOf(one)));
  await lives.kill();
  const before = Date.now();
  await Deno.writeTextFile(`${first.folder}/go`, "");
  await Promise.all(pids.map((pid) => gone(pid)));
  const after = Date.now();
  // The next one takes longer to start than what is allowed below.
  await lives.start(config);
  await until("they have ended", async () => (await lives.info()).ended_meanwhile === 3);
  await until("it is told", async () => (await lives.runs("meanwhile"))[0]?.status === "ended");
  const run = (await lives.runs("meanwhile"))[0]!;
  assert.deepEqual([run.exit_code, run.end_reason], [9, "failed"]);
  assert.ok(Date.parse(run.end_at!) >= before - 20 && Date.parse(run.end_at!) <= after + 20, run.end_at);
  assert.deepEqual(await lives.lines(id), Array.from({ length: 2000 }, (_, i) => String(i + 1)));
  assert.deepEqual(await lives.lines(id, "stderr"), ["last"]);
  const [word] = await lives.lines(id, "system");
  const [, from] = /^the daemon was not there from ([-\d]+ [:\d]+) to /.exec(word!) ?? assert.fail(word);
  const absent = Date.parse(`${from!.replace(" ", "T")}Z`) - before;
  assert.ok(absent > -1500 && absent < 1000, `nobody watched from ${from}, ${absent} ms after the kill`);
  await until("the other has ended", async () => (await lives.only("killed")).status === "ended");
  const crashed = await lives.only("killed");
  assert.deepEqual([crashed.exit_code, crashed.end_reason], [139, "crashed"]);
  await until("the next in the queue begins", async () => {
    const run = (await lives.runs("next")).find(({ id }) => id === queued);
    return run?.status === "running";
  });
});

Deno.test("a daemon that hands over ends with 75, and takes with it only what can't outlive it", async () => {
  const config = `
[services.web]
run = '${numbers}'
[services.mortal]
survive = false
run = "trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 0.05; done"
[tasks.long]
run = 'seq 1 5000; sleep 300'
`;
  await using lives = new Lives();
  await lives.start(config);
  const id = await lives.trigger("long");
  const web = await lives.only("web");
  const pids = await Promise.all([web.id, id].map((one) => lives.pidOf(one)));
  const mortal = await lives.only("mortal");
  await until("the mortal one is up", async () => (await lives.lines(mortal.id)).length > 0);
  for (let n = 0; n < 3; n++) {
    const refused = await lives.daemon.request("/api/daemon/handover", { method: "POST" });
    assert.deepEqual([refused.status, (await refused.json()).detail.includes("force=true")], [409, true]);
    const answer = await lives.daemon.request("/api/daemon/handover?force=true", { method: "POST" });
    assert.deepEqual([answer.status, await answer.text()], [202, ""]);
    assert.equal(await lives.daemon.ended(), 75);
    await lives.start(config);
    const { adopted, ended_meanwhile } = await lives.info();
    assert.deepEqual([adopted, ended_meanwhile], [2, 0]);
  }
  assert.ok(pids.every(isAlive));
  const ended = (await lives.runs("mortal"))[0]!;
  assert.deepEqual([ended.id, ended.end_reason], [mortal.id, "daemon_stopped"]);
  assert.deepEqual(await lives.lines(mortal.id), ["up", "asked"]);
  assert.equal((await lives.runs("mortal")).at(-1)!.status, "running");
  assert.deepEqual(await lives.lines(id), Array.from({ length: 5000 }, (_, i) => String(i + 1)));
  const lines = await lives.lines(web.id);
  assert.ok(lines.length > 20);
  assert.deepEqual(lines, lines.map((_, i) => String(i + 1)));
});

Deno.test("what is to end with its daemon ends at the next start, and so does a service that is gone", async () => {
  const config = (services: string): string => `
[tasks.mortal]
survive = false
run = "sleep 300"
${services}`;
  await using lives = new Lives();
  await lives.start(
    config(
      '[services.stays]\nrun = "sleep 300"\n[services.goes]\nrun = "sleep 300"\n[services.other]\nrun = "sleep 300"',
    ),
  );
  const mortal = await lives.trigger("mortal");
  const stays = await lives.only("stays");
  const [staysPid, goesPid, otherPid] = [
    await lives.pidOf(stays.id),
    await lives.pidOf((await lives.only("goes")).id),
    await lives.pidOf((await lives.only("other")).id),
  ];
  assert.ok(keptIn(lives.daemon.dataDir).every(({ runId }) => runId !== mortal));
  await lives.kill();
  await lives.start(config('[services.stays]\nrun = "sleep 300"\n[services.other]\nrun = "sleep 301"'));
  assert.deepEqual([(await lives.only("mortal")).end_reason, (await lives.only("mortal")).exit_code], [
    "crashed",
    -2,
  ]);
  await gone(goesPid);
  await until("that which is gone has ended", async () => (await lives.only("goes")).status === "ended");
  await until("the changed one is recycled", async () => (await lives.runs("other")).length === 2);
  await gone(otherPid);
  assert.equal((await lives.only("stays")).status, "running");
  assert.ok(isAlive(staysPid));
});

Deno.test("what lives on without its keeper is ended, and never there twice", async () => {
  const config = '[services.web]\nrun = "sleep 300"\n';
  await using lives = new Lives();
  await lives.start(config);
  const web = await lives.only("web");
  const pid = await lives.pidOf(web.id);
  const keeper = keptIn(lives.daemon.dataDir)[0]!.keeper;
  await lives.kill();
  Deno.kill(keeper, "SIGKILL");
  await gone(keeper);
  assert.ok(isAlive(pid));
  await lives.start(config);
  await gone(pid);
  const [old, next] = await lives.runs("web");
  assert.deepEqual([old!.id, old!.end_reason, next!.status], [web.id, "crashed", "running"]);
  // Under a daemon that lives it is seen at once.
  const second = await lives.pidOf(next!.id);
  Deno.kill(keptIn(lives.daemon.dataDir)[0]!.keeper, "SIGKILL");
  await gone(second);
  await until("it is restarted", async () => (await lives.runs("web")).length === 3);
  assert.equal((await lives.runs("web"))[1]!.end_reason, "crashed");
});

Deno.test("a copy of the data folder touches no process of the original", async () => {
  const config = '[services.web]\nrun = "sleep 300"\n';
  await using lives = new Lives();
  const { folder } = await lives.start(config);
  const pid = await lives.pidOf((await lives.only("web")).id);
  const copy = await Deno.makeTempDir({ prefix: "svc-test-" });
  await new Deno.Command("cp", { args: ["-a", `${folder}/.svc`, `${copy}/.svc`] }).output();
  const second = await startDaemonProcess("", { folder: copy });
  try {
    assert.equal((await (await second.request("/api/daemon")).json()).adopted, 0);
    assert.ok(isAlive(pid));
  } finally {
    await second.end();
    await Deno.remove(copy, { recursive: true });
  }
  assert.ok(isAlive(pid));
  assert.equal((await lives.only("web")).status, "running");
});

Deno.test("variables that no shell can set keep no run from outliving the daemon", async () => {
  const config = `[tasks.odd]
shell = "bash"
env = { "a.b" = "dotted" }
run = "env | grep -e ^a.b -e ^BASH_FUNC; sleep 300"
`;
  await using lives = new Lives();
  await lives.start(config, { "BASH_FUNC_x%%": "() { echo x; }", "npm_config_//host:_auth": "y" });
  const id = await lives.trigger("odd");
  const pid = await lives.pidOf(id);
  await until("it prints", async () => (await lives.lines(id)).length >= 2);
  // The shell writes functions in its own way.
  assert.deepEqual((await lives.lines(id)).map((line) => line.slice(0, 10)).toSorted(), [
    "BASH_FUNC_",
    "a.b=dotted",
  ]);
  await lives.kill();
  await lives.start(config);
  assert.equal((await lives.only("odd")).status, "running");
  assert.ok(isAlive(pid));
});

function filesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name);
  } catch {
    return [];
  }
}
