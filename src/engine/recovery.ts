import { defaultFailures, endRun } from "../core/outcome.ts";
import { endUnexecuted } from "../core/unexecuted.ts";
import { type NamedProcess, pidWords } from "../core/pid_words.ts";
import type { ActiveRow } from "../io/store/runs.ts";
import type { FailureRule, Run, Task, Unit } from "../types.ts";
import { type Bus, publishEnd } from "./bus.ts";
import type { Containers } from "./runs/containers.ts";
import { maskPlanOf } from "./runs/masking.ts";
import { type Heirs, type Taken, takeOver } from "./take_over.ts";
import type { Tasks } from "./tasks/tasks.ts";
import { answerWithin } from "./waits.ts";
import type { World } from "./world.ts";

/** A start waits for so long at most for what looks at processes, for one of them and for all that was left, ms. */
const startTimePatience = 10_000;
const leftoverPatience = 30_000;
/** Exit code of a run whose daemon died (docs/behaviour.md#outcomes). */
const daemonDied = -2;

/** What an earlier daemon left: all of it, and what is taken over. */
export interface Legacy {
  readonly rows: readonly ActiveRow[];
  readonly taken: Taken;
}

/** Takes over the runs that outlived an earlier daemon, as far as that can be done, and touches nothing else. */
export async function inherit(world: World, heirs: Heirs): Promise<Legacy> {
  const rows = world.store.runs.active();
  return { rows, taken: await takeOver(world, rows.filter(isRunning), heirs) };
}

/** How many runs have a keeper by their rows, and are not taken over. */
export function leftBehind({ rows, taken }: Legacy): number {
  return rows.filter((row) => isRunning(row) && row.keeping !== undefined && !taken.runIds.has(row.run.id))
    .length;
}

/**
 * Brings order into what an earlier daemon left and nobody has taken over, before anything is started: its processes are
 * killed, and their runs end as `crashed`. Answers the runs that still wait, oldest first.
 */
export async function clearUp(
  world: World,
  bus: Bus,
  options: Heirs & Legacy & { bootId: string; containers: Containers },
): Promise<Run[]> {
  const { rows, taken } = options;
  const wereRunning = rows.filter(isRunning);
  const isKept = world.processes.keeping.available ||
    wereRunning.some(({ keeping }) => keeping !== undefined);
  if (isKept) await dropKept(world);
  const running = wereRunning.filter(({ run }) => !taken.runIds.has(run.id));
  const survivors = await killSurvivors(world, running.filter(isOurs(world)), options.bootId);
  await options.containers.recover(running.map(({ run }) => run), options.units, taken.runIds);
  for (const row of running) endCrashed(world, bus, { ...options, row, ...survivors });
  world.logs.dropJournals();
  const pending = rows.filter(({ run }) => run.status === "pending").map(({ run }) => run);
  const waiting: Run[] = [];
  for (const run of pending) {
    if (isOfTask(run, options.units.get(run.unit))) waiting.push(run);
    else drop(world, bus, run);
  }
  if (running.length + pending.length > 0) {
    world.log.warn("an earlier daemon left runs behind", {
      running: running.length,
      waiting: pending.length,
    });
  }
  return waiting;
}

function isRunning({ run }: ActiveRow): boolean {
  return run.status === "running";
}

/**
 * Whether a row alone speaks for its processes. Of a run that was started with a keeper only that does: the row may be of
 * a copied data folder, whose processes are the original's.
 */
function isOurs({ processes }: World): (row: ActiveRow) => boolean {
  return ({ keeping }) => keeping === undefined || !processes.keeping.available;
}

/** What nobody has taken over ends with its keeper. */
async function dropKept({ clock, processes, log }: World): Promise<void> {
  const dropped = await answerWithin(clock, processes.dropKept(), leftoverPatience);
  const { killed, left, untold } = "value" in dropped
    ? dropped.value
    : { killed: [], left: [], untold: dropped.trouble };
  for (const one of killed) {
    log.warn("ended what outlived its daemon and nobody has taken over", { process: pidWords([one]) });
  }
  for (const one of left) {
    log.error("a process that nobody has taken over can't be ended", { process: pidWords([one]) });
  }
  if (untold !== undefined) {
    log.error("cannot tell whether anything lives on that nobody has taken over", { error: untold });
  }
}

