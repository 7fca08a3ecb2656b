import { asLines } from "../printable.ts";
import type { RunJson } from "../../http/schemas/run.ts";
import type { Client } from "../client.ts";
import { type Context, countOption, defineCommand } from "../command.ts";
import { exit } from "../failures.ts";
import { LinePrinter, liveWidth } from "../line_printer.ts";
import { feedOf, type FeedStart } from "../log_feed.ts";
import { isoTime, parseMoment } from "../moment.ts";
import { type LogSource, newestRun, sourcesOf } from "../log_sources.ts";
import { sleep } from "../sleep.ts";

interface Options {
  lines?: number;
  follow?: boolean;
  since?: string;
  timestamps?: boolean;
}

/** `svc logs NAME|RUN...`: output of units' newest runs, or of runs. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("<NAME|RUN...>", "units (their newest run) or ids of runs")
      .option("-f, --follow", "go on as output comes; of a service also with its next run")
      .addOption(countOption("-n, --lines <N>", "only the last lines", { min: 0, max: Infinity }))
      .option("--since <TIME>", "from this time on, or the last while (10m)")
      .option("--timestamps", "put the time before each line"),
  examples: ["svc logs -f web", "svc logs backup-db -n 100 --timestamps"],
  exits: [["0", "done, however the run ended"], [
    "3",
    "no daemon could be reached, or it went away while followed",
  ]],
  async run(context, { args, options }) {
    const start = startOf(options, context);
    const client = await context.connect();
    const sources = await sourcesOf(client, args);
    const show = (source: LogSource, signal?: AbortSignal): Promise<void> =>
      showSource(context, { client, source, start, options, sources, ...(signal && { signal }) });
    if (options.follow) {
      await whileRead(context, (signal) => Promise.all(sources.map((source) => show(source, signal))));
    } else for (const source of sources) await show(source);
    return exit.done;
  },
});

/** Follows until it is done, or nobody reads: a quiet unit prints no line by which that would be noticed. */
async function whileRead(
  { terminal }: Context,
  follow: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const left = new AbortController();
  const done = new AbortController();
  const watch = terminal.out.whenUnread?.(done.signal).then((isUnread) => {
    if (isUnread) left.abort();
  });
  try {
    await follow(left.signal);
  } finally {
    done.abort();
    await watch;
  }
}

function startOf(options: Options, context: Context): FeedStart {
  const { now, timezone } = context;
  return {
    ...(options.lines === undefined ? {} : { tail: options.lines }),
    ...(options.since === undefined ? {} : {
      since: isoTime(parseMoment(options.since, { flag: "--since", now: now(), timezone, isPast: true })),
    }),
  };
}

async function showSource(
  context: Context,
  shown: {
    client: Client;
    source: LogSource;
    start: FeedStart;
    options: Options;
    sources: readonly LogSource[];
    signal?: AbortSignal;
  },
): Promise<void> {
  const { client, source, options, signal } = shown;
  const sink = sinkOf(context, shown);
  let run = source.run;
  let start = shown.start;
  if (run === undefined) sink.note(`"${source.label}" has not run yet`);
  while (true) {
    if (run !== undefined) {
      const follow = options.follow ?? false;
      await showRun(client, { run, start, follow, sink, ...(signal && { signal }) });
    }
    if (!options.follow || !source.goesOn) return;
    run = await nextRun(client, source, { shown: run, ...(signal && { signal }) });
    if (run === undefined) return;
    start = {};
  }
}

async function showRun(
  client: Client,
  { run, sink, ...feed }: {
    run: RunJson;
    start: FeedStart;
    follow: boolean;
    sink: Sink;
    signal?: AbortSignal;
  },
): Promise<void> {
  for await (const { lines, dropped, regions } of feedOf(client, run.id, feed)) {
    if (dropped > 0) sink.dropped(dropped);
    sink.lines(run, lines, regions);
  }
  sink.end();
}

/** Waits for a run of the source that is newer than the one shown; undefined once `signal` says that nobody reads it. */
async function nextRun(
  client: Client,
  source: LogSource,
  { shown, signal }: { shown: RunJson | undefined; signal?: AbortSignal },
): Promise<RunJson | undefined> {
  while (!signal?.aborted) {
    const run = await newestRun(client, source);
    if (run !== undefined && run.id !== shown?.id) return run;
    await sleep(lookForRuns, signal);
  }
  return undefined;
}

/** Between two looks for a new run of a service, in ms. */
const lookForRuns = 500;

/** Where the lines of a source go. */
interface Sink {
  lines(run: RunJson, ...lines: Parameters<LinePrinter["print"]>): void;
  dropped(count: number): void;
  note(text: string): void;
  end(): void;
}

function sinkOf(
  context: Context,
  { source, sources, options }: { source: LogSource; sources: readonly LogSource[]; options: Options },
): Sink {
  const { terminal, out: style, flags } = context;
  const note = (text: string): void => terminal.err.write(asLines([`svc: ${text}`]));
  if (flags.json) {
    return {
      lines: (run, lines) => {
        if (lines.length > 0) terminal.out.copy(lines.map((line) => jsonLine(run, line)).join(""));
      },
      dropped: (count) => note(`${count} lines of "${source.label}" were dropped: the log was full`),
      note,
      end: () => {},
    };
  }
  const width = Math.max(...sources.map(({ label }) => label.length));
  const printer = new LinePrinter({
    // One text in the order of the run; what it came from is told by `run` and by --json.
    out: terminal.out,
    err: terminal.out,
    style,
    timestamps: options.timestamps ?? false,
    // Of several, others would come between.
    ...(sources.length === 1
      ? liveWidth(terminal)
      : { prefix: style.paint(`${source.label.padEnd(width)} | `, "accent") }),
  });
  return {
    lines: (_, ...lines) => printer.print(...lines),
    dropped: (count) => printer.tellDropped(count),
    note,
    end: () => printer.end(),
  };
}

/** One object a line, so that a program can read while it is followed. */
function jsonLine(run: RunJson, line: object): string {
  const head = { schema_version: 1, task_name: run.task_name, run_id: run.id };
  return `${JSON.stringify({ ...head, ...line })}\n`;
}
