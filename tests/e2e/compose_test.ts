import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { isAlive } from "../support/machine.ts";

/**
 * Stands in for docker: writes down how it was called, and has the process of a container in a session of its own,
 * known by a file with its pid until `docker rm`, or `--rm`, takes it away. As from docker 26 on, a client that is
 * asked to end does so at once, and its container goes on.
 */
const docker = `#!/bin/sh
folder=$(cd "$(dirname "$0")/.." && pwd)
printf '%s\\n' "$*" >> "$folder/calls"
containers=$folder/containers
case $1 in
  rm)
    shift 3
    for name; do
      [ -f "$containers/$name" ] || { echo "Error: No such container: $name" >&2; continue; }
      kill -9 "$(cat "$containers/$name")" 2>/dev/null
      rm -f "$containers/$name"
    done
    exit 0 ;;
  kill)
    [ -f "$containers/$4" ] || { echo "Error: No such container: $4" >&2; exit 1; }
    kill -s "\${3#SIG}" "$(cat "$containers/$4")" && echo "$4"
    exit ;;
esac
while [ $# -gt 1 ]; do [ "$1" = --name ] && name=$2; shift; done
mkdir -p "$containers"
echo "$1 has PW=$PW"
case $1 in
  job) program='exit 7' ;;
  stubborn) program='trap "" TERM' ;;
  *) program='trap "echo bye; exit 6" TERM' ;;
esac
# Whatever becomes of a test, it ends.
program="$program; n=0; while [ \\$((n += 1)) -lt 1200 ]; do sleep 0.05; done"
env -i PATH="$PATH" setsid /bin/sh -c "$program" & child=$!
echo $child > "$folder/$name"; mv "$folder/$name" "$containers/$name"
trap 'exit 130' TERM
wait $child; code=$?
rm -f "$containers/$name"
exit $code
`;

const yaml = `services:
  web: { image: web }
  job: { image: job, restart: "no" }
  stubborn: { image: stubborn }
`;

const config = `[compose.shop]
file = "shop.yaml"
[compose.shop.web]
secrets = { PW = "hunter2" }
[compose.shop.stubborn]
graceful_stop = "100ms"
`;

