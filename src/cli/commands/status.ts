import { haltWord } from "../../core/daemon_state.ts";
import { takenOverFact } from "../../core/take_over_words.ts";
import { relativeTime, timeWords, utcTime, zonedTime } from "../../core/time_words.ts";
import type { DaemonInfoJson, InstanceInfoJson } from "../../http/schemas/daemon.ts";
import type { TaskResponseJson } from "../../http/schemas/unit.ts";
import type { Client } from "../client.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";
import { pickUnits } from "../pick_units.ts";
import { withinLine } from "../printable.ts";
import { refusingLines } from "../refusal_watch.ts";
import { unitDetails } from "../unit_details.ts";
import { msOf, troubleOf } from "../unit_words.ts";

interface Options {
  utc?: boolean;
}

/** `svc status`: the daemon in a sentence and a few facts, or units in detail. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("[NAME|GLOB...]", "units to show in detail; none: the daemon")
      .option("--utc", "exact times, in UTC"),
  examples: ["svc status", "svc status backup-db"],
  async run(context, { args, options }) {
    const client = await context.connect();
    const utc = options.utc ?? false;
    if (args.length === 0) await showDaemon(context, client, { utc });
    else await showUnits(context, client, { patterns: args, utc });
    return exit.done;
  },
});

async function showUnits(
  context: Context,
  client: Client,
  { patterns, utc }: { patterns: string[]; utc: boolean },
): Promise<void> {
  const all = await client.units();
  const units = pickUnits(all, patterns);
  if (context.flags.json) return writeJson(context, { units });
  writeLines(
    context,
    units.flatMap((unit, i) => {
      const lines = unitDetails(unit, { units: all, context, utc });
      return i === 0 ? lines : ["", ...lines];
    }),
  );
}

async function showDaemon(context: Context, client: Client, { utc }: { utc: boolean }): Promise<void> {
  const [info, identity, units] = await Promise.all([client.daemon(), client.identity(), client.units()]);
  const facts = factsOf(units);
  if (context.flags.json) {
    const { tasks: _, ...daemon } = info;
    return writeJson(context, { daemon: { ...daemon, ...identity }, ...facts });
  }
  writeLines(context, [
    ...refusingLines(info, context),
    ...sentence(facts, units, { context, isRefused: info.refusing !== undefined }),
    "",
    ...daemonLines({ info, identity, units, place: client.place, context, utc }),
  ]);
}

interface Facts {
  counts: {
    tasks: number;
    paused: number;
    services: number;
    services_up: number;
    running: number;
    queued: number;
    attention: number;
  };
  /** Units that somebody should look at, by name. */
  attention: { name: string; state: string; run_id?: string }[];
  /** The soonest tick. */
  next?: { name: string; at: string };
}

function factsOf(units: readonly TaskResponseJson[]): Facts {
  const tasks = units.filter(({ kind }) => kind === "task");
  const services = units.filter(({ kind }) => kind === "service");
  const sum = (pick: (unit: TaskResponseJson) => number | undefined): number =>
    tasks.reduce((total, unit) => total + (pick(unit) ?? 0), 0);
  const attention = units.flatMap((unit) => {
    const word = troubleOf(unit);
    if (word === undefined) return [];
    return [{
      name: unit.name,
      state: word.text,
      ...(unit.last_run === undefined ? {} : { run_id: unit.last_run.id }),
    }];
  });
  const next = tasks.filter(({ next_run_at }) => next_run_at !== undefined)
    .reduce<TaskResponseJson | undefined>(
      (soonest, unit) => soonest === undefined || unit.next_run_at! < soonest.next_run_at! ? unit : soonest,
      undefined,
    );
  return {
    counts: {
      tasks: tasks.length,
      paused: tasks.filter(({ paused_at }) => paused_at !== undefined).length,
      services: services.length,
      services_up: services.filter(({ service_state }) => service_state === "running").length,
      running: sum(({ active_runs }) => active_runs),
      queued: sum(({ queued_runs }) => queued_runs),
      attention: attention.length,
    },
    attention,
    ...(next?.next_run_at === undefined ? {} : { next: { name: next.name, at: next.next_run_at } }),
  };
}

function sentence(
  facts: Facts,
  units: readonly TaskResponseJson[],
  { context, isRefused }: { context: Context; isRefused: boolean },
): string[] {
  const { out: style } = context;
  const { counts, attention, next } = facts;
  const upcoming = next === undefined
    ? ""
    : `, next: ${next.name} ${relativeTime(Date.parse(next.at), context.now())}`;
  if (attention.length === 0) {
    const parts = [
      plural(counts.tasks, "task"),
      `${plural(counts.services_up, "service")} up`,
      `${counts.running} running`,
    ];
    const head = isRefused ? "" : `${style.paint("All well.", "good")} `;
    return [`${head}${parts.join(", ")}${upcoming}.`];
  }
  const head = `${attention.length} need${attention.length === 1 ? "s" : ""} attention.`;
  const shown = attention.slice(0, 10).map(({ name, state }) => {
    const unit = units.find((one) => one.name === name);
    const at = msOf(unit?.last_run?.end_at);
    const when = at === undefined ? "" : ` ${relativeTime(at, context.now())}`;
    const word = unit === undefined ? undefined : troubleOf(unit);
    return `  ${word === undefined ? " " : style.mark(word)} ${name} ${state}${when}`;
  });
  const rest = attention.length > shown.length ? [`  and ${attention.length - shown.length} more`] : [];
  return [style.paint(head, "bad"), ...shown, ...rest];
}

function daemonLines(options: {
  info: DaemonInfoJson;
  identity: InstanceInfoJson | undefined;
  units: readonly TaskResponseJson[];
  place: string;
  context: Context;
  utc: boolean;
}): string[] {
  const { info, identity, place, context, utc } = options;
  const { counts } = factsOf(options.units);
  const loaded = Date.parse(info.config_loaded_at);
  const when = utc ? utcTime(loaded) : timeWords(loaded, { now: context.now(), timezone: context.timezone });
  const halt = haltWord(info);
  const taken = takenOverFact(info);
  const stale = info.config_stale ? '; changed on disk since: "svc reload" puts it into force' : "";
  const source = info.timezone_source === "config" ? "from the configuration" : "of this machine";
  const here = utc ? utcTime(context.now()) : zonedTime(context.now(), info.resolved_timezone);
  const lines: [string, string][] = [
    ["daemon", `svc ${info.version}${identity === undefined ? "" : `, pid ${identity.pid}`}`],
    ...(identity === undefined ? [["reached at", place] as [string, string]] : []),
    ...(info.external_url === "" ? [] : [["address", info.external_url] as [string, string]]),
    ["port", String(info.port)],
    ...(taken === undefined ? [] : [["at start", taken] as [string, string]]),
    [
      "config",
      `${identity?.config_path ?? "loaded"}, ${identity === undefined ? "" : "loaded "}${when}${stale}`,
    ],
    ...(identity === undefined ? [] : [["data", identity.data_dir] as [string, string]]),
    ["time zone", `${info.resolved_timezone} ${source}, ${here}`],
    ["tasks", `${counts.tasks}, ${counts.running} running, ${counts.queued} queued, ${counts.paused} paused`],
    ["services", `${counts.services}, ${counts.services_up} up`],
    ...(halt === undefined ? [] : [["state", `${halt}: nothing new is started`] as [string, string]]),
  ];
  return lines.map(([name, text]) => `  ${context.out.paint(name.padEnd(10), "muted")}  ${withinLine(text)}`);
}

function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
