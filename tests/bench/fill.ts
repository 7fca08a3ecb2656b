import { DatabaseSync } from "node:sqlite";
import { Store } from "../../src/io/store/store.ts";

/** Writes a database with a history: runs of 200 units, one a second, with outcomes as they come in life. */
export function fillHistory(path: string, rows: number): void {
  new Store(path).close();
  const db = new DatabaseSync(path);
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO runs (id, unit, status, exit_code, trigger, created_at, started_at, ended_at, end_reason,
       is_failure, retry_attempt, instance)
     SELECT printf('01M%023d', i), 'unit-' || (i * 7919 % 200), 'ended',
       CASE WHEN i % 20 = 0 THEN i % 5 + 1 ELSE 0 END,
       CASE i % 10 WHEN 0 THEN 'api' WHEN 1 THEN 'service' WHEN 2 THEN 'ui' ELSE 'cron' END,
       1790000000000 + i * 1000, 1790000000005 + i * 1000, 1790000000005 + i * 1000 + i * 104729 % 60000,
       CASE WHEN i % 20 <> 0 THEN 'success' WHEN i % 3 = 0 THEN 'failed' WHEN i % 3 = 1 THEN 'timeout' ELSE 'crashed' END,
       i % 20 = 0, i % 50 = 0, 0 FROM n`,
  ).run(rows - 1);
  // A history is no news.
  db.exec("DELETE FROM untold");
  db.close();
}
