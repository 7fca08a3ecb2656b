import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";

/** What the runtime's debugger tells everybody who asks; "" where nobody answers as one. */
async function debuggers(): Promise<string> {
  try {
    return await (await fetch("http://127.0.0.1:9229/json", { signal: AbortSignal.timeout(1000) })).text();
  } catch {
    return "";
  }
}

/** Sends the signal while others look at the port all the time. */
async function expectClosed({ pid }: DaemonProcess): Promise<void> {
  let isOver = false;
  const looks = Array.from({ length: 4 }, async () => {
    while (!isOver) assert.doesNotMatch(await debuggers(), new RegExp(`pid: ${pid}\\]`));
  });
  for (let i = 0; i < 3; i++) {
    Deno.kill(pid, "SIGUSR1");
    assert.doesNotMatch(await debuggers(), new RegExp(`pid: ${pid}\\]`));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  isOver = true;
  await Promise.all(looks);
}

Deno.test("SIGUSR1 opens no debugger where another daemon of the user has ended, that came first", async () => {
  const first = await startDaemonProcess('[tasks.a]\nrun = "true"\n');
  const second = await startDaemonProcess('[tasks.a]\nrun = "true"\n');
  try {
    assert.equal(await first.end(), 0);
    await expectClosed(second);
  } finally {
    assert.equal(await second.end(), 0);
    for (const { folder } of [first, second]) await Deno.remove(folder, { recursive: true });
  }
});

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
