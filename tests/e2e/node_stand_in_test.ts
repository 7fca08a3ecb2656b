import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";

const config = `
[tasks.node]
run = 'command -v node || echo none; echo "$PATH"; /usr/bin/env | /bin/grep ^DENO_NODE || echo clean'
`;

Deno.test("A run on a machine without Node finds none, though the runtime brings a stand-in", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-node-" });
  try {
    await Deno.mkdir(`${folder}/bin`);
    const daemon = await startDaemonProcess(config, { folder, env: { PATH: `${folder}/bin` } });
    const run = await (await daemon.request("/api/tasks/node/run?wait=true", { method: "POST" })).json();
    const { lines } = await (await daemon.request(`/api/runs/${run.id}/log`)).json();
    assert.deepEqual(lines.map(({ text }: { text: string }) => text), ["none", `${folder}/bin`, "clean"]);
    assert.equal(await daemon.end(), 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
