import type { Row } from "./history.ts";

/** What every unit's script begins with: a line in the ledger that this run executes, in this process and life. */
export const sign = 'echo "$SVC_RUN_ID $$ $LIFE $SVC_TASK" >> "$LEDGER"';

/** What a script says that must be alone with its name: a line in the ledger if it isn't. Its children hold the lock too. */
export const alone =
  `exec 9>>"$LEDGER.$SVC_TASK.$SVC_INSTANCE"; flock -n 9 || echo "$SVC_RUN_ID $$ DOUBLE $SVC_TASK" >> "$LEDGER"`;

/** What the processes themselves have written down. */
export interface Ledger {
  /** Run ids in order of their executions. */
  executed: string[];
  /** Lines of those that were not alone. */
  doubles: string[];
}

/** Reads the ledger of a stage's folder. */
export async function readLedger(folder: string): Promise<Ledger> {
  const text = await Deno.readTextFile(`${folder}/ledger`).catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const doubles = lines.filter((line) => line.split(" ")[2] === "DOUBLE");
  return {
    executed: lines.filter((line) => !doubles.includes(line)).map((line) => line.split(" ")[0]!),
    doubles,
  };
}

/** What the ledger and the history say against each other. */
export function ledgerFaults({ executed, doubles }: Ledger, rows: readonly Row[]): string[] {
  const faults = doubles.map((line) => `two at a time: ${line}`);
  const known = new Map(rows.map((row) => [row.id, row]));
  const seen = new Set<string>();
  for (const id of executed) {
    if (seen.has(id)) faults.push(`run ${id} was executed twice`);
    seen.add(id);
    if (!known.has(id)) faults.push(`run ${id} was executed and has no row`);
  }
  for (const row of rows) {
    const hasRun = row.end_reason === "success" || row.end_reason === "failed";
    if (hasRun && !seen.has(row.id)) {
      faults.push(`run ${row.id} of ${row.unit} is ${row.end_reason} and never executed`);
    }
  }
  return faults;
}
