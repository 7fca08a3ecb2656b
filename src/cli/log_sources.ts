import { hasWildcard } from "../core/config/glob.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { TaskResponseJson } from "../http/schemas/unit.ts";
import type { Client } from "./client.ts";
import { pickUnits } from "./pick_units.ts";

/** One log to show: a run, or what a unit (of a service: one of its instances) has run last. */
export interface LogSource {
  /** For people. */
  label: string;
  /** Absent when nothing has run yet. */
  run?: RunJson;
  /** After the end of the run the next one is of interest. */
  goesOn: boolean;
  /** What newer runs are looked for by. */
  unit?: { name: string; instance: number; instances: number };
}

/** The logs that names, globs and ids of runs mean. Throws `Fault` not_found. */
export async function sourcesOf(client: Client, words: readonly string[]): Promise<LogSource[]> {
  const units = await client.units();
  const sources: LogSource[] = [];
  for (const word of words) {
    if (isRunId(word) && units.every(({ name }) => name !== word)) {
      sources.push(await runSource(client, word));
    } else sources.push(...await unitSources(client, units, word));
  }
  return sources;
}

/** The newest run of a source that goes on. */
export async function newestRun(client: Client, { unit }: LogSource): Promise<RunJson | undefined> {
  if (unit === undefined) return undefined;
  // Instances take turns, so that the newest of each is among the newest of all, unless some restart often.
  const limit = String(Math.min(1000, 50 * unit.instances));
  const { runs } = await client.runs({ task_name: unit.name, limit });
  const own = runs.filter(({ instance_index }) => instance_index === unit.instance);
  return own.find(hasOutput) ?? own[0];
}

/** What was passed over has no output: behind it stands what is looked for. */
function hasOutput({ end_reason }: RunJson): boolean {
  return end_reason === undefined || !["skipped", "queue_full", "dst_skipped", "missed"].includes(end_reason);
}

function isRunId(word: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(word);
}

async function runSource(client: Client, id: string): Promise<LogSource> {
  const run = await client.getRun(id.toUpperCase());
  return { label: `${run.task_name} ${run.id}`, run, goesOn: false };
}

async function unitSources(
  client: Client,
  units: readonly TaskResponseJson[],
  word: string,
): Promise<LogSource[]> {
  const sources: LogSource[] = [];
  if (!hasWildcard(word) && units.every(({ name }) => name !== word)) {
    const removed = await removedUnit(client, word);
    if (removed !== undefined) return [removed];
  }
  for (const unit of pickUnits(units, [word])) {
    const instances = unit.kind === "service" ? unit.instances ?? 1 : 1;
    for (let instance = 0; instance < instances; instance++) {
      const source: LogSource = {
        label: instances === 1 ? unit.name : `${unit.name}[${instance}]`,
        goesOn: unit.kind === "service",
        unit: { name: unit.name, instance, instances },
      };
      const last = instances === 1 ? unit.last_run : undefined;
      const run = last !== undefined && hasOutput(last) ? last : await newestRun(client, source);
      if (run !== undefined) source.run = run;
      sources.push(source);
    }
  }
  return sources;
}

/** Runs of a unit that is gone are still there: its exact name finds the newest. */
async function removedUnit(client: Client, name: string): Promise<LogSource | undefined> {
  const { runs: [run] } = await client.runs({ task_name: name, limit: "1" });
  return run === undefined ? undefined : { label: name, run, goesOn: false };
}
