import { keptIds, type LeftSpools, leftSpools, noSpools, readKeeper, type SeenKeeper } from "./kept_files.ts";
import { realFolder } from "./keeper_file.ts";
import { endOfRecord } from "./kept_handle.ts";
import type { KeptRun, Swept } from "./processes.ts";
import { reach, signalGroup } from "./reach.ts";
import { endCounters, lostWords } from "./spool_counters.ts";
import { removeKeptFile, removeSpools } from "./spool_file.ts";

/** What `KeptRuns` needs. */
export interface KeptRunsOptions {
  keepers: string;
  spools: string;
  /** Asks the warden; undefined where it does not answer. */
  ask: (question: string) => Promise<string[] | undefined>;
  say: (text: string) => void;
}

/** A run that was found, and all that there is of it. */
export interface FoundRun {
  kept: KeptRun;
  file: SeenKeeper;
  /** Whether its keeper lives, which holds its pipes. */
  hasKeeper: boolean;
  left: LeftSpools;
  /** What of its output was lost, in sentences. */
  troubles: string[];
}

/** So many runs are asked for in one line. */
const mostAsked = 500;
/** So long a keeper has, which was started just before the daemon's death, to write down whom it keeps, ms. */
const patience = 1_000;
const lookEvery = 50;

/** What earlier daemons of this data folder have left with keepers. */
export class KeptRuns {
  readonly #options: KeptRunsOptions;
  readonly #found = new Map<string, FoundRun>();
  readonly #adopted = new Set<string>();

  constructor(options: KeptRunsOptions) {
    this.#options = options;
  }

  /** See `Processes.findKept`. */
  async find(runIds: readonly string[]): Promise<KeptRun[]> {
    const files = await this.#readAll(runIds);
    const alive = await this.#alive(files);
    if (alive === undefined) return [];
    const left = await this.#leftSpools();
    const troubles = await this.#lostOutput(left);
    for (const [runId, file] of files) {
      const kept = keptRun(file, alive);
      if (kept === undefined) continue;
      const hasKeeper = alive.runIds.has(runId);
      const own = troubles.get(runId) ?? [];
      if (!hasKeeper) own.push("its keeper was ended: what was still in its pipes is lost");
      this.#found.set(runId, { kept, file, hasKeeper, left: left.get(runId) ?? noSpools(), troubles: own });
    }
    return [...files.keys()].flatMap((runId) => this.#found.get(runId)?.kept ?? []);
  }

  /** A run that was found, and not handed over yet. */
  found(runId: string): FoundRun | undefined {
    return this.#found.get(runId);
  }

  /** Hands a run that was found over; undefined where none was, or it was handed over already. */
  take(runId: string): FoundRun | undefined {
    const found = this.#found.get(runId);
    this.#found.delete(runId);
    if (found !== undefined) this.#adopted.add(runId);
    return found;
  }

  /** Which of some readers live; undefined where that can't be told. */
  async liveReaders(): Promise<Set<number> | undefined> {
    const lines = await this.#options.ask(`readers ${this.#options.spools}`);
    return lines && new Set(lines.map((line) => Number(line.split(" ")[0])));
  }

  /**
   * See `Processes.dropKept`. `own`: runs of this daemon itself. `orphans`: runs whose keepers have died without a word,
   * so that something of them may live on. `ended`: runs that were killed just now.
   */
  async drop(own: (runId: string) => boolean): Promise<Swept & { orphans: string[]; ended: string[] }> {
    const { keepers, spools, ask } = this.#options;
    const isOurs = (runId: string): boolean => this.#adopted.has(runId) || own(runId);
    const ids = keptIds(keepers).filter((runId) => !isOurs(runId));
    const files = new Map(ids.flatMap((runId) => {
      const file = readKeeper(keepers, runId);
      return file === undefined || "why" in file ? [] : [[runId, file] as const];
    }));
    const orphans: string[] = [];
    const ended: string[] = [];
    const swept: Swept & { orphans: string[]; ended: string[] } = { killed: [], left: [], orphans, ended };
    const folder = realFolder(keepers);
    const alive = await this.#alive(files);
    if (alive === undefined) return { ...swept, untold: "nobody can tell whose keepers live" };
    for (const [runId, { words, record: { keeper, pid, end } }] of files) {
      if (!alive.runIds.has(runId)) {
        if (end === undefined && words.folder === folder) orphans.push(runId);
        continue;
      }
      if (end === undefined && pid !== undefined) {
        signalGroup(pid, { name: "SIGKILL", leaderLives: true });
        swept.killed.push({ pid, name: `run ${runId}` });
        ended.push(runId);
      }
      reach(keeper!, "SIGKILL");
    }
    for (const runId of ids) removeKeptFile(keepers, runId);
    const left = leftSpools(spools, await ask(`readers ${spools}`) ?? []);
    for (const [runId, both] of left) if (!isOurs(runId)) removeSpools(spools, runId, both);
    this.#found.clear();
    return swept;
  }

  /** The folders in which live keepers of this data folder have the control groups of their runs. */
  async trees(): Promise<string[]> {
    const { keepers } = this.#options;
    const files = new Map(
      keptIds(keepers).flatMap((runId) => {
        const file = readKeeper(keepers, runId);
        return file === undefined || "why" in file ? [] : [[runId, file] as const];
      }),
    );
    const alive = await this.#alive(files);
    const known = [...files].flatMap(([runId, { words }]) =>
      alive?.runIds.has(runId) && words.group !== undefined ? [words.group.tree] : []
    );
    return [...new Set(known)];
  }

  /** The files of some runs, by their ids. One that was written just now may still wait for its keeper's word. */
  async #readAll(runIds: readonly string[]): Promise<Map<string, SeenKeeper>> {
    const files = new Map<string, SeenKeeper>();
    const until = performance.now() + patience;
    for (let ids = [...runIds]; ids.length > 0;) {
      const silent = ids.filter((runId) => {
        const file = readKeeper(this.#options.keepers, runId);
        if (file === undefined) return false;
        if ("why" in file) {
          this.#options.say(`the keeper's file of run "${runId}" is passed over: ${file.why}`);
        } else if (file.record.pid === undefined) return true;
        else files.set(runId, file);
        return false;
      });
      if (performance.now() > until) break;
      if (silent.length > 0) await new Promise((resolve) => setTimeout(resolve, lookEvery));
      ids = silent;
    }
    return files;
  }

  /** The runs whose keepers live, by the pids of those; undefined where that can't be told. */
  async alive(keepers: ReadonlyMap<string, number>): Promise<ReadonlySet<string> | undefined> {
    return (await this.#ask([...keepers].map((one) => one.join(":"))))?.runIds;
  }

  async #alive(files: ReadonlyMap<string, SeenKeeper>): Promise<Alive | undefined> {
    return await this.#ask(
      [...files].flatMap(([runId, { record }]) =>
        record.keeper === undefined ? [] : [`${runId}:${record.keeper}`]
      ),
    );
  }

