import { durationWords } from "../../core/time_words.ts";
import { whyNotExecuted } from "../../core/words.ts";
import type { RunJson } from "../../http/schemas/run.ts";
import type { Client } from "../client.ts";
import { type Context, defineCommand, writeJson } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { LinePrinter, liveWidth } from "../line_printer.ts";
import { feedOf } from "../log_feed.ts";
import { OutputClosed } from "../terminal.ts";
import { msOf, wordOfRun } from "../unit_words.ts";

interface Options {
  param?: string[];
  detach?: boolean;
}

/** `svc run TASK`: triggers a run, shows its output as it comes, and exits with its code. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.argument("<TASK>", "the task")
      .option(
        "--param <K=V>",
        "value of a parameter; once for each",
        (text, before: string[] | undefined) => [
          ...before ?? [],
          text,
        ],
      )
      .option("-d, --detach", "print the run's id and don't wait"),
  examples: ["svc run backup-db --param full=1", "svc run backup-db --detach"],
  async run(context, { args, options }) {
    const name = args[0] ?? "";
    const params = paramsOf(options.param ?? []);
    const client = await context.connect();
    const interrupt = watchInterrupts(context, client);
    const ended = new AbortController();
    const work = async (): Promise<number> => {
      const { id } = await client.run(name, params);
      if (options.detach) return await detach(context, client, id);
      interrupt.stops(id);
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
  context.terminal.err.write(`${outcomeLine(run, context, client)}\n`);
  return exit.failed;
}

/** Shows a run to its end; answers the exit code. */
async function follow(
  context: Context,
  client: Client,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<number> {
  const { terminal, err: style, flags } = context;
  const printer = new LinePrinter({ out: terminal.out, err: terminal.err, style, ...liveWidth(terminal) });
  // Somebody who reads no more may still want the exit code.
  const quietly = (print: () => void): void => {
    try {
      print();
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
    }
  };
  for await (const { lines, dropped, regions } of feedOf(client, id, { start: {}, follow: true, signal })) {
    if (flags.json) continue;
    if (dropped > 0) quietly(() => printer.tellDropped(dropped));
    quietly(() => printer.print(lines, regions));
  }
  quietly(() => printer.end());
  if (signal.aborted) return leftByInterrupt;
  const run = await client.getRun(id);
  if (flags.json) quietly(() => writeJson(context, { run }));
  quietly(() => terminal.err.write(`${outcomeLine(run, context, client)}\n`));
  return exitCodeOf(run);
}

/** The run's own code; 1 where it has none, or where it ended badly in spite of a 0. */
function exitCodeOf(run: RunJson): number {
  if (run.exit_code > 0) return run.exit_code;
  return run.end_reason === "success" && run.exit_code === 0 ? exit.done : exit.failed;
}

function outcomeLine(run: RunJson, { err: style }: Context, client: Client): string {
  const word = wordOfRun(run);
  const start = msOf(run.start_at);
  const end = msOf(run.end_at);
  const why = neverExecuted(run) ? whyNotExecuted(run.end_reason) : undefined;
  const took = start === undefined || end === undefined ? "" : ` in ${durationWords(end - start)}`;
  const where = client.isDefault ? "" : ` at ${client.place}`;
  const text = style.paint(word.text, word.role);
  return `${style.mark(word)} ${run.task_name} ${text}${took}${
    why === undefined ? "" : `: ${why}`
  } (run ${run.id}${where})`;
}

function neverExecuted(run: RunJson): boolean {
  return run.status === "ended" && run.exit_code === -1;
}

/** The first Ctrl-C asks the daemon to stop the run, the second leaves it to itself. */
function watchInterrupts({ terminal, err: style }: Context, client: Client) {
  const { promise: left, resolve: leave } = Promise.withResolvers<number>();
  let count = 0;
  let runId: string | undefined;
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
    if (count > 1) leave(leftByInterrupt);
    else if (runId !== undefined) void stop(runId);
  });
  return {
    left,
    release,
    /** Says which run is meant from now on. */
    stops(id: string): void {
      runId = id;
      if (count > 0) void stop(id);
    },
  };
}

/** As a shell counts a program that SIGINT ended. */
const leftByInterrupt = 130;
