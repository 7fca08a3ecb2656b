import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";

/** The daemon waits this long for another program's lock before it gives up for the moment, ms. */
const patience = 5000;

Deno.test("a database that another program locks costs the daemon time, and no tick", async () => {
  const daemon = await startDaemonProcess('[tasks.tick]\nrun = "true"\ncron = "* * * * * *"\n');
  const ticks = async (): Promise<number[]> => {
    const { runs } = await (await daemon.request("/api/runs?limit=1000")).json();
    return runs.map(({ created_at }: { created_at: string }) => Date.parse(created_at) / 1000).toReversed();
  };
  try {
    await until("two ticks ran", async () => (await ticks()).length >= 2);
    const other = new DatabaseSync(`${daemon.dataDir}/svc.db`, { timeout: 5000 });
    other.exec("BEGIN IMMEDIATE");
    await new Promise((resolve) => setTimeout(resolve, patience + 1500));
    other.exec("ROLLBACK");
    other.close();
    const released = Math.floor(Date.now() / 1000);
    await until("it goes on", async () => (await ticks()).at(-1)! > released);
    const all = await ticks();
    assert.deepEqual(all, all.map((_, n) => all[0]! + n), "each second once, none left out");
    assert.match(daemon.log(), /database is locked/);
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
