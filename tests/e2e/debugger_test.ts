import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";

/** What the runtime's debugger tells everybody who asks; "" where nobody answers as one. */
async function debuggers(): Promise<string> {
  try {
    return await (await fetch("http://127.0.0.1:9229/json", { signal: AbortSignal.timeout(1000) })).text();
  } catch {
    return "";
  }
}

Deno.test("SIGUSR1 opens no debugger, and the daemon goes on", async () => {
  const daemon = await startDaemonProcess('[tasks.a]\nrun = "true"\n');
  try {
    for (let i = 0; i < 3; i++) {
      Deno.kill(daemon.pid, "SIGUSR1");
      assert.doesNotMatch(await debuggers(), new RegExp(`pid: ${daemon.pid}\\]`));
    }
    await until("it has told so", () => Promise.resolve(daemon.log().includes("SIGUSR1 does nothing here")));
    assert.doesNotMatch(await debuggers(), new RegExp(`pid: ${daemon.pid}\\]`));
    assert.deepEqual(await (await daemon.request("/health")).json(), { status: "ok" });
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
