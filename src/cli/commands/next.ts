import { nextTick, type Tick } from "../../core/cron/next.ts";
import { CronError, parseCron, type Schedule } from "../../core/cron/parse.ts";
import { isTimeZone, type Zone, zoneOf } from "../../core/cron/zone.ts";
import { fullTime, relativeTime, utcTime } from "../../core/time_words.ts";
import { upcomingTicks } from "../../core/upcoming.ts";
import type { TaskResponseJson } from "../../http/schemas/unit.ts";
import type { Client } from "../client.ts";
import { type Context, countOption, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { isoTime, parseMoment } from "../moment.ts";
import { type Cell, type Column, renderTable } from "../table.ts";
import { noteOf } from "../tick_notes.ts";
import { cronWords } from "../unit_words.ts";

interface Options {
  count: number;
  from?: string;
  cron?: string;
  timezone?: string;
  utc?: boolean;
}

/** `svc next`: the next ticks of one task, of all tasks together, or of an expression (that needs no daemon). */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("[TASK]", "one task; none: all tasks together")
      .addOption(countOption("--count <N>", "how many", { min: 1, max: 1000 }).default(10))
      .option("--from <TIME>", "after this time instead of now")
      .option("--cron <EXPR>", "of this expression, without a daemon")
      .option("--timezone <ZONE>", "time zone of --cron, an IANA name")
      .option("--utc", "exact times, in UTC"),
  examples: ["svc next backup-db", "svc next --cron '30 2 * * *' --timezone Europe/Berlin --from 2027-03-27"],
  async run(context, { args: [name], options }) {
    if (options.cron !== undefined && name !== undefined) {
      throw new UsageError(`task "${name}" and --cron can't stand together: leave one out`);
    }
    if (options.timezone !== undefined && options.cron === undefined) {
      throw new UsageError("--timezone goes with --cron: a task has its own");
    }
    const ticks = options.cron !== undefined
      ? ticksOfExpression(options.cron, options, context)
      : name !== undefined
      ? await ticksOfTask(await context.connect(), name, { options, context })
      : ticksOfAll(await (await context.connect()).units(), { options, context });
    show(context, ticks, { options, withTask: name === undefined && options.cron === undefined });
    return exit.done;
  },
});

/** A tick with all that is shown of it. */
interface ShownTick {
  task?: string;
  tick: Tick;
  schedule: Schedule;
  zone: Zone;
}

function ticksOfExpression(cron: string, options: Options, context: Context): ShownTick[] {
  const timezone = options.timezone ?? context.timezone;
  if (!isTimeZone(timezone)) {
    throw new UsageError(`unknown time zone "${timezone}": use an IANA name like Europe/Berlin`);
  }
  let schedule: Schedule;
  try {
    schedule = parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw new UsageError(`cannot read --cron "${cron}": ${error.message}`);
    throw error;
  }
  const zone = zoneOf(timezone);
  const after = startOf(options, context, timezone);
  // An interval is counted from when it is first seen, and that is now.
  return upcomingTicks(schedule, zone, { after, anchor: after, count: options.count })
    .map((tick) => ({ tick, schedule, zone }));
}

async function ticksOfTask(
  client: Client,
  name: string,
  { options, context }: { options: Options; context: Context },
): Promise<ShownTick[]> {
  const unit = await client.unit(name);
  if (unit.cron === undefined) return [];
  const timezone = unit.timezone ?? context.timezone;
  const after = options.from === undefined ? {} : { after: isoTime(startOf(options, context, timezone)) };
  const ticks = await client.ticks(name, { count: options.count, ...after });
  const schedule = parseCron(unit.cron);
  const zone = zoneOf(timezone);
  return ticks.map(({ at, note }) => ({
    task: unit.name,
    tick: { at: Date.parse(at), note },
    schedule,
    zone,
  }));
}

/** The soonest ticks of all tasks that are not held, from what the daemon says of them in one answer. */
function ticksOfAll(
  units: readonly TaskResponseJson[],
  { options, context }: { options: Options; context: Context },
): ShownTick[] {
  const after = startOf(options, context, context.timezone);
  const sources = units.flatMap((unit) => {
    const { cron, next_run_at, timezone, name } = unit;
    if (cron === undefined || next_run_at === undefined) return [];
    // Each tick of an interval is as good an anchor as the first.
    const anchor = Date.parse(next_run_at);
    const zone = zoneOf(timezone ?? context.timezone);
    const schedule = parseCron(cron);
    const tick = nextTick(schedule, zone, { after, anchor });
    return tick === undefined ? [] : [{ task: name, schedule, zone, anchor, tick }];
  });
  const found: ShownTick[] = [];
  while (found.length < options.count && sources.length > 0) {
    const soonest = sources.reduce((a, b) => b.tick.at < a.tick.at ? b : a);
    found.push({ ...soonest });
    const { schedule, zone, anchor, tick } = soonest;
    const next = nextTick(schedule, zone, { after: tick.at, anchor });
    if (next === undefined) sources.splice(sources.indexOf(soonest), 1);
    else soonest.tick = next;
  }
  return found;
}

function startOf({ from }: Options, context: Context, timezone: string): number {
  const now = context.now();
  return from === undefined ? now : parseMoment(from, { flag: "--from", now, timezone, isPast: false });
}

const columns: readonly Column[] = [
  { title: "AT", rank: 1 },
  { title: "TASK", rank: 0 },
  { title: "", rank: 0 },
  { title: "NOTE", rank: 2, least: 20 },
];

function show(
  context: Context,
  ticks: readonly ShownTick[],
  { options, withTask }: { options: Options; withTask: boolean },
): void {
  if (context.flags.json) {
    const description = options.cron === undefined ? {} : { description: cronWords(options.cron) };
    return writeJson(context, { ...description, ticks: ticks.map(tickJson) });
  }
  if (ticks.length === 0) return context.terminal.err.write("svc: no run is scheduled\n");
  const now = context.now();
  const rows = ticks.map(({ task, tick, schedule, zone }): Cell[] => [
    options.utc ? utcTime(tick.at) : fullTime(tick.at, zone.name),
    ...(withTask ? [task ?? ""] : []),
    relativeTime(tick.at, now),
    { text: noteOf(tick, schedule, zone), role: "warn" },
  ]);
  const shown = withTask ? columns : columns.filter(({ title }) => title !== "TASK");
  const [, ...lines] = renderTable(shown, rows, { width: context.terminal.width, style: context.out });
  writeLines(context, lines);
}

/** As the API has it, and the task. */
function tickJson({ task, tick, zone }: ShownTick): object {
  const local = Temporal.Instant.fromEpochMilliseconds(tick.at).toZonedDateTimeISO(zone.name);
  return {
    ...(task === undefined ? {} : { task_name: task }),
    at: isoTime(tick.at),
    local: local.toString({ timeZoneName: "never", smallestUnit: "second" }),
    note: tick.note,
  };
}
