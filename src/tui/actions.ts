import type { RunJson } from "../http/schemas/run.ts";
import type { TaskResponseJson } from "../http/schemas/unit.ts";
import type { Effect } from "./effect.ts";
import { formOf } from "./param_form.ts";
import { type Question, type State, viewOf, withMessage } from "./state.ts";
import { railIndex, shownUnits, unitNamed } from "./units.ts";

/** The units that an action means: those that are selected, else the one that is looked at. */
export function targetUnits(state: State): TaskResponseJson[] {
  const view = viewOf(state);
  const names = state.rail.marked.length > 0 ? state.rail.marked : [nameInSight(state)];
  if (state.focus === "main" && view.kind === "unit") return found(state, [view.name]);
  return found(state, names);
}

function nameInSight(state: State): string | undefined {
  const view = viewOf(state);
  if (state.focus === "rail") return shownUnits(state)[railIndex(state)]?.name;
  if (view.kind === "unit") return view.name;
  return view.kind === "run" ? view.run?.task_name : undefined;
}

function found(state: State, names: readonly (string | undefined)[]): TaskResponseJson[] {
  return names.flatMap((name) => {
    const unit = name === undefined ? undefined : unitNamed(state, name);
    return unit === undefined ? [] : [unit];
  });
}

/** The state that asks before units are run or restarted, or that shows the form of a task's parameters. */
export function askRun(state: State): State {
  const units = targetUnits(state);
  const [only] = units;
  if (only === undefined) return withMessage(state, "Nothing to run here.");
  const form = units.length === 1 ? formOf(only) : undefined;
  if (form !== undefined) return { ...state, form };
  const services = units.filter(({ kind }) => kind === "service");
  const tasks = units.filter(({ kind }) => kind === "task");
  const parts = [
    ...(tasks.length === 0 ? [] : [`run ${named(tasks)}`]),
    ...(services.length === 0 ? [] : [`${startsOrRestarts(services)} ${named(services)}`]),
  ];
  return ask(state, {
    text: `${capital(parts.join(" and "))}?`,
    effects: [
      ...tasks.map(({ name }): Effect => ({ do: "run", name, params: {}, isShown: units.length === 1 })),
      ...(services.length === 0
        ? []
        : [{ do: "act", action: "restart", names: services.map(({ name }) => name) } as const]),
    ],
  });
}

function startsOrRestarts(services: readonly TaskResponseJson[]): string {
  return services.every(({ service_state }) => service_state === "stopped" || service_state === "fatal")
    ? "start"
    : "restart";
}

/** The state that asks before units are stopped. */
export function askStop(state: State): State {
  const view = viewOf(state);
  if (state.focus === "main" && view.kind === "run") return askStopRun(state, view.run);
  const units = targetUnits(state);
  if (units.length === 0) return withMessage(state, "Nothing to stop here.");
  const idle = units.every((unit) => unit.kind === "task" && !unit.active_runs && !unit.queued_runs);
  if (idle) {
    return withMessage(state, `${capital(named(units))} ${units.length === 1 ? "is" : "are"} not running.`);
  }
  return ask(state, {
    text: `Stop ${named(units)}?`,
    effects: [{ do: "act", action: "stop", names: units.map(({ name }) => name) }],
  });
}

function askStopRun(state: State, run: RunJson | undefined): State {
  if (run === undefined || run.status === "ended") return withMessage(state, "This run has ended.");
  return ask(state, {
    text: `Stop this run of ${run.task_name}?`,
    effects: [{ do: "stop run", id: run.id }],
  });
}

/** The state that asks before schedules are held, or let go on where all of them are held. */
export function askPause(state: State): State {
  const units = targetUnits(state).filter(({ cron }) => cron !== undefined);
  if (units.length === 0) return withMessage(state, "Only a task with a schedule can be paused.");
  const action = units.every(({ paused_at }) => paused_at !== undefined) ? "resume" : "pause";
  return ask(state, {
    text: `${capital(action)} ${named(units)}?`,
    effects: [{ do: "act", action, names: units.map(({ name }) => name) }],
  });
}

/** The state that asks before runs are deleted; those that are still active are left. */
export function askDelete(state: State, runs: readonly RunJson[]): State {
  const ended = runs.filter(({ status }) => status === "ended");
  if (ended.length === 0) return withMessage(state, "Only a run that has ended can be deleted.");
  const what = ended.length === 1 ? `this run of ${ended[0]!.task_name}` : `${ended.length} runs`;
  return ask(state, {
    text: `Delete ${what} and ${ended.length === 1 ? "its log" : "their logs"}?`,
    effects: [{ do: "delete", ids: ended.map(({ id }) => id) }],
  });
}

/** The state that asks before the tasks of runs are run once more. */
export function askRerun(state: State, runs: readonly RunJson[]): State {
  const tasks = [...new Set(runs.map(({ task_name }) => task_name))];
  if (tasks.length === 0) return withMessage(state, "Nothing to run here.");
  const what = tasks.length === 1 ? tasks[0] : `${tasks.length} tasks`;
  return ask(state, {
    text: `Run ${what} again with the same parameters?`,
    effects: [{ do: "rerun", ids: runs.map(({ id }) => id) }],
  });
}

/** The state that asks before a changed configuration is put into force. */
export function askReload(
  state: State,
  { added, removed, changed }: {
    added: readonly string[];
    removed: readonly string[];
    changed: readonly string[];
  },
): State {
  const parts = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0)
    .map(([how, names]) => `${names.length} ${how} (${listed(names)})`);
  if (parts.length === 0) {
    return withMessage(state, "Nothing to reload: the configuration in force is that on disk.");
  }
  return ask(state, { text: `Reload: ${parts.join(", ")}?`, effects: [{ do: "reload", isDry: false }] });
}

function ask(state: State, question: Question): State {
  return { ...state, question };
}

/** Units for a question: "web, 3 instances", "a and b", "5 tasks". */
function named(units: readonly TaskResponseJson[]): string {
  const [only] = units;
  if (units.length === 1 && only !== undefined) {
    const instances = only.instances ?? 1;
    return only.kind === "service" && instances > 1 ? `${only.name}, ${instances} instances` : only.name;
  }
  return listed(units.map(({ name }) => name));
}

function listed(names: readonly string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