async function start(folder?: string, { first = "" } = {}): Promise<DaemonProcess> {
  if (folder === undefined) {
    folder = await Deno.makeTempDir({ prefix: "svc-test-" });
    await Deno.mkdir(`${folder}/bin`);
    await Deno.writeTextFile(`${folder}/bin/docker`, docker, { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/shop.yaml`, yaml);
  }
  const PATH = `${folder}/bin:${Deno.env.get("PATH")}`;
  return await startDaemonProcess(first + config, {
    folder,
    leavesNoCoverage: true,
    env: { SVC_AUTH: "off", PATH },
  });
}

const calls = (folder: string) =>
  isThere(`${folder}/calls`) ? Deno.readTextFileSync(`${folder}/calls`).trim().split("\n") : [];
const containers = (folder: string) =>
  isThere(`${folder}/containers`)
    ? [...Deno.readDirSync(`${folder}/containers`)].map(({ name }) => name)
    : [];

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

async function runsOf(daemon: DaemonProcess, unit: string) {
  return (await (await daemon.request(`/api/runs?task_name=${unit}`)).json()).runs ?? [];
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("A service of a compose file runs as a container, and leaves none behind", async () => {
  const daemon = await start();
  const { folder } = daemon;
  await until(async () => (await runsOf(daemon, "shop.job"))[0]?.status === "ended");
  await until(() => containers(folder).length === 2);
  const [job] = await runsOf(daemon, "shop.job");
  assert.deepEqual([job.exit_code, job.end_reason], [7, "failed"]);
  const [web] = await runsOf(daemon, "shop.web");
  const call = calls(folder).find((line) => line.endsWith(" web"))!;
  assert.equal(
    call,
    `compose --file ${folder}/shop.yaml run --rm --no-TTY --service-ports --use-aliases ` +
      `--name svc-${web.id} --label svc.run_id=${web.id} --no-deps --env PW --env SVC_RUN_ID --env SVC_TASK ` +
      "--env SVC_TRIGGER --env SVC_ATTEMPT --env SVC_INSTANCE web",
  );
  await until(async () =>
    (await (await daemon.request(`/api/runs/${web.id}/log/raw`)).text()) === "web has PW=[redacted]\n"
  );
  for (const name of ["web", "stubborn"]) {
    await (await daemon.request(`/api/tasks/shop.${name}/stop`, { method: "POST" })).body?.cancel();
  }
  await until(() => containers(folder).length === 0);
  const [stopped] = await runsOf(daemon, "shop.web");
  assert.deepEqual([stopped.exit_code, stopped.end_reason], [6, "stopped"]);
  assert.match(await (await daemon.request(`/api/runs/${web.id}/log/raw`)).text(), /\nbye\n/);
  assert.ok(calls(folder).includes(`kill --signal SIGTERM svc-${web.id}`));
  assert.ok(calls(folder).includes(`rm --force --volumes svc-${web.id}`));
  assert.equal(calls(folder).join("\n").includes("hunter2"), false);
  await daemon.end();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("A container goes on under the next daemon, which ends it as its own", async () => {
  const daemon = await start();
  const { folder } = daemon;
  await until(() => containers(folder).length === 2);
  const [web] = await runsOf(daemon, "shop.web");
  const name = `svc-${web.id}`;
  await until(() => containers(folder).includes(name));
  const pid = Number(await Deno.readTextFile(`${folder}/containers/${name}`));
  await daemon.end("SIGKILL");
  const next = await start(folder);
  assert.ok(isAlive(pid));
  const [taken] = await runsOf(next, "shop.web");
  assert.deepEqual([taken.id, taken.status], [web.id, "running"]);
  assert.equal(calls(folder).some((line) => line.startsWith("rm ") && line.includes(name)), false);
  await (await next.request("/api/tasks/shop.web/stop", { method: "POST" })).body?.cancel();
  await until(() => !containers(folder).includes(name));
  await until(async () => (await runsOf(next, "shop.web"))[0].status === "ended");
  const [stopped] = await runsOf(next, "shop.web");
  assert.deepEqual([stopped.exit_code, stopped.end_reason], [6, "stopped"]);
  await next.end();
  assert.deepEqual(containers(folder), []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("A container that may not outlive its daemon is removed by the next one", async () => {
  const first = "[defaults]\nsurvive = false\n";
  const daemon = await start(undefined, { first });
  const { folder } = daemon;
  await until(() => calls(folder).some((line) => line.endsWith(" web")));
  await until(() => containers(folder).length === 2);
  const before = containers(folder);
  await daemon.end("SIGKILL");
  const next = await start(folder, { first });
  await until(() => {
    const removed = calls(folder).filter((line) => line.startsWith("rm ")).join(" ");
    return before.every((name) => removed.includes(name));
  });
  await next.end();
  assert.deepEqual(containers(folder), []);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("Without docker a service of a compose file can't be started, and says why", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.writeTextFile(`${folder}/shop.yaml`, yaml);
  const env = { SVC_AUTH: "off", PATH: `${folder}/bin:/nowhere` };
  const daemon = await startDaemonProcess(config, { folder, env });
  await until(async () => (await runsOf(daemon, "shop.job"))[0]?.status === "ended");
  const [job] = await runsOf(daemon, "shop.job");
  assert.equal(job.end_reason, "start_failed");
  const { lines } = await (await daemon.request(`/api/runs/${job.id}/log`)).json();
  assert.match(lines[0].text, /^cannot start: cannot find "docker" in PATH/);
  assert.match(daemon.log(), /cannot find "docker" in PATH: no service of a compose file can be started/);
  await daemon.end();
  await Deno.remove(folder, { recursive: true });
});
