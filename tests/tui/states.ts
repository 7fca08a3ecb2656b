import { firstState, type State } from "../../src/tui/state.ts";
import { hear } from "../../src/tui/news.ts";
import { press } from "../../src/tui/press.ts";
import type { Effect } from "../../src/tui/effect.ts";
import type { RunJson } from "../../src/http/schemas/run.ts";
import type { TaskResponseJson } from "../../src/http/schemas/unit.ts";
import { taskResponseSchema } from "../../src/http/schemas/unit.ts";

/** Noon of a day in UTC. */
export const noon = Date.parse("2027-01-15T12:00:00Z");

/** A time so many minutes after noon, RFC 3339. */
export function at(minutes: number): string {
  return new Date(noon + minutes * 60_000).toISOString();
}

/** A run that went well ten minutes ago. */
export function run(own: Partial<RunJson> = {}): RunJson {
  return {
    id: "01KRUN0000000000000000000A",
    task_name: "backup",
    status: "ended",
    exit_code: 0,
    triggered_by: "cron",
    created_at: at(-10),
    start_at: at(-10),
    end_at: at(-9.5),
    end_reason: "success",
    retry_attempt: 0,
    instance_index: 0,
    ...own,
  };
}

/** A task, or what `own` makes of it. */
export function unit(own: Partial<TaskResponseJson> = {}): TaskResponseJson {
  return taskResponseSchema.parse({
    name: "backup",
    description: "",
    kind: "task",
    group: "",
    api_trigger: true,
    restart: "never",
    exit_codes: [0],
    timeout: 0,
    graceful_stop: 5e9,
    keep_runs: 1000,
    keep_for: 0,
    log_max_size: 0,
    log_on_full: "drop_old",
    run: "make backup\n",
    shell: "/bin/sh",
    working_dir: "/srv",
    env: {},
    ...own,
  });
}

/** Five units: one of each kind of news. */
export const units = [
  unit({
    cron: "0 2 * * *",
    timezone: "UTC",
    next_run_at: at(840),
    last_run: run(),
    description: "Packs all that matters",
  }),
  unit({
    name: "certs",
    cron: "30 6 * * 1",
    timezone: "UTC",
    next_run_at: at(4000),
    last_run: run({
      id: "01KRUN0000000000000000000B",
      task_name: "certs",
      exit_code: 3,
      end_reason: "failed",
    }),
  }),
  unit({
    name: "deploy",
    group: "ops",
    parameters: [{ kind: "env", key: "TARGET", choices: ["test", "live"], default: "test" }, {
      kind: "arg",
      key: "count",
      type: "number",
      required: true,
    }],
  }),
  unit({ name: "held", group: "ops", cron: "0 3 * * *", timezone: "UTC", paused_at: at(-30) }),
  unit({
    name: "web",
    kind: "service",
    group: "site",
    instances: 3,
    healthy_instances: 3,
    service_state: "running",
  }),
];

/** A screen of a size with these units, live. */
export function liveState(columns = 80, rows = 24): State {
  const first = firstState({ columns, rows, now: noon, timezone: "UTC", isAscii: false, place: "/srv/.svc" });
  return hear(first, { is: "units", units, running: [] })[0];
}

/** The state after keys, and all that they bring about. */
export function typed(state: State, ...keys: string[]): [State, Effect[]] {
  const all: Effect[] = [];
  for (const key of keys) {
    const [next, effects] = press(state, key);
    state = next;
    all.push(...effects);
  }
  return [state, all];
}
