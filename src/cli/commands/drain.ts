import { asLines } from "../printable.ts";
import { durationWords } from "../../core/time_words.ts";
import type { Client } from "../client.ts";
import { type Context, defineCommand, writeJson } from "../command.ts";
import { exit, Unreachable } from "../failures.ts";
import { sleep } from "../sleep.ts";
import { quietly } from "../terminal.ts";

interface Options {
  wait?: boolean;
}

/** What a daemon that drains still waits for: a run of a task. */
interface Waited {
  task_name: string;
  run_id: string;
}

/** Between two looks at what is left, ms. */
const betweenLooks = 300;
/** Runs that are named in one line. */
const mostNamed = 5;
/** As a shell counts a program that SIGINT ended. */
const leftByInterrupt = 130;

/** `svc drain`: lets the runs of tasks end, then the daemon; tells what it waits for until it has ended. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) => command.option("--no-wait", "don't wait until the daemon has ended"),
  examples: ["svc drain", "svc drain --no-wait"],
  exits: [
    ["0", "the daemon has ended; with --no-wait, it drains"],
    ["130", "left by Ctrl-C; the daemon drains on"],
  ],
  async run(context, { options }) {
    const client = await context.connect();
    const begun = context.now();
    const tasks = await namesOfTasks(client);
    await client.discard();
    const where = client.isDefault ? "" : ` at ${client.place}`;
    if (options.wait === false) {
      const left = await lookAt(client, tasks);
      tell(context, `the daemon${where} drains and ends by itself${waitsFor(left ?? [])}`);
      if (context.flags.json) writeJson(context, { ended: left === undefined, waits_for: left ?? [] });
      return exit.done;
    }
    const interrupted = new AbortController();
    const release = context.terminal.onInterrupt(() => interrupted.abort());
    try {
      const left = await follow(context, client, { tasks, where, signal: interrupted.signal });
      if (context.flags.json) writeJson(context, { ended: left === undefined, waits_for: left ?? [] });
      if (left === undefined) {
        tell(context, `the daemon${where} has ended, after ${durationWords(context.now() - begun)}`);
        return exit.done;
      }
      tell(context, `left: the daemon${where} drains on and ends by itself`);
      return leftByInterrupt;
    } finally {
      release();
    }
  },
});

/** Tells what is waited for whenever that changes; answers what is left when the signal comes, undefined once the daemon has ended. */
async function follow(
  context: Context,
  client: Client,
  { tasks, where, signal }: { tasks: ReadonlySet<string>; where: string; signal: AbortSignal },
): Promise<Waited[] | undefined> {
  let told = "";
  for (;;) {
    const left = await lookAt(client, tasks);
    if (left === undefined) return undefined;
    if (signal.aborted) return left;
    const now = left.length === 0
      ? `the daemon${where} stops its services and ends`
      : `the daemon${where} drains${waitsFor(left)}`;
    if (now !== told) tell(context, now);
    told = now;
    await sleep(betweenLooks, signal);
  }
}

/** The runs that a daemon waits for; undefined once it has ended, also where the next one has come already. */
async function lookAt(client: Client, tasks: ReadonlySet<string>): Promise<Waited[] | undefined> {
  try {
    if ((await client.daemon()).scheduling_active) return undefined;
    const { runs } = await client.runs({ status: "running", limit: "1000" });
    return runs.filter(({ task_name }) => tasks.has(task_name)).map(({ task_name, id }) => ({
      task_name,
      run_id: id,
    }));
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

async function namesOfTasks(client: Client): Promise<Set<string>> {
  const { tasks } = await client.daemon();
  return new Set((tasks ?? []).filter(({ kind }) => kind !== "service").map(({ name }) => name));
}

function waitsFor(left: readonly Waited[]): string {
  if (left.length === 0) return "";
  const names = left.slice(0, mostNamed).map(({ task_name, run_id }) => `${task_name} (run ${run_id})`);
  const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : "";
  return `: it waits for ${names.join(", ")}${more}`;
}

/** Progress is no result: it goes to standard error, where nobody need read it. */
function tell({ terminal }: Context, line: string): void {
  quietly(() => terminal.err.write(asLines([line])));
}
