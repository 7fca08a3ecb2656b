import { DatabaseSync } from "node:sqlite";
import { Store } from "../../src/io/store/store.ts";

/** How many rows of `filledFolder` are failures: one in so many. */
export const failureEvery = 50;

const units = 20;

/** Configuration of the units of `filledFolder`; without it the daemon would sweep their runs away. */
export const filledUnits = `[defaults]
keep_runs = 0
keep_for = 0
${Array.from({ length: units }, (_, n) => `[tasks.unit-${n}]\nrun = "true"\n`).join("")}`;

/** A folder for a daemon with a history of `rows` runs of 20 units, five seconds apart, the last one just now. */
export async function filledFolder(rows: number): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.mkdir(`${folder}/.svc`);
  const path = `${folder}/.svc/svc.db`;
  new Store(path).close();
  const db = new DatabaseSync(path);
  const first = Date.now() - rows * 5000;
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO runs (id, unit, status, exit_code, trigger, created_at, started_at, ended_at, end_reason,
       is_failure, retry_attempt, instance)
     SELECT printf('01K%023d', i), 'unit-' || (i % ${units}), 'ended', i % ${failureEvery} = 0, 'cron',
       ? + i * 5000, ? + i * 5000, ? + i * 5000 + 2000,
       CASE WHEN i % ${failureEvery} = 0 THEN 'failed' ELSE 'success' END, i % ${failureEvery} = 0, 0, 0 FROM n`,
  ).run(rows - 1, first, first, first);
  // A history is no news.
  db.exec("DELETE FROM untold");
  db.close();
  return folder;
}
