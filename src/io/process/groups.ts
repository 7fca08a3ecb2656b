import type { Sweep } from "../../core/run_machine.ts";
import type { KeptGroup } from "../../core/keeper.ts";
import type { UsageReading } from "../../core/usage.ts";
import type { Limits } from "../../types.ts";
import { type GroupPlan, joinArguments, parseUsage, planEnvironment } from "./group_plan.ts";
import type { GroupTree } from "./group_probe.ts";
import type { Finished, Swept } from "./processes.ts";
import { silence, Warden, type WardenOptions } from "./warden.ts";

/** Groups that are made at a time, and how few may be left before more are made. */
const batch = 32;
const low = 16;
/** How many used groups are removed at a time. */
const removeAt = 16;
/** A group that holds more memory than this after its run, cached files mostly, is not given to another run, bytes. */
const mostLeft = 256 * 1024;
/** A kernel may take its time to make and to remove groups, ms; at the end of the daemon less is waited for. */
const gardenPatience = 20_000;
const lastPatience = 3_000;
/** How often groups that could not be removed are tried again, ms. */
const retryEvery = 10_000;

/** How a group's run has come out; `used` is false where nothing ever ran in it, so that nothing is known of the run. */
export interface GroupEnd extends Finished {
  used: boolean;
}

/**
 * The control groups of runs. Making and removing them costs a child each time, so they are made in advance and
 * removed later, many at a time, by a warden that does nothing else: nobody waits for a slow rmdir.
 */
export class Groups {
  readonly #plan: GroupPlan;
  readonly #asked: Warden;
  readonly #gardener: Warden;
  /** Tells the groups of this life of the daemon from those of others. */
  readonly #prefix: string;
  /** Groups that are ready. */
  readonly #pool: string[] = [];
  /** Groups of runs that were taken over. */
  readonly #spared = new Set<string>();
  #made = 0;
  #isMaking = false;
  /** Groups by their runs; `asMade`: nothing in it was set to other than it was made with. */
  readonly #taken = new Map<string, { name: string; asMade: boolean }>();
  /** What groups had counted when they were given to another run. */
  readonly #counted = new Map<string, UsageReading>();
  /** Groups whose runs have ended. */
  #used: string[] = [];
  /** Groups that strays still sit in. */
  readonly #busy = new Set<string>();
  #retry: ReturnType<typeof setInterval> | undefined;
  #lastFinish: Promise<void> = Promise.resolve();
  #next: { items: string[]; done: Promise<string[] | undefined> } | undefined;