  async #ask(known: readonly string[]): Promise<Alive | undefined> {
    const alive: Alive = { runIds: new Set(), uptime: NaN };
    for (let from = 0; from < known.length; from += mostAsked) {
      const asked = known.slice(from, from + mostAsked).join(" ");
      const lines = await this.#options.ask(`keepers ${asked} ${this.#options.keepers}`);
      if (lines === undefined) return undefined;
      alive.uptime = Number(lines[0]);
      for (const runId of lines.slice(1)) alive.runIds.add(runId);
    }
    return alive;
  }

  async #leftSpools(): Promise<Map<string, LeftSpools>> {
    const { spools, ask } = this.#options;
    return leftSpools(spools, await ask(`readers ${spools}`) ?? []);
  }

  /** What was thrown away of each run while nobody watched. */
  async #lostOutput(left: ReadonlyMap<string, LeftSpools>): Promise<Map<string, string[]>> {
    const troubles = new Map<string, string[]>();
    for (const lost of await endCounters(this.#options.spools, left)) {
      const words = lostWords(lost);
      if (words !== undefined) troubles.set(lost.runId, [...troubles.get(lost.runId) ?? [], words]);
    }
    return troubles;
  }
}

interface Alive {
  runIds: Set<string>;
  /** Seconds. */
  uptime: number;
}

/** Clock ticks a second in /proc, the same on all of Linux. */
const ticksPerSecond = 100;

/** What the engine is told of a run; undefined where it has died with its keeper, and nobody knows how. */
function keptRun({ words, about, record, at }: SeenKeeper, { runIds, uptime }: Alive): KeptRun | undefined {
  const { runId, nonce } = words;
  const known = { runId, nonce, about, pid: record.pid! };
  if (record.end !== undefined) return { ...known, ended: { exit: endOfRecord(record, undefined), at } };
  if (!runIds.has(runId)) return undefined;
  const ranFor = Math.max(0, Math.round((uptime - Number(record.ticks) / ticksPerSecond) * 1000));
  return Number.isFinite(ranFor) ? { ...known, ranFor } : known;
}
