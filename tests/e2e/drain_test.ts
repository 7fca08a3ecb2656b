import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";

const config = `
[tasks.waits]
run = "while [ ! -e go ]; do sleep 0.05; done; echo done"
[services.always]
run = "exec sleep 600"
`;

const post = { method: "POST" } as const;

async function drain(daemon: DaemonProcess): Promise<void> {
  const response = await daemon.request("/api/daemon/drain", post);
  await response.body?.cancel();
  assert.equal(response.status, 202);
}

Deno.test("a daemon that is drained lets its tasks end, then stops its services and ends by itself", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    const held = daemon.request("/api/tasks/waits/run?wait=true", post);
    for (let running = false; !running;) {
      const { runs } = await (await daemon.request("/api/runs?status=running&task_name=waits")).json();
      running = runs.length === 1;
    }
    await drain(daemon);
    const refused = await daemon.request("/api/tasks/waits/run", post);
    assert.equal(refused.status, 503);
    await refused.body?.cancel();
    await Deno.writeTextFile(`${daemon.folder}/go`, "");
    assert.equal((await (await held).json()).endReason, "succeeded");
    assert.equal(await daemon.ended(), 0);
    assert.match(daemon.log(), /draining[^]*stopped/);
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("a daemon that drains ends at once when it is told to", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    await (await daemon.request("/api/tasks/waits/run", post)).body?.cancel();
    await drain(daemon);
    assert.equal(await daemon.end("SIGTERM"), 0);
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("a daemon hands out a backup of its database while it works", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    const response = await daemon.request("/api/daemon/backup", post);
    const bytes = await response.bytes();
    assert.equal(response.status, 200);
    assert.equal(new TextDecoder().decode(bytes.subarray(0, 15)), "SQLite format 3");
    const names = [...Deno.readDirSync(daemon.dataDir)].map(({ name }) => name);
    assert.ok(names.every((name) => !name.startsWith("backup-")), names.join(" "));
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
