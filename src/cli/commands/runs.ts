import { Option } from "commander";
import { durationWords, timeWords } from "../../core/time_words.ts";
import { memoryWords } from "../../core/usage.ts";
import { nearest } from "../../core/nearest.ts";
import { snakeReasons, snakeTriggers, statuses } from "../../core/run_words.ts";
import { parseStates } from "../../core/selector.ts";
import type { RunJson } from "../../http/schemas/run.ts";
import type { Client, RunsQuery } from "../client.ts";
import { type Context, countOption, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { isoTime, parseMoment } from "../moment.ts";
import { pickUnits } from "../pick_units.ts";
import { type Cell, type Column, renderTable } from "../table.ts";
import { msOf, wordOfRun } from "../unit_words.ts";

interface Options {
  task?: string;
  status?: string;
  failed?: boolean;
  trigger?: string;
  since?: string;
  until?: string;
  search?: string;
  sort?: string;
  asc?: boolean;
  desc?: boolean;
  limit: number;
  offset: number;
  utc?: boolean;
}

/** What counts as a failure where a unit says nothing else. */
const failures = "failed,timeout,crashed,log_overflow,start_failed,missed,queue_full,daemon_stopped";

/** `svc runs`: a page of runs, newest first. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command
      .option("--task <NAME>", "runs of this unit")
      .option(
        "--status <LIST>",
        "phases (pending, running, ended) and reasons (success, failed, ...), with commas",
      )
      .option("--failed", "runs that ended badly")
      .addOption(new Option("--trigger <WORD>", "started by").choices(snakeTriggers))
      .option("--since <TIME>", "created after this time, or in this last while (10m)")
      .option("--until <TIME>", "created before this time, or longer ago than this (1h)")
      .option("--search <TEXT>", "part of a unit's name or of a run's id")
      .addOption(
        new Option("--sort <FIELD>", "order, ascending unless --desc, by")
          .choices(["created_at", "task_name", "status", "start_at", "exit_code", "duration"]),
      )
      .addOption(new Option("--asc", "smallest or oldest first").conflicts("desc"))
      .option("--desc", "largest or newest first")
      .addOption(countOption("--limit <N>", "show at most this many", { min: 1, max: 1000 }).default(50))
      .addOption(countOption("--offset <N>", "skip this many", { min: 0, max: Infinity }).default(0))
      .option("--utc", "exact times, in UTC"),
  examples: ["svc runs --task backup-db --since 7d", "svc runs --failed --json"],
  async run(context, { options }) {
    const query = queryOf(options, context);
    const client = await context.connect();
    const { runs, total } = await client.runs(query);
    if (total === 0 && options.task !== undefined) await requireUnit(client, options.task);
    if (context.flags.json) {
      writeJson(context, { runs, total });
      return exit.done;
    }
    writeLines(context, runTable(runs, { context, utc: options.utc ?? false }));
    if (context.terminal.out.isTerminal && options.offset + runs.length < total) {
      writeLines(context, [context.out.paint(`${runs.length} of ${total}: --limit shows more`, "muted")]);
    }
    return exit.done;
  },
});

/** Throws `Fault` for a name that neither a unit nor a stored run has; runs of a unit that is gone are still there. */
async function requireUnit(client: Client, name: string): Promise<void> {
  const { total } = await client.runs({ task_name: name, limit: "1" });
  if (total === 0) pickUnits(await client.units(), [name]);
}

function queryOf(options: Options, context: Context): RunsQuery {
  if (options.failed && options.status !== undefined) {
    throw new UsageError("--failed and --status can't stand together: list the reasons with --status");
  }
  const status = options.failed ? failures : knownStates(options.status);
  const moment = (flag: string, text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : isoTime(parseMoment(text, { flag, now: context.now(), timezone: context.timezone, isPast: true }));
  const since = moment("--since", options.since);
  const until = moment("--until", options.until);
  return {
    limit: String(options.limit),
    offset: String(options.offset),
    ...(options.task === undefined ? {} : { task_name: options.task }),
    ...(status === undefined ? {} : { status }),
    ...(options.trigger === undefined ? {} : { triggered_by: options.trigger }),
    ...(since === undefined ? {} : { created_after: since }),
    ...(until === undefined ? {} : { created_before: until }),
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(options.sort === undefined ? {} : { sort_field: options.sort }),
    ...(options.asc ? { sort_direction: "asc" } : options.desc ? { sort_direction: "desc" } : {}),
  };
}

function knownStates(list: string | undefined): string | undefined {
  const states = parseStates(list ?? "");
  if (!("unknown" in states)) return list;
  const words = [...statuses, ...snakeReasons];
  const close = nearest(states.unknown, words);
  const hint = close === undefined ? `use ${words.join(", ")}` : `did you mean "${close}"?`;
  throw new UsageError(`unknown status "${states.unknown}": ${hint}`);
}

/** Where there is no room for a whole id, which is of no use in part, the unit stays. */
const columns: readonly Column[] = [
  { title: "", rank: 0 },
  { title: "RUN", rank: 1 },
  { title: "UNIT", rank: 0, least: 12 },
  { title: "STATE", rank: 2 },
  { title: "CREATED", rank: 3 },
  { title: "TOOK", rank: 4, align: "right" },
  { title: "BY", rank: 5 },
];

/** Shown where a run of the page has them, and there is room. */
const usageColumns: readonly Column[] = [
  { title: "MEMORY", rank: 6, align: "right" },
  { title: "CPU", rank: 7, align: "right" },
];

function runTable(
  runs: readonly RunJson[],
  { context, utc }: { context: Context; utc: boolean },
): string[] {
  const { out: style, terminal, timezone } = context;
  const now = context.now();
  const isMeasured = runs.some((run) => run.peak_memory_bytes !== undefined || run.cpu_time_ms !== undefined);
  const rows = runs.map((run): Cell[] => {
    const word = wordOfRun(run);
    return [
      { text: style.markNamed(word.mark), role: word.role },
      run.id,
      run.task_name,
      { text: word.text, role: word.role },
      timeWords(Date.parse(run.created_at), { now, timezone, utc }),
      tookWords(run, now) ?? style.dash,
      run.retry_attempt > 0 ? `${run.triggered_by}, retry ${run.retry_attempt}` : run.triggered_by,
      ...(isMeasured ? usageCells(run).map((words) => words ?? style.dash) : []),
    ];
  });
  return renderTable(isMeasured ? [...columns, ...usageColumns] : columns, rows, {
    width: terminal.width,
    style,
  });
}

function usageCells({ peak_memory_bytes: peak, cpu_time_ms: cpu }: RunJson): (string | undefined)[] {
  return [peak === undefined ? peak : memoryWords(peak), cpu === undefined ? cpu : durationWords(cpu)];
}

function tookWords(run: RunJson, now: number): string | undefined {
  const start = msOf(run.start_at);
  return start === undefined ? undefined : durationWords((msOf(run.end_at) ?? now) - start);
}
