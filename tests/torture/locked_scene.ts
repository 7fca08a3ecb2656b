import { DatabaseSync } from "node:sqlite";
import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { Clients, together } from "./clients.ts";
import { rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { pass, type Stage, within } from "./stage.ts";
import { ticking, troubleConfig } from "./trouble.ts";

/** How long the other program keeps its lock: longer than the daemon waits for it, ms. */
const lockTime = 7000;

/** A database that another program locks in the middle of load, and before a start. */
export async function lockedScene(stage: Stage): Promise<string> {
  const config = troubleConfig({ hides: false });
  const first = await stage.start(config);
  const { dataDir } = first;
  const clients = new Clients(first.url, { trigger: "manual" });
  stage.expect(await within(10_000, () => rowsOf(dataDir).length > 20), "no load");
  const rounds = stage.short ? 1 : 3;
  for (let round = 0; round < rounds; round++) {
    await locked(dataDir, () => pass(lockTime));
    const released = Date.now();
    const goesOn = await within(
      20_000,
      () => rowsOf(dataDir).some((row) => row.created_at > released + 1000),
    );
    stage.expect(goesOn, "it did not go on once the lock was gone");
    await pass(stage.random.below(2000));
  }
  const reports = [await clients.leave()];
  await first.end("SIGKILL");
  noteErrors(stage, first);

  // The lock is there before the daemon: it waits, or says why it can't start.
  let refused = 0;
  const held = locked(dataDir, async () => {
    const spawned = await stage.spawn(config);
    const daemon = await spawned.ready();
    if (daemon !== undefined) return stage.expect(false, "ready in spite of the lock");
    refused++;
    stage.expect(await spawned.ended() === 1, `it ended with ${await spawned.ended()}`);
    stage.expect(spawned.log().includes("locked"), `it said: ${spawned.log()}`);
  });
  await held;

  // A lock that is gone in time costs a start nothing but time.
  let begun: Promise<Awaited<ReturnType<typeof stage.start>>> | undefined;
  await locked(dataDir, async () => {
    begun = stage.start(config);
    await pass(2500);
  });
  const last = await begun!;
  await checkStart(stage, last);
  const more = new Clients(last.url, { trigger: "manual" });
  await pass(1500);
  reports.push(await more.leave());
  await checkQuiet(stage, last, ticking);
  await checkStop(stage, last, { limit: 12_000 });
  noteErrors(stage, last);
  const { accepted, requests, slowest, faults } = together(reports);
  const others = faults.filter((fault) => !fault.includes("database is locked"));
  for (const fault of others) stage.expect(false, fault);
  const rows = await checkHistory(stage, { dataDir, ticking, accepted });
  return `locked ${rounds} times for ${lockTime} ms under load and twice at a start (${refused} refused), ` +
    `${rows.length} runs, ${requests} requests (slowest ${slowest} ms, ${
      faults.length - others.length
    } told of the lock)`;
}

async function locked(dataDir: string, work: () => Promise<unknown>): Promise<void> {
  const other = new DatabaseSync(`${dataDir}/svc.db`, { timeout: 5000 });
  try {
    other.exec("BEGIN IMMEDIATE");
    await work();
    other.exec("ROLLBACK");
  } finally {
    other.close();
  }
}