/** What lives on, whatever was tried, by run; and why more may, where the machine did not tell. */
interface Survivors {
  survivors: ReadonlyMap<string, NamedProcess>;
  untold: string | undefined;
}

/** What lives on keeps no daemon from starting, nor does a helper that says nothing. */
async function killSurvivors(
  world: World,
  running: readonly ActiveRow[],
  bootId: string,
): Promise<Survivors> {
  const survivors = new Map<string, NamedProcess>();
  const { clock, processes } = world;
  for (const { run, process } of running) {
    // The leader may have cleared its environment; its start time and boot make the pid unmistakable.
    if (process?.startTicks === undefined || !isSameBoot(process.bootId, bootId)) continue;
    const ticks = await answerWithin(clock, processes.startTicks(process.pid), startTimePatience);
    // Who does not answer for one will not do so for the others.
    if ("trouble" in ticks) break;
    if (ticks.value !== process.startTicks) continue;
    world.log.warn("killing a process that outlived its daemon", { pid: process.pid });
    if (processes.killGroup(process.pid) !== "refused") continue;
    survivors.set(run.id, { pid: process.pid, name: "" });
    world.log.error("a process of an earlier daemon can't be killed: it belongs to another user by now", {
      pid: process.pid,
    });
  }
  // Also where no run counts as running: what an ended one left behind may still be on its way out.
  const ids = running.map(({ run }) => run.id);
  const swept = await answerWithin(clock, processes.killLeftovers(ids), leftoverPatience);
  const { killed, left, untold } = "value" in swept
    ? swept.value
    : { killed: [], left: [], untold: swept.trouble };
  for (const one of killed) {
    world.log.warn("killed a process that outlived its daemon", { process: pidWords([one]) });
  }
  for (const one of left) {
    world.log.error("a process of an earlier daemon can't be killed", { process: pidWords([one]) });
  }
  if (untold !== undefined) {
    world.log.error("cannot tell whether processes of an earlier daemon live on", { error: untold });
  }
  return { survivors, untold };
}

/** Where the machine does not say which boot this is, a pid may be anybody's. */
function isSameBoot(stored: string, bootId: string): boolean {
  return stored === bootId && bootId !== "";
}

function endCrashed(
  world: World,
  bus: Bus,
  options: {
    row: ActiveRow;
    units: ReadonlyMap<string, Unit>;
    tasks: Tasks;
  } & Survivors,
): void {
  const { row, untold } = options;
  const { run } = row;
  const what = isOurs(world)(row)
    ? wordsOf(options.survivors.get(run.id), untold)
    : "what its keeper had of it was ended at the next start";
  const unit = options.units.get(run.unit);
  // What the daemon had read comes first.
  const { writer: log } = world.logs.resume(run.unit, run.id, {
    mask: maskPlanOf(unit),
    at: world.clock.now(),
  });
  log.endOutput();
  log.system(`the daemon died while this ran; ${what}`, world.clock.now());
  log.close();
  const ended = endRun(
    run,
    { reason: "crashed", exitCode: daemonDied, error: "the daemon died while it ran" },
    { failures: unit?.failures ?? builtInFailures, at: world.clock.now() },
  );
  world.store.transaction(() => {
    world.store.runs.update(ended);
    world.store.logSizes.set(run.id, log.bytes);
    if (isOfTask(run, unit)) options.tasks.retries.record(unit, ended);
  });
  publishEnd(bus, ended);
}

function wordsOf(survivor: NamedProcess | undefined, untold: string | undefined): string {
  if (survivor !== undefined) return `it can't be killed, and lives on: ${pidWords([survivor])}`;
  return untold === undefined
    ? "what was left of it was killed at the next start"
    : `whether something of it lives on can't be told: ${untold}`;
}

/** A task of today may have been a service when the run was made. */
function isOfTask(run: Run, unit: Unit | undefined): unit is Task {
  return unit?.kind === "task" && run.trigger !== "service";
}

function drop(world: World, bus: Bus, run: Run): void {
  const ended = endUnexecuted({ failures: [] }, run, {
    reason: run.trigger === "service" ? "daemon_stopped" : "stopped",
    at: world.clock.now(),
  });
  world.store.runs.update(ended);
  publishEnd(bus, ended);
}

const builtInFailures: FailureRule[] = defaultFailures.map((reason) => ({ kind: "reason", reason }));
