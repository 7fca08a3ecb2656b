import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";

const task = '[tasks.x]\nrun = "echo hello"\n';

/** Whether the daemon says that it can serve metrics. */
async function isAvailable(daemon: DaemonProcess): Promise<boolean> {
  const { capabilities } = await (await daemon.request("/api/daemon")).json();
  return capabilities.find(({ name }: { name: string }) => name === "metrics").available;
}

async function end(daemon: DaemonProcess): Promise<void> {
  assert.equal(await daemon.end(), 0);
  await Deno.remove(daemon.folder, { recursive: true });
}

/** An address of this machine where nobody listens. */
function freeAddress(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `127.0.0.1:${listener.addr.port}`;
}

Deno.test("a daemon with metrics serves them beside the API", async () => {
  const daemon = await startDaemonProcess(`[daemon]\nmetrics = true\n${task}`);
  try {
    await (await daemon.request("/api/tasks/x/run?wait=true", { method: "POST" })).body?.cancel();
    const text = await (await daemon.request("/metrics")).text();
    assert.match(text, /^svc_runs_total\{task="x",end_reason="success"\} 1$/m);
    assert.match(text, /^svc_log_bytes_total 6$/m);
    const memory = /^svc_process_resident_memory_bytes (\d+)$/m.exec(text)?.[1];
    assert.ok(Number(memory) > 1e6, memory);
    assert.equal(await isAvailable(daemon), true);
    assert.doesNotMatch(daemon.log(), /metrics/);
  } finally {
    await end(daemon);
  }
});

Deno.test("a daemon with metrics_listen serves them there, and only there", async () => {
  const address = freeAddress();
  const daemon = await startDaemonProcess(`[daemon]\nmetrics = true\nmetrics_listen = "${address}"\n${task}`);
  try {
    const answer = await fetch(`http://${address}/metrics`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /^svc_active_runs\{task="x"\} 0$/m);
    for (const url of [`${daemon.url}/metrics`, `http://${address}/api/tasks`]) {
      const refused = await fetch(url);
      await refused.body?.cancel();
      assert.equal(refused.status, 404, url);
    }
    assert.equal(await isAvailable(daemon), true);
  } finally {
    await end(daemon);
  }
});

Deno.test("a daemon does not start where metrics_listen is taken, and says what to change", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const config = `[daemon]\nmetrics = true\nmetrics_listen = "127.0.0.1:${listener.addr.port}"\n`;
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  try {
    await assert.rejects(startDaemonProcess(config, { folder }), /the address is in use.*metrics_listen/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a daemon without metrics says so", async () => {
  const daemon = await startDaemonProcess(task);
  try {
    const refused = await daemon.request("/metrics");
    await refused.body?.cancel();
    assert.equal(refused.status, 404);
    assert.equal(await isAvailable(daemon), false);
  } finally {
    await end(daemon);
  }
});
