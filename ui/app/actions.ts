import { signal } from "@preact/signals";
import type { ActionRunJson } from "../../src/http/schemas/run.ts";
import { activeRuns, type Run } from "../data/runs.ts";
import { loadDaemon } from "../data/daemon.ts";
import { refreshUnit, type Unit } from "../data/units.ts";
import { ApiError, send, wordsOf } from "../net/api.ts";
import type { BodyOf } from "../net/routes.ts";
import { addressOf, go } from "./router.tsx";
import { say } from "./toast.tsx";

/** What is being done at this moment, as `stop web`: its button is busy until the daemon has answered. */
export const busy = signal<ReadonlySet<string>>(new Set());

/** Does something at once, and says it where the daemon refuses. Answers what came of it, undefined when refused. */
export async function act<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  if (busy.value.has(what)) return undefined;
  busy.value = new Set([...busy.value, what]);
  try {
    return await work();
  } catch (error) {
    say(error instanceof ApiError ? error.message : `Cannot ${what}: ${wordsOf(error)}`, { role: "bad" });
    return undefined;
  } finally {
    const rest = new Set(busy.value);
    rest.delete(what);
    busy.value = rest;
  }
}

/** A parameter that is left out is null; one that isn't named takes its default. */
export type Params = Record<string, string | null>;

/** Starts a run of a task; answers it. Throws `ApiError` with the faults of its parameters. */
export function runTask(name: string, params?: Params): Promise<ActionRunJson> {
  const body = params === undefined ? undefined : { params };
  return send("/api/tasks/:taskName/run", { taskName: name, via: "ui" }, body);
}

/** Starts a run of a task, and says so with the way to it. */
export async function runNow(name: string): Promise<void> {
  const run = await act(`run ${name}`, () => runTask(name));
  if (run !== undefined) saidRun(name, run.id);
}

/** Says that a run has begun, with the way to it. */
export function saidRun(name: string, id: string): void {
  say(`${name} was started`, { role: "good", action: { label: "Log", run: () => go(addressOf.run(id)) } });
}

type UnitAction = "start" | "stop" | "restart" | "pause" | "resume";
const done: Record<UnitAction, string> = {
  start: "starts",
  stop: "is being stopped",
  restart: "is being restarted",
  pause: "is paused",
  resume: "goes on",
};

/** Does something to a unit. */
export async function doToUnit(action: UnitAction, name: string): Promise<void> {
  const answered = await act(`${action} ${name}`, async () => {
    await send(`/api/tasks/:taskName/${action}`, { taskName: name });
    return true;
  });
  if (answered === undefined) return;
  say(`${name} ${done[action]}`);
  refreshUnit(name);
}

/** Stops a run. */
export async function stopRun(run: Run): Promise<void> {
  await act(`stop ${run.id}`, () => send("/api/runs/:runId/stop", { runId: run.id }));
}

/** Makes a run like another one. */
export async function rerun(run: Run): Promise<void> {
  const made = await act(`rerun ${run.id}`, () => runLike(run));
  if (made !== undefined) saidRun(run.task_name, made);
}

/** Answers the id of the new run. Values that are told masked are known to the daemon alone. */
async function runLike(run: Run): Promise<string | undefined> {
  const isMasked = Object.values(run.params ?? {}).some((value) => value.includes("[redacted]"));
  if (!isMasked) return (await runTask(run.task_name, run.params)).id;
  const selector: Selector = { ids: [run.id] };
  const { triggered } = await send("/api/runs/bulk/rerun", {}, selector);
  return triggered?.[0]?.run_id;
}

/** What a selector finds runs by. */
export type RunFilter = NonNullable<BodyOf<"/api/runs/bulk/stop">["filter"]>;

/** Which runs something is done to: by id, or all that a filter finds. */
export type Selector =
  | { ids: readonly string[] }
  | { match_all: true; filter: RunFilter; except_ids?: readonly string[] };

/** Hides runs, with a way back for as long as there is one. `onBack` is called when they are there again. */
export async function deleteRuns(selector: Selector, onBack: () => void): Promise<boolean> {
  const answer = await act(
    "delete runs",
    () => send("/api/runs/bulk/delete", {}, selector),
  );
  if (answer === undefined) return false;
  const { affected } = answer;
  const active = answer.skipped?.length ?? 0;
  if (affected === 0) {
    say(
      active === 0
        ? "There was nothing to delete"
        : "None was deleted: a run that is active has to end first",
    );
    return true;
  }
  const rest = active === 0 ? "" : `; ${active} ${active === 1 ? "is" : "are"} still active`;
  const text = `${affected === 1 ? "1 run was" : `${affected} runs were`} deleted${rest}`;
  say(text, {
    action: {
      label: "Undo",
      run: async () => {
        const back = await act(
          "restore runs",
          () => send("/api/runs/bulk/restore", {}, selector).then(() => true),
        );
        if (back !== undefined) onBack();
      },
    },
  });
  return true;
}

/** Reads the configuration anew. */
export async function reload(): Promise<void> {
  const answer = await act("reload", () => send("/api/daemon/reload"));
  if (answer === undefined) return;
  say("The configuration was read", { role: "good" });
  await loadDaemon();
}

/** What can be done to a unit as it is now. */
export function actionsOf(unit: Unit): UnitAction[] {
  if (unit.kind === "service") {
    return unit.service_state === "stopped" || unit.service_state === "fatal"
      ? ["start"]
      : ["restart", "stop"];
  }
  const actions: UnitAction[] = (unit.active_runs ?? 0) > 0 ? ["stop"] : [];
  if (unit.cron === undefined) return actions;
  return [...actions, unit.paused_at === undefined ? "pause" : "resume"];
}

/** A run as far as the page knows it without asking: one that is active. */
export function knownRun(id: string): Run | undefined {
  return activeRuns.value?.get(id);
}
