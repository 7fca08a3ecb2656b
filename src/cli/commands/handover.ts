import type { InstanceInfoJson } from "../../http/schemas/daemon.ts";
import { Fault } from "../../fault.ts";
import { durationWords } from "../../core/time_words.ts";
import type { Client } from "../client.ts";
import { type Context, defineCommand, writeJson } from "../command.ts";
import { exit, Unreachable } from "../failures.ts";
import { asLines } from "../printable.ts";
import { sleep } from "../sleep.ts";
import { quietly } from "../terminal.ts";

interface Options {
  force?: boolean;
}

/** Between two looks, ms. */
const betweenLooks = 100;
/** So long the next daemon may take until it answers, and the one before until it has ended, ms. */
const patience = 30_000;

/** `svc handover`: ends the daemon and leaves all that runs to the next, which a service manager starts at once. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) =>
    command.option("--force", "over TCP also where no service manager starts the next daemon"),
  examples: ["svc handover", "svc handover --url https://server.example:8420 --force"],
  exits: [
    ["0", "the next daemon answers; where nothing starts one, the daemon has ended"],
    ["1", "the daemon refuses, or the next one did not answer within 30 s"],
  ],
  async run(context, { options }) {
    const client = await context.connect();
    const { service_managed: isManaged } = await client.daemon();
    const before = await client.identity();
    const begun = context.now();
    await client.handOver({ force: options.force ?? false });
    const next = await nextDaemon(context, client, { before, isManaged });
    const took = context.now() - begun;
    if (context.flags.json) {
      writeJson(context, { ended: true, took_over: next?.adopted ?? 0, ms: took, next: next !== undefined });
    }
    if (next !== undefined) {
      tell(
        context,
        `the next daemon answers after ${durationWords(took)}: ${next.adopted} ${
          next.adopted === 1 ? "run" : "runs"
        } went on`,
      );
    } else {
      tell(
        context,
        'the daemon has ended, and all that ran goes on: nothing starts the next daemon by itself, "svc up" does',
      );
    }
    return exit.done;
  },
});

/** Waits for the next daemon, or where nothing starts one for the end of this; undefined: there is none. Throws `Fault`. */
async function nextDaemon(
  context: Context,
  client: Client,
  { before, isManaged }: { before: InstanceInfoJson | undefined; isManaged: boolean },
): Promise<{ adopted: number } | undefined> {
  const until = context.now() + patience;
  for (let isGone = false; context.now() < until; await sleep(betweenLooks)) {
    try {
      const now = await client.identity();
      const info = await client.daemon();
      const isNext = now === undefined ? isGone : now.pid !== before?.pid;
      if (isNext) return { adopted: info.adopted ?? 0 };
    } catch (error) {
      if (error instanceof Fault && error.code === "stopping") continue;
      if (!(error instanceof Unreachable)) throw error;
      isGone = true;
      if (!isManaged) return undefined;
    }
  }
  throw new Fault(
    "unavailable",
    `the daemon has handed over, and no other answers after ${patience / 1000} s: what ran goes on; ` +
      'look into the log of the service manager, or start one by "svc up"',
  );
}

function tell({ terminal }: Context, line: string): void {
  quietly(() => terminal.err.write(asLines([line])));
}
