import type { LocalConnection } from "../../core/peer_owner.ts";
import { type NamedProcess, uniqueProcesses } from "../../core/pid_words.ts";
import type { KeptGroup } from "../../core/keeper.ts";
import type { Sweep } from "../../core/run_machine.ts";
import type { SystemReading } from "../../core/system_sample.ts";
import { parseSessions, type UsageReading } from "../../core/usage.ts";
import { blindness } from "../programs.ts";
import { ownUid } from "../trust.ts";
import { accountOf } from "./accounts.ts";
import { enforcedLimits, isTreeOf, planEnvironment, planGroups } from "./group_plan.ts";
import { findGroups, type GroupScope } from "./group_scope.ts";
import { Groups } from "./groups.ts";
import { type KeeperFolders, Keepers } from "./keepers.ts";
import { launchProcess } from "./launch.ts";
import { hideVariables } from "./launch_plan.ts";
import type {
  Finished,
  GroupAbility,
  KeepAbility,
  KeptRun,
  LaunchedProcess,
  LaunchSpec,
  Machine,
  Processes,
  ProcessSink,
  Reach,
  RunMark,
  RunProcess,
  SpoolPositions,
  Swept,
} from "./processes.ts";
import { PeerOwners } from "./peer_owners.ts";
import { presence, reach, signalGroup } from "./reach.ts";
import { readLines, writeLines } from "./tree_record.ts";
import { thisMachine } from "./this_machine.ts";
import { Warden } from "./warden.ts";
import { ownVariable } from "../own_variable.ts";

/** What the processes of this machine are supervised with. */
export interface SystemOptions {
  /** A folder that the daemon may write. */
  noteFolder: string;
  /** Hears what can't be looked at. */
  say?: (text: string) => void;
  /** Why processes can't be looked for; found out unless given. */
  blindness?: string | undefined;
  /** Folders in which runs are kept beyond the death of this process; without them they are not. */
  keepers?: KeeperFolders;
  /** Identifies the installation on this machine, in letters and digits: names its control groups. */
  key: string;
}

/** Clock ticks a second in /proc, the same on all of Linux. */
const ticks = 100;

/** The processes of this machine. */
export function systemProcesses(options: SystemOptions): Processes {
  return new SystemProcesses(options);
}

class SystemProcesses implements Processes {
  readonly #options: SystemOptions;
  groups: GroupAbility = { available: false, limits: new Set() };
  readonly #keepers: Keepers | undefined;
  #warden: Warden;
  readonly #owners = new PeerOwners((pattern) => this.#warden.ask(`peers ${pattern}`));
  #groups: Groups | undefined;
  #scope: GroupScope | undefined;
  #prepared: Promise<GroupAbility> | undefined;
  /** Users of runs that have one of their own: what others' processes carry is not theirs. */
  readonly #runOwners = new Map<string, number>();
  /** Where hierarchies of control groups are mounted. */
  #mounts: readonly string[] = [];

  constructor(options: SystemOptions) {
    this.#options = { blindness: blindness(), ...options };
    this.#warden = new Warden({}, this.#options);
    const { keepers, say } = options;
    const ask = (question: string): Promise<string[] | undefined> => this.#warden.tryAsk(question);
    if (keepers !== undefined) this.#keepers = new Keepers(keepers, { ask, say });
  }

  get keeping(): KeepAbility {
    return this.#keepers?.keeping ?? { available: false };
  }

  prepare(): Promise<GroupAbility> {
    return this.#prepared ??= this.#prepare();
  }

