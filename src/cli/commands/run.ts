import { asLines } from "../printable.ts";
import { Option } from "commander";
import type { Client } from "../client.ts";
import { type Context, defineCommand, writeJson } from "../command.ts";
import { exit, Unreachable, UsageError } from "../failures.ts";
import { LinePrinter, liveWidth } from "../line_printer.ts";
import { feedOf } from "../log_feed.ts";
import { exitCodeAfter, neverExecuted, outcomeLine } from "../run_outcome.ts";
import { runHere } from "../run_here.ts";
import { watchRefusal } from "../refusal_watch.ts";
import { sleep } from "../sleep.ts";
import { LastingOutputs } from "../terminal.ts";

interface Options {
  param?: string[];
  detach?: boolean;
  standalone?: boolean;
}

/** `svc run TASK`: triggers a run, shows its output as it comes, and exits with its code. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("<TASK>", "the task")
      .option(
        "--param <K=V>",
        "value of a parameter, whose dashes may be left out; once for each",
        (text, before: string[] | undefined) => [
          ...before ?? [],
          text,
        ],
      )
      .addOption(new Option("-d, --detach", "print the run's id and don't wait").conflicts("standalone"))
      .option("--standalone", "run it in this process, without a daemon"),
  examples: ["svc run backup-db --param full=1", "svc run backup-db --standalone"],
  exits: [
    ["the run's", "the exit code of the run, unless --detach stands there"],
    ["1", "the run never executed, or ended badly in spite of its 0"],
    ["3", "no daemon could be reached, or it went away"],
    ["130", "left by a second Ctrl-C; the first asks to stop the run"],
  ],
  async run(context, { args, options }) {
    const name = args[0] ?? "";
    const params = paramsOf(options.param ?? []);
    if (options.standalone) return await runHere(context, { task: name, params });
    const client = await context.connect();
    const interrupt = watchInterrupts(context, client);
    const ended = new AbortController();
    const work = async (): Promise<number> => {
      const { id } = await client.run(name, params);
      if (options.detach) return await detach(context, client, id);
      interrupt.stops(id);
      void watchRefusal(() => client.daemon(), {
        signal: ended.signal,
        now: context.now,
        tell: (words) => context.terminal.err.write(asLines([context.err.paint(words, "bad")])),
      });
      return await follow(context, client, { id, signal: ended.signal });
    };
    try {
      return await Promise.race([work(), interrupt.left]);
    } finally {
      ended.abort();
      interrupt.release();
    }
  },
});

/** `K=V` texts as values by key. */
function paramsOf(texts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at <= 0) throw new UsageError(`--param "${text}" has no value: write --param NAME=VALUE`);
    const key = text.slice(0, at);
    if (Object.hasOwn(params, key)) throw new UsageError(`--param ${key} stands twice: give it once`);
    Object.defineProperty(params, key, { value: text.slice(at + 1), enumerable: true });
  }
  return params;
}

async function detach(context: Context, client: Client, id: string): Promise<number> {
  const run = await client.getRun(id);
  if (context.flags.json) writeJson(context, { run });
  else context.terminal.out.write(`${id}\n`);
  if (!neverExecuted(run)) return exit.done;
  context.terminal.err.write(asLines([outcomeLine(run, context, placeOf(client))]));
  return exit.failed;
}

/** Names the daemon that was spoken to where a flag or variable chose it. */
function placeOf(client: Client): string {
  return client.isDefault ? "" : ` at ${client.place}`;
}

/** Shows a run to its end; answers the exit code. Throws `Unreachable` where the daemon goes away before that. */
async function follow(
  context: Context,
  client: Client,
  options: { id: string; signal: AbortSignal },
): Promise<number> {
  try {
    return await show(context, client, options);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new Unreachable(
      `the daemon went away during run ${options.id}: once one is back, ` +
        `"svc runs --search ${options.id}" tells what became of it`,
    );
  }
}

async function show(
  context: Context,
  client: Client,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<number> {
  const { terminal, err: style, flags } = context;
  const outputs = new LastingOutputs(terminal);
  const { out, err } = outputs;
  const printer = new LinePrinter({ out, err, style, ...liveWidth(terminal) });
  for await (const { lines, dropped, regions } of feedOf(client, id, { start: {}, follow: true, signal })) {
    if (flags.json) continue;
    if (dropped > 0) printer.tellDropped(dropped);
    printer.print(lines, regions);
  }
  printer.end();
  if (signal.aborted) return leftByInterrupt;
  const run = await client.getRun(id);
  if (flags.json) writeJson({ terminal: outputs }, { run });
  err.write(asLines([outcomeLine(run, context, placeOf(client))]));
  return exitCodeAfter(run, { outputs, style });
}

/** The first Ctrl-C asks the daemon to stop the run, the second leaves it to itself. */
function watchInterrupts({ terminal, err: style }: Context, client: Client) {
  const { promise: left, resolve: leave } = Promise.withResolvers<number>();
  let count = 0;
  let runId: string | undefined;
  let asking: Promise<void> = Promise.resolve();
  const stop = async (id: string): Promise<void> => {
    try {
      const asked = client.stopRun(id);
      terminal.err.write(`${style.paint(`stopping run ${id}; Ctrl-C again leaves it`, "muted")}\n`);
      await asked;
    } catch {
      // Nobody reads, or the run or the daemon has ended: the feed tells.
    }
  };
  const release = terminal.onInterrupt(() => {
    count++;
    // What was asked first should arrive, whoever presses twice.
    if (count > 1) void withinPatience(asking).then(() => leave(leftByInterrupt));
    else if (runId !== undefined) asking = stop(runId);
  });
  return {
    left,
    release,
    /** Says which run is meant from now on. */
    stops(id: string): void {
      runId = id;
      if (count > 0) asking = stop(id);
    },
  };
}

/** As a shell counts a program that SIGINT ended. */
const leftByInterrupt = 130;

/** How long a request may hold up who wants to leave, ms. */
const patience = 500;

async function withinPatience(work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, sleep(patience, done.signal)]);
  done.abort();
}
