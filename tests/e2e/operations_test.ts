import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { readUntil, svc as call, svcProcess } from "../support/svc_process.ts";

const config = `
[tasks.waits]
run = "while [ ! -e go ]; do sleep 0.05; done; echo done"
[tasks.quick]
run = "echo quick"
[tasks.slow]
run = "trap 'echo bye; exit 7' TERM; sleep 600 & echo started; wait"
[services.web]
run = "exec sleep 600"
`;

const svc = (args: readonly string[], cwd: string) => call(args, { cwd });

Deno.test("svc backs a daemon up, drains it, restores the backup, and the next daemon has it", async () => {
  const first = await startDaemonProcess(config);
  const { folder } = first;
  try {
    assert.equal((await svc(["run", "quick"], folder)).code, 0);
    const backup = await svc(["backup", "saved.db"], folder);
    assert.match(backup.stdout, /^backed up the database to saved\.db, \d/);
    assert.equal((await svc(["run", "quick"], folder)).code, 0);
    const early = await svc(["restore", "saved.db"], folder);
    assert.equal(early.code, 1);
    assert.match(early.stderr, new RegExp(`in use by a running daemon \\(pid ${first.pid}\\)`));

    assert.equal((await svc(["run", "waits", "--detach"], folder)).code, 0);
    const draining = svcProcess(["drain"], { cwd: folder }).spawn();
    const reader = draining.stderr.getReader();
    const told = await readUntil(reader, "\n");
    assert.match(told, /^the daemon drains: it waits for waits \(run \w{26}\)\n/);
    await Deno.writeTextFile(`${folder}/go`, "");
    assert.match(await readUntil(reader, "has ended"), /the daemon has ended, after /);
    await Promise.all([reader.cancel(), draining.stdout.cancel()]);
    assert.equal((await draining.status).code, 0);
    assert.equal(await first.ended(), 0);

    const restored = await svc(["restore", "saved.db"], folder);
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(
      restored.stdout,
      /^restored saved\.db with \d runs? to .*\nthe database before it is kept as .*before-restore/,
    );
    const next = await startDaemonProcess(config, { folder });
    const { runs } = JSON.parse((await svc(["runs", "--task", "quick", "--json"], folder)).stdout);
    await next.end();
    assert.equal(runs.length, 1, "the second run came after the backup");
  } finally {
    await first.end();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("svc run --standalone stops the run at Ctrl-C, and exits with its code", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, config);
    const child = svcProcess(["run", "slow", "--standalone"], { cwd: folder }).spawn();
    const reader = child.stdout.getReader();
    await readUntil(reader, "started");
    child.kill("SIGINT");
    assert.match(await readUntil(reader, "bye"), /bye/);
    const told = await new Response(child.stderr).text();
    await reader.cancel();
    assert.equal((await child.status).code, 7);
    assert.match(told, /^stop requested: SIGTERM sent\n■ slow stopped in .* \(run \w{26}, standalone\)\n$/);
    assert.equal([...Deno.readDirSync(folder)].length, 1, "nothing is left beside the configuration");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("svc run ends with 3 when the daemon is killed under it", async () => {
  const daemon = await startDaemonProcess(config);
  const { folder } = daemon;
  try {
    const child = svcProcess(["run", "slow"], { cwd: folder }).spawn();
    const reader = child.stdout.getReader();
    await readUntil(reader, "started");
    await daemon.end("SIGKILL");
    const told = await new Response(child.stderr).text();
    await reader.cancel();
    assert.equal((await child.status).code, 3);
    assert.match(told, /^svc: the daemon went away during run \w{26}: [^\n]*\n$/);
    // A socket that nobody listens at any more.
    const stale = await svc(["list"], folder);
    assert.equal(stale.code, 3);
    const next = await startDaemonProcess(config, { folder });
    await next.end();
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
});