  async #prepare(): Promise<GroupAbility> {
    const { key, say = (): void => {} } = this.#options;
    const [{ trees, mounts, shared, scope }] = await Promise.all([
      findGroups(key, say),
      this.#keepers?.prepare(this.#options.blindness),
    ]);
    this.#scope = scope;
    this.#mounts = mounts;
    const plan = planGroups(trees);
    if (plan !== undefined) {
      await this.#warden.close();
      this.#warden = new Warden(planEnvironment(plan, trees), this.#options);
      const prefix = `p${Date.now().toString(36)}x`;
      this.#groups = new Groups(plan, { ...this.#options, trees, asked: this.#warden, prefix });
      this.groups = { available: true, limits: enforcedLimits(plan) };
    }
    if (shared !== undefined) this.groups = { ...this.groups, shared };
    return this.groups;
  }

  hide(variables: readonly string[]): string[] {
    hideVariables(variables);
    return variables.map((name) => ownVariable(name) ?? "");
  }

  launch(spec: LaunchSpec, sink: ProcessSink): LaunchedProcess {
    // A probe of a service goes into the group of the instance that it looks at.
    const isFirst = this.#groups?.has(spec.runId) === false;
    const groups = (): string[] => this.#groups?.take(spec.runId, spec.limits) ?? [];
    try {
      const kept = this.#launchKept(spec, sink, groups);
      if (kept === undefined) spec.keep?.unkept();
      const launched = kept ?? launchProcess(spec, sink, { noteFolder: this.#options.noteFolder, groups });
      const owner = spec.user === undefined ? undefined : accountOf(spec.user).uid;
      if (owner !== undefined && owner !== ownUid()) this.#runOwners.set(spec.runId, owner);
      return launched;
    } catch (error) {
      if (isFirst) this.#groups?.giveBack(spec.runId);
      throw error;
    }
  }

  #launchKept(spec: LaunchSpec, sink: ProcessSink, groups: () => string[]): LaunchedProcess | undefined {
    const { keep } = spec;
    if (keep === undefined) return undefined;
    const group = (): KeptGroup | undefined => this.#groups?.placeOf(spec.runId);
    return this.#keepers?.launch({ ...spec, keep }, sink, {
      noteFolder: this.#options.noteFolder,
      groups,
      group,
    });
  }

  get diedAt(): number | undefined {
    return this.#keepers?.diedAt;
  }

  async findKept(runIds: readonly string[]): Promise<KeptRun[]> {
    return await this.#keepers?.adopted.find(runIds) ?? [];
  }

  adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess {
    const words = this.#keepers?.adopted.wordsOf(runId);
    if (this.#keepers === undefined || words === undefined) {
      throw new Error(`nothing is kept of run "${runId}"`);
    }
    if (words.group !== undefined) this.#groups?.adopt(runId, words.group);
    if (words.owner !== undefined) this.#runOwners.set(runId, words.owner);
    return this.#keepers.adopted.adopt(runId, sink, positions);
  }

  async dropKept(): Promise<Swept> {
    const dropped = await this.#keepers?.adopted.drop() ?? { killed: [], left: [], orphans: [] };
    const { orphans, ...swept } = dropped;
    if (orphans.length === 0) return swept;
    const rest = await this.#warden.sweep(orphans);
    return {
      ...swept,
      ...rest,
      killed: [...swept.killed, ...rest.killed],
      left: [...swept.left, ...rest.left],
    };
  }

  bootId(): Promise<string> {
    return this.#warden.bootId();
  }

  startTicks(pid: number): Promise<string | undefined> {
    return this.#warden.startTicks(pid);
  }

  async lives(pid: number): Promise<boolean | undefined> {
    // Its keeper may have called, and not been heard.
    this.#keepers?.look(pid);
    const own = this.#ownPid(pid);
    const there = presence(own);
    return there === "sent" ? await this.#warden.lives(own) : there === "refused";
  }

  /** The pid of a run that was known by its keeper's so far; any other as it is. */
  #ownPid(pid: number): number {
    return this.#keepers?.pidOf(pid) ?? pid;
  }

  #ownMark({ runId, pid }: RunMark): RunMark {
    return { runId, pid: this.#ownPid(pid) };
  }

  killGroup(pid: number): Reach {
    return signalGroup(pid, { name: "SIGKILL", leaderLives: true });
  }

  left(mark: RunMark): Promise<RunProcess[] | undefined> {
    return this.#warden.rest(this.#ownMark(mark), {
      group: this.#groups?.nameOf(mark.runId),
      owner: this.#runOwners.get(mark.runId),
    });
  }

  signal(processes: readonly NamedProcess[], name: string): void {
    for (const { pid } of processes) {
      if (reach(pid, name) === "sent" && name !== "SIGKILL") reach(pid, "SIGCONT");
    }
  }

  async killAll({ runId }: RunMark): Promise<void> {
    await this.#groups?.kill(runId);
    // What has left the group, which only root can do.
    await this.#warden.sweep([runId], this.#runOwners.get(runId));
  }

  async finish(mark: RunMark, what: Sweep): Promise<Finished> {
    const { runId, pid } = this.#ownMark(mark);
    const owner = this.#runOwners.get(runId);
    this.#runOwners.delete(runId);
    const end = await this.#groups?.finish(runId, what);
    if (what === "spare" || (end?.used && what === "strays")) return end ?? { killed: [], left: [] };
    const swept = await this.#warden.sweep([runId], owner);
    const isRefused = !end?.used && signalGroup(pid, { name: "SIGKILL", leaderLives: false }) === "refused";
    // Who has become another user can't be read either: only his session tells that he was of this run.
    const refused = isRefused ? await this.#warden.rest({ runId, pid }, { group: undefined, owner }) : [];
    return {
      ...end,
      ...swept,
      ...(end?.untold === undefined ? {} : { untold: end.untold }),
      killed: uniqueProcesses([...end?.killed ?? [], ...swept.killed]),
      left: uniqueProcesses([...end?.left ?? [], ...swept.left, ...refused ?? []]),
    };
  }

  async usage(marks: readonly RunMark[]): Promise<Map<string, UsageReading>> {
    const runs = marks.map((mark) => this.#ownMark(mark));
    const readings = await this.#groups?.usage(runs.map(({ runId }) => runId)) ?? new Map();
    const blind = runs.filter(({ runId }) => readings.get(runId)?.memoryBytes === undefined);
    if (blind.length === 0) return readings;
    const lines = await this.#warden.ask(`sessions ${blind.map(({ pid }) => pid).join("|")}`);
    const page = Number(lines[0]) || 4096;
    const sessions = parseSessions(lines.slice(1), { ticks, page });
    for (const { runId, pid } of blind) {
      const session = sessions.get(pid);
      if (session !== undefined) readings.set(runId, { ...session, ...readings.get(runId) });
    }
    return readings;
  }

  async killLeftovers(runIds: readonly string[]): Promise<Swept> {
    const earlier = this.#earlierTrees();
    const grouped = await this.#groups?.killLeftovers(earlier) ?? { killed: [], left: [] };
    // A daemon that is started from elsewhere sits in another group, and has its trees in another place.
    if (this.#groups !== undefined) writeLines(this.#record, this.#groups.trees);
    if (runIds.length === 0) return grouped;
    const swept = await this.#warden.sweep(runIds);
    return {
      ...swept,
      killed: uniqueProcesses([...grouped.killed, ...swept.killed]),
      left: uniqueProcesses([...grouped.left, ...swept.left]),
    };
  }

  /** Names the trees of this life for the next. */
  get #record(): string {
    return `${this.#options.noteFolder}/groups`;
  }

  /**
   * A copied data folder has another key: what the original wrote down is none of its business. Nor is what lies
   * elsewhere than where the kernel shows its groups: it would name any process.
   */
  #earlierTrees(): string[] {
    return readLines(this.#record).filter((line) =>
      isTreeOf(line, { key: this.#options.key, mounts: this.#mounts })
    );
  }

  carriers(): Promise<Map<number, string>> {
    return this.#warden.carriers();
  }

  peerOwner(connection: LocalConnection): Promise<number | undefined> {
    return this.#owners.ownerOf(connection);
  }

  freeSpace(folder: string): Promise<number | undefined> {
    return this.#warden.freeSpace(folder);
  }

  systemReading(): Promise<SystemReading | undefined> {
    return this.#warden.systemReading();
  }

  machine(): Machine {
    return thisMachine();
  }

  residentMemory(): number {
    return Deno.memoryUsage().rss;
  }

  async close({ isLeft } = { isLeft: false }): Promise<void> {
    await this.#prepared;
    await this.#keepers?.close({ isLeft });
    if (!isLeft) await this.#groups?.close();
    await this.#scope?.close({ isLeft });
    await this.#warden.close();
  }
}