  /** `asked` answers about groups, and must have been made with `wardenEnvironment`. */
  constructor(
    plan: GroupPlan,
    options: { trees: readonly GroupTree[]; asked: Warden; prefix: string } & WardenOptions,
  ) {
    this.#plan = plan;
    this.#asked = options.asked;
    this.#gardener = new Warden(planEnvironment(plan, options.trees), {
      ...options,
      patience: gardenPatience,
    });
    this.#prefix = options.prefix;
  }

  /** Gives a run its group, where it has none yet; answers what the launcher must do to be in it. */
  take(runId: string, limits: Limits): string[] {
    const name = this.#taken.get(runId)?.name ?? this.#pool.shift() ?? `r${runId}`;
    this.#taken.set(runId, { name, asMade: Object.keys(limits).length === 0 });
    if (this.#pool.length < low) void this.#fill().catch(reportError);
    return joinArguments(this.#plan, name, limits);
  }

  /** Takes a group back that no process was started for. */
  giveBack(runId: string): void {
    const name = this.#taken.get(runId)?.name;
    if (name !== undefined) this.#release(runId, name);
  }

  /** The name of a run's group; undefined where it has none. */
  nameOf(runId: string): string | undefined {
    return this.#taken.get(runId)?.name;
  }

  /** What a later daemon must know to have a run's group; undefined where it has none. */
  placeOf(runId: string): KeptGroup | undefined {
    const name = this.nameOf(runId);
    if (name === undefined) return undefined;
    const counted = this.#counted.get(name);
    return { name, tree: this.#plan.main.dir, ...(counted === undefined ? {} : { counted }) };
  }

  /** Takes over the group of a run that an earlier daemon has started; one of another tree is only kept from being cleared. */
  adopt(runId: string, { name, tree, counted }: KeptGroup): void {
    this.#spared.add(name);
    if (tree !== this.#plan.main.dir) return;
    this.#taken.set(runId, { name, asMade: false });
    if (counted !== undefined) this.#counted.set(name, counted);
  }

  has(runId: string): boolean {
    return this.#taken.has(runId);
  }

  /** Kills what is in a run's group, and below it. */
  async kill(runId: string): Promise<void> {
    const name = this.#taken.get(runId)?.name;
    if (name !== undefined) await this.#asked.ask(`kill ${name}`);
  }

  /** Looks at the group of a run that has ended, and gives it up. Those asked for meanwhile share the next look. */
  async finish(runId: string, what: Sweep): Promise<GroupEnd> {
    const end: GroupEnd = { killed: [], left: [], used: false };
    const taken = this.#taken.get(runId);
    if (taken === undefined) return end;
    const { name } = taken;
    let counted: UsageReading | undefined;
    if (this.#next === undefined) {
      const items: string[] = [];
      this.#next = { items, done: this.#lastFinish.then(() => this.#finishNow(items)) };
      this.#lastFinish = this.#next.done.then(() => {}, () => {});
    }
    this.#next.items.push(`${what}:${name}`);
    const lines = await this.#next.done;
    if (lines === undefined) end.untold = silence;
    for (const line of lines ?? []) {
      const [verb, group, pid, ...words] = line.split(" ");
      if (group !== name) continue;
      if (verb === "killed" || verb === "left") end[verb].push({ pid: Number(pid), name: words.join(" ") });
      counted = parseUsage(line, this.#plan)?.reading;
    }
    const usage = this.#since(name, counted);
    if (usage !== undefined) Object.assign(end, { used: true, usage });
    const isClean = taken.asMade && what !== "spare" && end.left.length === 0;
    if (isClean && counted !== undefined && canServeAgain(this.#plan, counted)) {
      this.#reuse(runId, name, counted);
    } else this.#release(runId, name);
    return end;
  }

  /** What runs use at this moment, by their ids. */
  async usage(runIds: readonly string[]): Promise<Map<string, UsageReading>> {
    const readings = new Map<string, UsageReading>();
    const runs = new Map(runIds.flatMap((id) => {
      const name = this.#taken.get(id)?.name;
      return name === undefined ? [] : [[name, id] as const];
    }));
    if (runs.size === 0) return readings;
    for (const line of await this.#asked.ask(`usage ${[...runs.keys()].join(" ")}`)) {
      const usage = parseUsage(line, this.#plan);
      const runId = usage && runs.get(usage.name);
      const reading = usage && this.#since(usage.name, usage.reading);
      if (runId !== undefined && reading !== undefined) readings.set(runId, reading);
    }
    return readings;
  }

  /**
   * Kills what an earlier daemon left in its groups, apart from those of runs that were taken over; `trees` are those
   * that it wrote down, its main one first.
   */
  async killLeftovers(trees: readonly string[]): Promise<Swept> {
    const swept: Swept = { killed: [], left: [] };
    const own = this.trees;
    const spared = `=${[...this.#spared].join("=")}=`;
    const all = [trees, ...(trees[0] === own[0] ? [] : [own])].filter(({ length }) => length > 0);
    for (const dirs of all) {
      for (const line of await this.#gardener.ask(`leftovers ${spared} ${dirs.join(" ")}`)) {
        const [verb, name, pid, ...words] = line.split(" ");
        if (verb === "killed" || verb === "left") {
          swept[verb].push({ pid: Number(pid), name: words.join(" ") });
        }
        if (verb === "kept" && dirs[0] === own[0]) this.#keep(name!);
      }
    }
    void this.#fill().catch(reportError);
    return swept;
  }

  /** Folders of the trees that every group is in, the main one first. */
  get trees(): string[] {
    return [...new Set([this.#plan.main, ...this.#plan.always])].map(({ dir }) => dir);
  }

  /** Removes what there is; what strays still sit in stays, and the next daemon finds it. */
  async close(): Promise<void> {
    clearInterval(this.#retry);
    const left = [...this.#used, ...this.#busy];
    const options = { patience: lastPatience };
    if (left.length > 0) await this.#gardener.ask(`remove ${left.join(" ")}`, options);
    await this.#gardener.ask("close", options);
    await this.#gardener.close();
  }

  async #finishNow(items: readonly string[]): Promise<string[] | undefined> {
    this.#next = undefined;
    return await this.#asked.tryAsk(`finish ${items.join(" ")}`);
  }

  /** What a run has used, of what its group has counted; undefined where nothing ran. */
  #since(name: string, counted: UsageReading | undefined): UsageReading | undefined {
    const before = this.#counted.get(name);
    if (counted === undefined || before === undefined) return counted;
    const cpuMs = counted.cpuMs - before.cpuMs;
    return cpuMs > 0 ? { ...counted, cpuMs, oomKills: counted.oomKills - before.oomKills } : undefined;
  }

  /** Gives an empty group to the next run: to make and to remove one costs more than all else. */
  #reuse(runId: string, name: string, counted: UsageReading): void {
    this.#taken.delete(runId);
    this.#counted.set(name, counted);
    this.#pool.unshift(name);
  }

  #release(runId: string, name: string): void {
    this.#taken.delete(runId);
    this.#spared.delete(name);
    this.#counted.delete(name);
    this.#used.push(name);
    if (this.#used.length >= removeAt) void this.#remove(this.#used.splice(0)).catch(reportError);
  }

  async #remove(names: readonly string[]): Promise<void> {
    const answer = await this.#gardener.ask(`remove ${names.join(" ")}`);
    const busy = new Set(answer.map((line) => line.split(" ")[1]!));
    for (const name of names) this.#busy.delete(name);
    for (const name of busy) this.#keep(name);
    if (this.#busy.size > 0) return;
    clearInterval(this.#retry);
    this.#retry = undefined;
  }

  /** Tries now and then to remove a group that strays sit in. */
  #keep(name: string): void {
    this.#busy.add(name);
    if (this.#retry !== undefined) return;
    this.#retry = setInterval(() => void this.#remove([...this.#busy]).catch(reportError), retryEvery);
    this.#retry.unref();
  }

  async #fill(): Promise<void> {
    if (this.#isMaking) return;
    this.#isMaking = true;
    const from = this.#made;
    this.#made += batch;
    const [answer] = await this.#gardener.ask(`make ${this.#prefix} ${from} ${this.#made}`);
    // A machine that refuses is asked again with the next run; meanwhile launchers try for themselves.
    if (answer === "made") { for (let n = from; n < this.#made; n++) this.#pool.push(`${this.#prefix}${n}`); }
    this.#isMaking = false;
  }
}

/** Whether a group's counters can be set back, and nothing to speak of is left in it. */
function canServeAgain({ memory }: GroupPlan, { memoryBytes }: UsageReading): boolean {
  return memory === undefined || (!memory.v2 && memoryBytes !== undefined && memoryBytes <= mostLeft);
}
