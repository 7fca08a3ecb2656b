import { asLines } from "../printable.ts";
import { hasWildcard } from "../../core/config/glob.ts";
import { Fault } from "../../fault.ts";
import type { TaskBriefJson } from "../../http/schemas/unit.ts";
import type { Action, Client } from "../client.ts";
import { type Context, defineCommand, type LoadedCommand, writeJson, writeLines } from "../command.ts";
import { exit, isMisunderstanding, tellFailure, Unreachable } from "../failures.ts";
import { pickUnits } from "../pick_units.ts";

/** `svc start NAME...` */
export const start = actionCommand("start", "started", ["svc start web", "svc start 'worker-*'"]);
/** `svc stop NAME...`: waits until all of it has ended. */
export const stop = actionCommand("stop", "stopped", ["svc stop web", "svc stop web worker --no-wait"]);
/** `svc restart NAME...` */
export const restart = actionCommand("restart", "restarted", ["svc restart web", "svc restart 'web*'"]);
/** `svc pause TASK...` */
export const pause = actionCommand("pause", "paused", ["svc pause backup-db", "svc pause '*'"]);
/** `svc resume TASK...` */
export const resume = actionCommand("resume", "resumed", ["svc resume backup-db", "svc resume '*'"]);

interface Options {
  wait?: boolean;
}

/** The longest that one request may wait for a stop, in seconds. */
const longestWait = 240;

/** So many requests at once: a stop may take long, and a glob may mean a thousand units. */
const atOnce = 32;

function actionCommand(action: Action, done: string, examples: readonly [string, string]): LoadedCommand {
  return defineCommand<Options>({
    needs: "client",
    define(command) {
      command.argument("<NAME|GLOB...>", "units; a glob means all that match");
      if (action === "stop") command.option("--no-wait", "don't wait until everything has ended");
    },
    examples,
    exits: [["1", "one of the units was refused; the others were tried all the same"]],
    async run(context, { args, options }) {
      const client = await context.connect();
      const names = pick((await client.daemon()).tasks ?? [], { patterns: args, action });
      const waitSeconds = action === "stop" && options.wait !== false ? longestWait : undefined;
      const failures = await actOnAll(client, names, {
        action,
        ...(waitSeconds === undefined ? {} : { waitSeconds }),
      });
      return report(context, { client, action, done, names, failures });
    },
  });
}

/** A pause or resume by glob is meant for what has a schedule; by name it is refused where there is none. */
function pick(
  units: readonly TaskBriefJson[],
  { patterns, action }: { patterns: readonly string[]; action: Action },
): string[] {
  if (action !== "pause" && action !== "resume") return pickUnits(units, patterns).map(({ name }) => name);
  const names = patterns.flatMap((pattern) => {
    const found = pickUnits(units, [pattern]);
    if (!hasWildcard(pattern)) return found;
    const scheduled = found.filter(({ cron }) => cron !== undefined);
    if (scheduled.length > 0) return scheduled;
    throw new Fault("not_found", `cannot ${action} "${pattern}": nothing that it matches has a schedule`);
  }).map(({ name }) => name);
  return [...new Set(names)];
}

/** Acts on all, whatever becomes of some; answers what went wrong, by name. */
async function actOnAll(
  client: Client,
  names: readonly string[],
  { action, waitSeconds }: { action: Action; waitSeconds?: number },
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  const left = names.values();
  const work = async (): Promise<void> => {
    for (const name of left) {
      try {
        await client.act(name, action, waitSeconds === undefined ? {} : { waitSeconds });
      } catch (error) {
        if (error instanceof Unreachable || isMisunderstanding(error)) throw error;
        failures.set(name, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, work));
  return failures;
}

function report(
  context: Context,
  result: {
    client: Client;
    action: Action;
    done: string;
    names: readonly string[];
    failures: ReadonlyMap<string, unknown>;
  },
): number {
  const { client, action, done, names, failures } = result;
  const succeeded = names.filter((name) => !failures.has(name));
  if (context.flags.json) {
    const failed = [...failures].map(([name, error]) => ({
      name,
      message: error instanceof Error ? error.message : String(error),
      ...(error instanceof Fault ? { code: error.code } : {}),
    }));
    writeJson(context, { action, units: succeeded, failed });
  } else {
    const where = client.isDefault ? "" : context.out.paint(` (at ${client.place})`, "muted");
    writeLines(context, succeeded.map((name) => `${done} ${name}${where}`));
  }
  for (const name of names) {
    if (!failures.has(name)) continue;
    const { lines } = tellFailure(failures.get(name), { style: context.err, debug: false });
    context.terminal.err.write(asLines(lines));
  }
  return failures.size === 0 ? exit.done : exit.failed;
}
