import { DatabaseSync } from "node:sqlite";

/** A row of the history, as the database has it. Times are Unix ms. */
export interface Row {
  id: string;
  unit: string;
  status: string;
  end_reason: string | null;
  exit_code: number;
  trigger: string;
  created_at: number;
  ended_at: number | null;
  retry_attempt: number;
  instance: number;
  pid: number | null;
}

/** All runs of a data folder, oldest first; read beside the daemon, never through it. */
export function rowsOf(dataDir: string): Row[] {
  using db = openHistory(dataDir);
  return db.prepare(
    `SELECT id, unit, status, end_reason, exit_code, trigger, created_at, ended_at, retry_attempt, instance, pid
     FROM runs ORDER BY created_at, id`,
  ).all() as unknown as Row[];
}

/** What SQLite finds wrong with the database of a data folder; nothing, if all is well. */
export function damageOf(dataDir: string): string[] {
  using db = openHistory(dataDir);
  const lines = db.prepare("PRAGMA integrity_check").all().map((row) => String(row.integrity_check));
  return lines.length === 1 && lines[0] === "ok" ? [] : lines;
}

/** Up to where the ticks of each schedule are dealt with, Unix ms. */
export function handledMarks(dataDir: string): Map<string, number> {
  using db = openHistory(dataDir);
  return new Map(
    db.prepare("SELECT unit, handled FROM schedules").all().map((
      row,
    ) => [String(row.unit), Number(row.handled)]),
  );
}

function openHistory(dataDir: string): DatabaseSync {
  return new DatabaseSync(`${dataDir}/svc.db`, { readOnly: true, timeout: 5000 });
}

/**
 * What is wrong with the ticks of a task that is due every `step` seconds: each must have one row, or be counted by
 * one row of missed ticks. `missed` tells how many ticks such a row stands for.
 */
export function tickFaults(
  rows: readonly Row[],
  { unit, step, missed }: { unit: string; step: number; missed: (row: Row) => number | undefined },
): string[] {
  const ms = step * 1000;
  const faults: string[] = [];
  const times = new Map<number, string>();
  for (const row of rows) {
    if (row.unit !== unit || row.trigger !== "cron" || row.retry_attempt > 0) continue;
    const count = row.end_reason === "missed" ? missed(row) : 1;
    if (count === undefined) faults.push(`${unit}: the row of missed ticks ${row.id} does not say how many`);
    for (let n = 0; n < (count ?? 1); n++) {
      const tick = row.created_at - n * ms;
      const other = times.get(tick);
      if (other !== undefined) faults.push(`${unit}: tick ${at(tick)} has two rows, ${other} and ${row.id}`);
      times.set(tick, row.id);
    }
  }
  const ticks = [...times.keys()].sort((a, b) => a - b);
  for (const [n, tick] of ticks.entries()) {
    if (tick % ms !== 0) faults.push(`${unit}: ${at(tick)} is no tick`);
    const before = ticks[n - 1];
    if (before !== undefined && tick - before > ms) {
      faults.push(`${unit}: no row for the ticks between ${at(before)} and ${at(tick)}`);
    }
  }
  return faults;
}

function at(ms: number): string {
  return new Date(ms).toISOString();
}
