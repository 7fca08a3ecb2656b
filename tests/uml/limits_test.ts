import assert from "node:assert/strict";
import type { RunJson } from "../../src/http/schemas/run.ts";
import { svcCommand } from "../support/daemon_process.ts";
import { boot, canBoot, type Session } from "./kernel.ts";

const config = `
[daemon]
# One after the other: the last one says that all others have ended.
max_parallel_runs = 1

[tasks.cpuhog]
run_on_start = true
limits = { cpu = 0.2 }
run = '''
i=0
while [ $i -lt 60000 ]; do i=$((i + 1)); done
group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
sed -n 's/^nr_throttled //p' "$group/cpu.stat" > /run/cpuhog
'''

[tasks.forker]
run_on_start = true
limits = { pids = 20 }
run = "for i in $(seq 60); do sleep 100 & done"

[tasks.memhog]
run_on_start = true
limits = { memory = "64mb" }
run = "head -c 100m /dev/zero | tail | wc -c"

[tasks.stray]
run_on_start = true
run = '''
env -i setsid /bin/sh -c 'trap "" TERM; echo $$ > /run/stray; exec /bin/sleep 1000' &
until [ -s /run/stray ]; do sleep 0.05; done
'''

[tasks.zover]
run_on_start = true
run = "touch /run/over"
`;

const source = new URL("./", import.meta.url).pathname;
const isThere = await canBoot();
const here = { ignore: !isThere, sanitizeOps: false, sanitizeResources: false };

/**
 * What is written outside while this kernel reads it comes in pieces, and the runtime breaks ("unreachable code") at a
 * cache of compiled code that is torn.
 */
const uncached = ["--no-code-cache"];

/** One kernel for all tests, which is booted by the first of them. */
let session: Promise<Session> | undefined;

function played(): Promise<Session> {
  return session ??= play();
}

async function play(): Promise<Session> {
  const folder = await Deno.makeTempDir({ prefix: "svc-uml-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, config);
    const words = [Deno.execPath(), "run", ...uncached, "-A", "-q", "--no-prompt", `${source}probe.ts`];
    return await boot(await Deno.readTextFile(`${source}session.sh`), {
      patience: 300_000,
      env: {
        SVC: svcCommand().flatMap((word) => word === "run" ? [word, ...uncached] : word).join(" "),
        PROBE: words.join(" "),
        CONFIG: `${folder}/svc.toml`,
        SVC_AUTH: "off",
        DENO_DIR: await denoDir(),
        DENO_NO_UPDATE_CHECK: "1",
        NO_COLOR: "1",
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" })
    .output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

/** What was told by a name; all that the kernel printed is shown where that is missing. */
async function told(name: string): Promise<string> {
  const { said, console } = await played();
  const value = said.get(name);
  assert.ok(value !== undefined, `nothing was told of ${name}:\n${console}`);
  return value;
}

async function runOf(task: string): Promise<RunJson> {
  const { runs } = JSON.parse(await told("runs")) as { runs: RunJson[] };
  const run = runs.find(({ task_name }) => task_name === task);
  assert.ok(run !== undefined, await told("runs"));
  return run;
}

Deno.test(
  "a real kernel: the daemon's group stays a domain, and hands its controllers on from a leaf",
  here,
  async () => {
    assert.equal(await told("type"), "domain");
    assert.deepEqual((await told("handed")).split(" ").sort(), ["cpu", "memory", "pids"]);
    assert.equal(await told("place"), "/daemon");
    assert.match(await told("log"), /ready .*limits="?memory cpu pids/);
    assert.equal(await told("reload"), "yes", "systemd may put a process beside the daemon");
    assert.equal(await told("exit"), "0");
  },
);

Deno.test("a real kernel: limits.memory ends a run that wants more", here, async () => {
  const { end_reason, exit_code, peak_memory_bytes } = await runOf("memhog");
  assert.deepEqual([end_reason, exit_code], ["crashed", 137]);
  assert.ok(peak_memory_bytes! <= 64e6, `${peak_memory_bytes}`);
});

Deno.test("a real kernel: limits.pids refuses a process too many", here, async () => {
  assert.equal((await runOf("forker")).end_reason, "failed");
});

Deno.test("a real kernel: limits.cpu slows a run down", here, async () => {
  assert.ok(Number(await told("cpuhog")) > 0);
  const { end_reason, cpu_time_ms, start_at, end_at } = await runOf("cpuhog");
  const took = Date.parse(end_at!) - Date.parse(start_at!);
  assert.equal(end_reason, "success");
  assert.ok(cpu_time_ms! < took / 2, `${cpu_time_ms} ms of ${took} ms`);
});

Deno.test("a real kernel: what a run leaves behind is found by its group alone", here, async () => {
  assert.equal(await told("stray_killed"), "yes");
});

Deno.test("a real kernel: doctor tells what is held", here, async () => {
  const { findings } = JSON.parse(await told("doctor")) as { findings: { check: string; seen: string }[] };
  assert.equal(
    findings.find(({ check }) => check === "control groups")?.seen,
    "v2, usable: memory, cpu, pids",
  );
});

Deno.test("a real kernel: a group that others are in is left as it is, and that is told", here, async () => {
  assert.deepEqual(JSON.parse(await told("shared")), {
    controllers: "",
    shared: "/sys/fs/cgroup/sys/session.scope",
  });
  assert.equal(await told("shared_type"), "domain");
});

Deno.test(
  "a real kernel: a group that an earlier version has made threaded is a domain again",
  here,
  async () => {
    assert.equal(await told("old_before"), "domain threaded");
    assert.deepEqual(JSON.parse(await told("old")), { controllers: "cpu memory pids" });
    assert.equal(await told("old_type"), "domain");
  },
);

Deno.test(
  "a real kernel: systemd can put the next daemon where the last one was, while limits are held",
  here,
  async () => {
    for (const place of ["beside", "scoped"]) {
      assert.deepEqual(JSON.parse(await told(place)), { controllers: "cpu memory pids" }, place);
      assert.deepEqual((await told(`${place}_handed`)).split(" ").sort(), ["cpu", "memory", "pids"], place);
      assert.equal(await told(`${place}_again`), "yes", place);
    }
  },
);

Deno.test("a real kernel: without a place of their own, groups of runs have no limits", here, async () => {
  assert.deepEqual(JSON.parse(await told("entered")), { controllers: "" });
  assert.equal(await told("entered_again"), "yes");
});
