import { blindness } from "../programs.ts";
import { uniqueProcesses } from "../../core/pid_words.ts";
import { KeptRuns } from "./kept_runs.ts";
import type { Swept } from "./processes.ts";
import { isOwnTree } from "./group_plan.ts";
import { Warden } from "./warden.ts";

/**
 * Ends what daemons of a data folder have left that are gone for good: each run that a live keeper of this folder has,
 * all that is in the control groups of these, what carries their ids, the keepers and their readers. Whoever calls it holds
 * the lock of the folder. Nothing else is touched: what only looks like a keeper of this folder is passed over.
 */
export async function reapKept(
  dataDir: string,
  { say }: { say: (text: string) => void },
): Promise<Swept> {
  const options = { blindness: blindness(), say };
  const warden = new Warden({}, options);
  try {
    const kept = new KeptRuns({
      keepers: `${dataDir}/keepers`,
      spools: `${dataDir}/spools`,
      ask: (question) => warden.tryAsk(question),
      say,
    });
    const trees = (await kept.trees()).filter(isOwnTree);
    const { orphans, ended, ...dropped } = await kept.drop(() => false);
    const swept: Swept[] = [dropped];
    for (const tree of trees) swept.push(await emptyTree(tree, options));
    const ids = [...orphans, ...ended];
    if (ids.length > 0) swept.push(await warden.sweep(ids));
    const untold = swept.find(({ untold }) => untold !== undefined)?.untold;
    return {
      killed: uniqueProcesses(swept.flatMap(({ killed }) => killed)),
      left: uniqueProcesses(swept.flatMap(({ left }) => left)),
      ...(untold === undefined ? {} : { untold }),
    };
  } finally {
    await warden.close();
  }
}

/** Kills what is in the groups below a folder, and removes them. */
async function emptyTree(tree: string, options: { say: (text: string) => void }): Promise<Swept> {
  const warden = new Warden({ MAIN: tree, TREES: tree, ALL: tree }, options);
  const swept: Swept = { killed: [], left: [] };
  try {
    for (const line of await warden.ask(`leftovers == ${tree}`)) {
      const [verb, , pid, ...words] = line.split(" ");
      if (verb === "killed" || verb === "left") swept[verb].push({ pid: Number(pid), name: words.join(" ") });
    }
    return swept;
  } finally {
    await warden.close();
  }
}
