import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { plainEnv, readUntil, svc, svcProcess, svcShell } from "../support/svc_process.ts";
import { needs } from "../support/needs.ts";

const config = `
[tasks.both]
run = "echo out; echo err >&2; exit 3"

[tasks.stubborn]
run = "trap '' TERM; echo started; while [ ! -e go ]; do sleep 0.05; done; echo went on"
graceful_stop = "60s"

[tasks.place]
run = "env | sort; umask; pwd; id; ulimit -a; nice"
umask = "027"
env_file = "place.env"
env = { FROM = "unit" }
secrets = { PW = "hunter2-hunter2" }
params = [{ env = "WHO", default = "you" }]

[tasks.clean]
run = "env | sort"
env_base = "clean"

[tasks.limited]
# The controllers of cgroup v1 have a folder each, v2 has one for all.
run = '''
while IFS=: read -r number names path; do
  for root in /sys/fs/cgroup/\${names#name=} /sys/fs/cgroup; do
    for file in pids.max memory.max memory.limit_in_bytes cpu.max cpu.cfs_quota_us; do
      if [ -f "$root$path/$file" ]; then echo "$file $(cat "$root$path/$file")"; fi
    done
  done
done < /proc/self/cgroup | sort -u
'''
limits = { memory = "64mb", pids = 17, cpu = 0.5 }

[tasks.late]
run = "trap 'echo bye; exit 0' TERM; sleep 600 & wait"
timeout = "200ms"
`;

async function withDaemon(work: (daemon: DaemonProcess) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.writeTextFile(`${folder}/place.env`, "FROM_FILE=1\n");
  const daemon = await startDaemonProcess(config, { folder, env: plainEnv });
  try {
    await work(daemon);
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
}

/** What differs from run to run, and the mark of a run that had no daemon. */
function alike(text: string): string {
  return text.replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID").replace(/ in [\d.]+ m?s\b/, " in a while")
    .replace(", standalone)", ")");
}

Deno.test("svc run --standalone gives a task the environment, limits and timeout that a daemon gives it", async () => {
  await withDaemon(async ({ folder: cwd }) => {
    const env = { SVC_AUTH: "off" };
    // Control groups are root's.
    for (const name of ["place", "clean", ...needs.root.isThere ? ["limited"] : [], "late", "both"]) {
      const under = await svc(["run", name], { cwd, env });
      const alone = await svc(["run", name, "--standalone"], { cwd, env });
      assert.notEqual(under.stdout, "", name);
      assert.deepEqual(
        [alone.code, alike(alone.stdout), alike(alone.stderr)],
        [under.code, alike(under.stdout), alike(under.stderr)],
        name,
      );
    }
  });
});

Deno.test("svc run keeps both streams apart, and with --json prints the run and nothing of its output", async () => {
  await withDaemon(async ({ folder: cwd }) => {
    const { code, stdout } = await svcShell("$SVC run both 2> err", { cwd });
    assert.deepEqual([code, stdout], [3, "out\n"]);
    assert.match(Deno.readTextFileSync(`${cwd}/err`), /^err\n✕ both failed \(3\) in /);
    for (const how of [[], ["--standalone"]]) {
      const json = await svc(["run", "both", "--json", ...how], { cwd });
      assert.equal(json.code, 3);
      const { schema_version, run } = JSON.parse(json.stdout);
      assert.deepEqual([schema_version, run.task_name, run.exit_code, run.end_reason], [
        1,
        "both",
        3,
        "failed",
      ]);
      assert.match(json.stderr, /^✕ both failed \(3\) in [^\n]*\n$/);
    }
    const detached = await svc(["run", "both", "--detach", "--json"], { cwd });
    assert.deepEqual([detached.code, detached.stderr], [0, ""]);
    assert.match(JSON.parse(detached.stdout).run.id, /^\w{26}$/);
  });
});

Deno.test("svc run leaves a run that does not stop to itself at the second Ctrl-C", async () => {
  await withDaemon(async ({ folder: cwd }) => {
    const child = svcProcess(["run", "stubborn"], { cwd }).spawn();
    const [out, err] = [child.stdout.getReader(), child.stderr.getReader()];
    await readUntil(out, "started");
    child.kill("SIGINT");
    const told = await readUntil(err, "\n");
    const id = /^stopping run (\w{26}); Ctrl-C again leaves it\n/.exec(told)?.[1] ?? assert.fail(told);
    child.kill("SIGINT");
    assert.equal((await child.status).code, 130);
    await Promise.all([out.cancel(), err.cancel()]);
    Deno.writeTextFileSync(`${cwd}/go`, "");
    const { code, stdout } = await svc(["logs", "-f", id], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^started\nstop requested: SIGTERM sent\nwent on\n$/);
  });
});

Deno.test("svc run says that its output can't be stored, and still waits for the code", async () => {
  await withDaemon(async ({ folder: cwd }) => {
    for (const how of ["", " --standalone"]) {
      const { code, stderr } = await svcShell(`$SVC run both${how} > /dev/full`, { cwd });
      assert.equal(code, 3);
      assert.match(
        stderr,
        /^err\n✕ both failed [^\n]*\nsvc: cannot write the output: No space left [^\n]*\n$/,
      );
      // What the run made of it is well, what came of it here is not.
      assert.equal((await svcShell(`$SVC run clean${how} > /dev/full`, { cwd })).code, 1);
    }
    const list = await svcShell("$SVC list > /dev/full", { cwd });
    assert.equal(list.code, 1);
    assert.match(list.stderr, /^svc: cannot write the output: No space left on device[^\n]*\n$/);
    assert.equal((await svcShell("$SVC lst 2> /dev/full", { cwd })).code, 2);
  });
});
