import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { livingCarriers, until } from "../support/machine.ts";

const config = `
[defaults]
graceful_stop = "500ms"
survive = false
[tasks.quick]
run = "true"
max_concurrent = 4
queue_max = 10000

[tasks.slow]
run = "setsid sleep 300 & trap '' TERM; sleep 300"
max_concurrent = 4

[services.web]
instances = 2
healthy_after = "100ms"
run = "sleep 300 & wait"

[services.stubborn]
run = "trap '' TERM; while :; do sleep 1; done"
`;

Deno.test("a daemon that is killed under load leaves nothing behind once it is started again", async () => {
  const first = await startDaemonProcess(config);
  let second: DaemonProcess | undefined;
  try {
    const triggered = await Promise.all(
      Array.from({ length: 60 }, (_, n) => trigger(first, n % 10 === 0 ? "slow" : "quick")),
    );
    await first.end("SIGKILL");
    const killedAt = Date.now();
    second = await startDaemonProcess(config, { folder: first.folder });
    const daemon = second;
    await until(
      "all quick runs have ended",
      async () => (await runs(daemon, "task_name=quick&status=pending,running")).total === 0,
    );

    const all = await runs(daemon, "limit=1000");
    const known = new Set(all.runs.map(({ id }) => id));
    for (const id of triggered) assert.ok(known.has(id), `run ${id} was accepted and is lost`);
    const zombies = all.runs.filter(({ status, start_at }) =>
      status === "running" && Date.parse(start_at!) < killedAt
    );
    assert.deepEqual(zombies, [], "no run of the first life still counts as running");
    const crashed = all.runs.filter(({ end_reason }) => end_reason === "crashed");
    assert.ok(crashed.length >= 3, "what executed when the daemon died ended as crashed");
    assert.ok(crashed.every(({ exit_code }) => exit_code === -2));

    const running = await runs(daemon, "status=running&limit=1000");
    const live = new Set((await livingCarriers()).filter((carrier) => known.has(carrier)));
    for (const run of running.runs) live.delete(run.id);
    assert.deepEqual([...live], [], "no process of an ended run is alive");
    const services = running.runs.filter(({ triggered_by }) => triggered_by === "service");
    const slots = services.map(({ task_name, instance_index }) => `${task_name}/${instance_index}`).sort();
    assert.deepEqual(slots, ["stubborn/0", "web/0", "web/1"], "each service is up once");
  } finally {
    await second?.end();
    await Deno.remove(first.folder, { recursive: true });
  }
});

Deno.test("a daemon that is asked to end takes every process with it and says so", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    await trigger(daemon, "slow");
    const { runs: before } = await runs(daemon, "status=running");
    assert.ok(before.length >= 4);
    assert.equal(await daemon.end("SIGTERM"), 0);
    const left = (await livingCarriers()).filter((id) => before.some((run) => run.id === id));
    assert.deepEqual(left, []);
    assert.match(daemon.log(), /stopped/);
    await assert.rejects(Deno.stat(`${daemon.dataDir}/daemon.json`), Deno.errors.NotFound);
    await assert.rejects(Deno.stat(`${daemon.dataDir}/svc.sock`), Deno.errors.NotFound);

    const again = await startDaemonProcess("", { folder: daemon.folder });
    const { runs: after } = await runs(again, "limit=1000");
    await again.end();
    for (const { id } of before) {
      const run = after.find((one) => one.id === id);
      assert.equal(run?.end_reason, "daemon_stopped", `run ${id}`);
    }
    assert.doesNotMatch(again.log(), /did not end in order/);
  } finally {
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("a daemon finds what its predecessor left though it hides, where it may make control groups", async () => {
  const hidden =
    "[tasks.hidden]\nsurvive = false\nrun = \"env -i setsid sh -c 'echo $$ > pid; exec sleep 300' & sleep 300\"\n";
  const first = await startDaemonProcess(hidden);
  try {
    const { capabilities } = await (await first.request("/api/daemon")).json();
    const cgroup = capabilities.find(({ name }: { name: string }) => name === "cgroup").available;
    await trigger(first, "hidden");
    const pidFile = `${first.folder}/pid`;
    await until("it is there", async () => (await Deno.readTextFile(pidFile).catch(() => "")).endsWith("\n"));
    const pid = Number(await Deno.readTextFile(pidFile));
    await first.end("SIGKILL");
    const second = await startDaemonProcess(hidden, { folder: first.folder });
    const isAlive = (await Deno.readTextFile(`/proc/${pid}/cmdline`).catch(() => "")).includes("sleep");
    assert.equal(isAlive, !cgroup);
    if (isAlive) Deno.kill(pid, "SIGKILL");
    await second.end();
  } finally {
    await Deno.remove(first.folder, { recursive: true });
  }
});

Deno.test("two hundred triggers at once give two hundred runs, each ended once", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    const ids = await Promise.all(Array.from({ length: 200 }, () => trigger(daemon, "quick")));
    assert.equal(new Set(ids).size, 200);
    await until(
      "all have ended",
      async () => (await runs(daemon, "task_name=quick&status=pending,running")).total === 0,
    );
    const { total } = await runs(daemon, "task_name=quick&status=success");
    assert.equal(total, 200);
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

async function trigger(daemon: DaemonProcess, task: string): Promise<string> {
  const response = await daemon.request(`/api/tasks/${task}/run`, { method: "POST" });
  const run = await response.json();
  assert.equal(response.status, 201, JSON.stringify(run));
  return run.id;
}

interface RunRow {
  id: string;
  task_name: string;
  status: string;
  exit_code: number;
  end_reason?: string;
  triggered_by: string;
  instance_index: number;
  start_at?: string;
}

async function runs(daemon: DaemonProcess, query: string): Promise<{ runs: RunRow[]; total: number }> {
  return await (await daemon.request(`/api/runs?${query}`)).json();
}
