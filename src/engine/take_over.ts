import { readAbout } from "../core/kept_about.ts";
import { readKept } from "../core/kept_words.ts";
import { type TakenOver, takenOverWords } from "../core/take_over_words.ts";
import { messageOf } from "../fault.ts";
import type { KeptRun } from "../io/process/processes.ts";
import type { ActiveRow } from "../io/store/runs.ts";
import type { Run, Unit, UnitKind } from "../types.ts";
import { maskAlso } from "./runs/masking.ts";
import type { LeftRun } from "./runs/runner.ts";
import type { Services } from "./services/services.ts";
import type { Tasks } from "./tasks/tasks.ts";
import { answerWithin } from "./waits.ts";
import type { World } from "./world.ts";

/** A start waits for so long at most to be told what an earlier daemon left with keepers, ms. */
const findPatience = 30_000;

/** Who goes on with what an earlier daemon left. */
export interface Heirs {
  units: ReadonlyMap<string, Unit>;
  tasks: Tasks;
  services: Services;
  /** Of times in words (IANA). */
  timezone: string;
}

/** What was taken over: ids of the runs, of those among them that had ended, and the numbers. */
export interface Taken {
  runIds: ReadonlySet<string>;
  ended: readonly string[];
  counts: TakenOver;
}

/**
 * Goes on with the runs that outlived their daemon, as far as row and keeper agree; those that it can't go on with are
 * left to be cleared up. The ends of those that have ended are told later.
 */
export async function takeOver(world: World, rows: readonly ActiveRow[], heirs: Heirs): Promise<Taken> {
  const runIds = new Set<string>();
  const ended: string[] = [];
  const from = lastSeen(world);
  for (const { row, found } of await find(world, rows)) {
    const left = leftRunOf(world, { row, found, heirs, from });
    if (left === undefined || !handOn(world, row.run, { left, heirs })) continue;
    runIds.add(row.run.id);
    if (found.ended !== undefined) ended.push(row.run.id);
  }
  const counts = { adopted: runIds.size - ended.length, endedMeanwhile: ended.length };
  const words = takenOverWords(counts);
  if (words !== undefined) world.log.info(words);
  return { runIds, ended, counts };
}

/** What the machine has of the rows; what it does not tell in time is not there. */
async function find(
  world: World,
  rows: readonly ActiveRow[],
): Promise<{ row: ActiveRow; found: KeptRun }[]> {
  const known = new Map(rows.flatMap((row) => row.keeping === undefined ? [] : [[row.run.id, row]]));
  if (known.size === 0) return [];
  const answer = await answerWithin(world.clock, world.processes.findKept([...known.keys()]), findPatience);
  if ("trouble" in answer) {
    world.log.error("cannot tell which runs outlived an earlier daemon: none is taken over", {
      error: answer.trouble,
    });
    return [];
  }
  return answer.value.flatMap((found) => {
    const row = known.get(found.runId);
    known.delete(found.runId); // who is told twice is taken over once
    if (row === undefined) return [];
    if (row.keeping!.nonce === found.nonce) return [{ row, found }];
    world.log.warn("a run is not taken over: its row and its keeper don't agree", { run: found.runId });
    return [];
  });
}

function leftRunOf(
  world: World,
  { row: { run, keeping }, found, heirs, from }: {
    row: ActiveRow;
    found: KeptRun;
    heirs: Heirs;
    from: number;
  },
): LeftRun | undefined {
  const unit = definitionOf(run, { found, heirs });
  if (unit === undefined) {
    world.log.warn("a run is not taken over: how it was started can't be told", {
      unit: run.unit,
      run: run.id,
    });
    return undefined;
  }
  const now = world.clock.now();
  const { startedAt = now } = run;
  const { ended } = found;
  // A clock that was set meanwhile makes no run end before it began, nor in time to come.
  const endedAt = ended && Math.max(startedAt, Math.min(ended.at, now));
  return {
    unit,
    found: ended === undefined ? found : { ...found, ended: { ...ended, at: endedAt! } },
    words: readKept(keeping!.kept),
    ranFor: Math.max(0, (ended === undefined ? found.ranFor : undefined) ?? (endedAt ?? now) - startedAt),
    absence: { from: Math.min(now, Math.max(from, startedAt)), to: now, timezone: heirs.timezone },
  };
}

/** The definition that a run was started with; where that can't be read, the one of today. */
function definitionOf(run: Run, { found, heirs }: { found: KeptRun; heirs: Heirs }): Unit | undefined {
  const kind: UnitKind = run.trigger === "service" ? "service" : "task";
  const today = heirs.units.get(run.unit);
  const about = readAbout(found.about, { name: run.unit, kind });
  if (about === undefined) return today?.kind === kind ? today : undefined;
  const unit = today !== undefined && isSame(today, about.unit) ? today : about.unit;
  maskAlso(unit, about.masked);
  return unit;
}

/** As far as what was written down can be compared. */
function isSame(a: Unit, b: Unit): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Answers whether somebody goes on with it. */
function handOn(world: World, run: Run, { left, heirs }: { left: LeftRun; heirs: Heirs }): boolean {
  const { unit } = left;
  try {
    if (unit.kind === "task") heirs.tasks.takeOver(run, { ...left, unit });
    else heirs.services.takeOver(run, { ...left, unit });
    return true;
  } catch (error) {
    world.log.error("a run can't be taken over", { unit: run.unit, run: run.id, error: messageOf(error) });
    return false;
  }
}

/** When a daemon was there for the last time, or is known to have been, Unix ms. */
function lastSeen({ store, clock, processes: { diedAt } }: World): number {
  if (diedAt !== undefined) return Math.min(clock.now(), Math.max(diedAt, store.runs.newestTime() ?? 0));
  const minute = store.systemMinutes.newest();
  const seen = [store.runs.newestTime() ?? 0, minute === undefined ? 0 : (minute + 60) * 1000];
  return Math.min(clock.now(), Math.max(...seen));
}
