import type { SystemReading } from "../../src/core/system_sample.ts";
import type { Sweep } from "../../src/core/run_machine.ts";
import type { NamedProcess } from "../../src/core/pid_words.ts";
import type { UsageReading } from "../../src/core/usage.ts";
import { Fault } from "../../src/fault.ts";
import type {
  Finished,
  GroupAbility,
  KeepAbility,
  KeptRun,
  LaunchedProcess,
  LaunchSpec,
  Machine,
  Processes,
  ProcessExit,
  ProcessSink,
  Reach,
  RunMark,
  RunProcess,
  SpoolPositions,
  Swept,
} from "../../src/io/process/processes.ts";

/** How the processes of a script behave. */
export interface Behaviour {
  /** Signals that do not end it. SIGKILL always does. */
  ignores?: string[];
  /** The exit code with which it answers a signal; default: it dies by the signal. */
  onSignal?: number;
  /** After its end a child holds its pipes until they are abandoned. */
  holdsPipes?: boolean;
  /** It is another user's by now: no signal of ours reaches it, not even SIGKILL. */
  foreign?: boolean;
  /** It waits for a device that is gone: every signal is taken, and none acts. */
  unkillable?: boolean;
  /** What is told of its end until `tellEnd`: that its pipes have ended, or nothing. */
  tells?: "pipes" | "nothing";
  /** Signals by which what outlives its own end ends, apart from SIGKILL. */
  children?: string[];
  /** The start fails with this message. */
  refuses?: string;
  /** The start fails since the machine can't, with this message. */
  breaks?: string;
  /** No keeper can be had for it. */
  unkept?: boolean;
  /** It ends with this code as soon as it has started. */
  exits?: number;
}

const signalNumbers: Record<string, number> = { SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGUSR1: 10, SIGTERM: 15 };

/** A process of a test. */
export class FakeProcess implements LaunchedProcess {
  readonly pid: number;
  readonly started: Promise<void> = Promise.resolve();
  readonly spec: LaunchSpec;
  /** Names of the signals that were sent while it lived, in order. */
  readonly signals: string[] = [];
  isAlive = true;
  /** Pids of children that left the group and live on. */
  strays: number[] = [];
  /** Children that stay in the group. */
  children: RunProcess[] = [];
  /** One of them ends by SIGKILL alone. */
  hasStubbornChild = false;
  /** Signals that reached them after the end of the process, as "PID SIGTERM". */
  readonly toChildren: string[] = [];
  /** What it writes is read, and thrown away. */
  isReleased = false;
  /** Its strays may live on. */
  letGo = false;
  /** What all of it has used; undefined: that can't be told. */
  used: UsageReading | undefined;
  /** What could not be done for it, until that was told. */
  trouble: string[] = [];
  behaviour: Behaviour;
  /** Called when it has ended, and nobody is told. */
  ended: () => void = () => {};
  /** It has no keeper, though one was ordered. */
  isKept = true;
  /** Its keeper lives; one that does not writes no end down. */
  hasKeeper = true;
  /** Its end was stored. */
  isDismissed = false;
  /** Where those who took it over wanted its output from. */
  readonly adoptedFrom: SpoolPositions[] = [];
  /** How it ended, as its keeper has written it down. */
  keptEnd: { exit: ProcessExit; at: number } | undefined;
  /** Unix ms, for who is asked when it began, and when it ended. */
  now: () => number = () => 0;
  launchedAt = 0;
  readonly #written = { stdout: 0, stderr: 0 };
  readonly #unread: { text: string; stream: "stdout" | "stderr" }[] = [];
  #sink: ProcessSink | undefined;
  #untold: ProcessExit | undefined;

  constructor(pid: number, spec: LaunchSpec, start: { sink: ProcessSink; behaviour: Behaviour }) {
    this.pid = pid;
    this.spec = spec;
    this.#sink = start.sink;
    this.behaviour = start.behaviour;
  }

  print(text: string, stream: "stdout" | "stderr" = "stdout"): void {
    if (this.isLeft) {
      this.#unread.push({ text, stream });
      return;
    }
    const bytes = new TextEncoder().encode(text);
    this.#written[stream] += bytes.length;
    const position = this.spec.keep && { file: 0, offset: this.#written[stream] };
    for (let from = 0; from < bytes.length && this.#sink !== undefined;) {
      from += this.#sink.output(stream, bytes.subarray(from), position);
    }
  }

  dismiss(): void {
    this.isDismissed = true;
  }

  /** It has a keeper, and nobody listens to it at the moment. */
  get isLeft(): boolean {
    return this.spec.keep !== undefined && this.isKept && this.#sink === undefined && !this.isDismissed;
  }

  /** A daemon goes on with it: hears what it wrote meanwhile, and how it ended. */
  adopt(sink: ProcessSink, positions: SpoolPositions): void {
    this.#sink = sink;
    this.#untold = undefined;
    this.adoptedFrom.push(positions);
    for (const { text, stream } of this.#unread.splice(0)) this.print(text, stream);
    if (this.keptEnd === undefined) return;
    this.#tellExit(this.keptEnd.exit);
    if (!this.behaviour.holdsPipes) this.#tellDrained();
  }

  exit(code: number, signal?: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    const exit = signal === undefined ? { code } : { code, signal };
    if (this.spec.keep !== undefined && this.isKept && this.hasKeeper) {
      this.keptEnd = { exit, at: this.now() };
    }
    if (this.isLeft) return;
    const { tells, holdsPipes } = this.behaviour;
    if (tells === undefined) this.#tellExit(exit);
    else {
      this.#untold = exit;
      this.ended();
    }
    if (!holdsPipes && tells !== "nothing") this.#tellDrained();
  }

  /** Its end is told after all. */
  tellEnd(): void {
    const exit = this.#untold;
    if (exit === undefined) return;
    this.#untold = undefined;
    this.#tellExit(exit);
    if (!this.behaviour.holdsPipes) this.#tellDrained();
  }

  /** It has ended, and nobody was told. */
  get isUntold(): boolean {
    return this.#untold !== undefined;
  }

  /** Whoever starts runs may tell an end again, and not as well as the first time. */
  #tellExit(exit: ProcessExit): void {
    this.#sink?.exited(exit);
    this.#sink?.exited({ code: 99, untold: "it was told already" });
  }

  #tellDrained(): void {
    this.#sink?.pipesClosed();
    this.#sink?.pipesClosed();
  }

  /** Its keeper is killed: a daemon that is there ends it. */
  loseKeeper(): void {
    this.hasKeeper = false;
    if (this.#sink === undefined || !this.isAlive) return;
    this.isAlive = false;
    this.#tellExit({ code: 255, signal: "unknown", untold: "its keeper was killed" });
    this.#tellDrained();
  }

  /** Ends as a launcher does that could not get as far as the script. */
  failToLaunch(failure: string): void {
    this.isAlive = false;
    this.#tellExit({ code: 125, failure });
    this.#tellDrained();
  }

  signal(name: string): void {
    if (!this.isAlive) return;
    if (this.behaviour.foreign) throw new Fault("forbidden", "it belongs to another user by now");
    this.signals.push(name);
    if (this.behaviour.unkillable) return;
    const reached = this.children.filter(({ group }) => group === this.pid);
    if (this.behaviour.children?.includes(name) || name === "SIGKILL") {
      this.children = this.children.filter((child) => !reached.includes(child));
    }
    if (name !== "SIGKILL" && this.behaviour.ignores?.includes(name)) return;
    queueMicrotask(() => {
      if (name !== "SIGKILL" && this.behaviour.onSignal !== undefined) this.exit(this.behaviour.onSignal);
      else this.exit(128 + (signalNumbers[name] ?? 0), name);
    });
  }

  leave(): Promise<void> {
    this.#sink = undefined;
    return Promise.resolve();
  }

  abandon(): void {
    queueMicrotask(() => this.#tellDrained());
  }

  release(): void {
    this.isReleased = true;
  }

  troubles(): string[] {
    return this.trouble.splice(0);
  }

  /** The daemon that listens is gone; the process is not. */
  orphan(): void {
    this.#sink = undefined;
  }
}

/** The processes of a machine that exists in a test only. */
export class FakeProcesses implements Processes {
  /** All that were ever launched, in order. */
  readonly launched: FakeProcess[] = [];
  /** Pids that survive every kill. */
  readonly unkillable = new Set<number>();
  /** Questions to what looks at processes: answered, answered after a while, never, or by a failure. */
  answers: "yes" | "late" | "never" | "failing" = "yes";
  /** What happened, in order: "launch NAME", "kill PID". */
  readonly story: string[] = [];
  boot = "boot-1";
  groups: GroupAbility = { available: true, limits: new Set(["memory", "cpu", "pids"]) };
  /** How often all runs were looked at together. */
  looks = 0;
  /** What the machine's counters say; undefined: they can't be read. */
  reading: SystemReading | undefined;
  readonly #behaviours = new Map<string, Behaviour>();
  #nextPid = 100;

  /** How processes of a unit behave from now on. */
  behave(name: string, behaviour: Behaviour): void {
    this.#behaviours.set(name, behaviour);
  }

  /** The daemon's own environment, and what of it is hidden from runs. */
  readonly variables: Record<string, string> = {};
  hidden: readonly string[] = [];

  hide(variables: readonly string[]): string[] {
    this.hidden = variables;
    this.story.push(...variables.map((name) => `hide ${name}`));
    return variables.map((name) => this.variables[name] ?? "");
  }

  launch(spec: LaunchSpec, sink: ProcessSink): FakeProcess {
    const behaviour = this.#behaviours.get(spec.name) ?? {};
    if (behaviour.breaks !== undefined) throw new Fault("internal", behaviour.breaks);
    if (behaviour.refuses !== undefined) throw new Fault("not_found", behaviour.refuses);
    if (behaviour.unkept === true) spec.keep?.unkept();
    const process = new FakeProcess(this.#nextPid++, spec, { sink, behaviour });
    process.isKept = behaviour.unkept !== true;
    process.now = this.now;
    process.launchedAt = this.now();
    this.launched.push(process);
    this.story.push(`launch ${spec.name}`);
    const { exits } = behaviour;
    if (exits !== undefined) queueMicrotask(() => process.exit(exits));
    return process;
  }

  /** Whether runs outlive the engine: those that are launched from then on. */
  keeping: KeepAbility = { available: false };
  /** Unix ms. */
  now: () => number = () => 0;
  /** What is told of runs that were left, where a test wants it otherwise. */
  altered: (kept: KeptRun[]) => KeptRun[] = (kept) => kept;
  /** Adoptions fail with this message. */
  refusesAdoption: string | undefined;

  async findKept(runIds: readonly string[]): Promise<KeptRun[]> {
    await this.answered();
    const left = this.launched.filter((one) => one.isLeft && runIds.includes(one.spec.runId));
    return this.altered(left.map(({ spec, pid, keptEnd, launchedAt }) => ({
      runId: spec.runId,
      nonce: spec.keep!.nonce,
      about: spec.keep!.about,
      pid,
      ...(keptEnd === undefined ? { ranFor: this.now() - launchedAt } : { ended: keptEnd }),
    })));
  }

  adopt(runId: string, sink: ProcessSink, positions: SpoolPositions): LaunchedProcess {
    const process = this.launched.find((one) => one.isLeft && one.spec.runId === runId);
    if (process === undefined) throw new Error(`nothing is kept of run "${runId}"`);
    if (this.refusesAdoption !== undefined) throw new Error(this.refusesAdoption);
    this.story.push(`adopt ${process.pid}`);
    process.adopt(sink, positions);
    return process;
  }

  async dropKept(): Promise<Swept> {
    await this.answered();
    const left = this.launched.filter((one) => one.isLeft);
    const swept = await this.#kill(left.map(({ spec }) => spec.runId));
    for (const one of left) one.dismiss();
    return swept;
  }

  prepare(): Promise<GroupAbility> {
    return Promise.resolve(this.groups);
  }

  async bootId(): Promise<string> {
    await this.answered();
    return this.boot;
  }

  async startTicks(pid: number): Promise<string | undefined> {
    await this.answered();
    const process = this.launched.find((one) => one.pid === pid && one.isAlive);
    return process === undefined ? undefined : `ticks-${pid}`;
  }

  async lives(pid: number): Promise<boolean | undefined> {
    await this.answered();
    return this.launched.some((one) => one.pid === pid && one.isAlive);
  }

  killGroup(pid: number): Reach {
    const process = this.launched.find((one) => one.pid === pid);
    if (process?.behaviour.foreign) return "refused";
    this.story.push(`kill ${pid}`);
    if (!process?.behaviour.unkillable) process?.exit(137, "SIGKILL");
    return "sent";
  }

  async left({ runId }: RunMark): Promise<RunProcess[] | undefined> {
    await this.answered();
    const process = this.launched.find(({ spec }) => spec.runId === runId);
    if (process === undefined) return [];
    const strays = process.letGo ? [] : process.strays.map((pid) => ({ pid, name: "", group: pid }));
    return [...process.children, ...strays];
  }

  signal(processes: readonly NamedProcess[], name: string): void {
    const pids = new Set(processes.map(({ pid }) => pid));
    for (const process of this.launched) {
      const all = [...process.children.map(({ pid }) => pid), ...process.strays];
      for (const pid of all.filter((one) => pids.has(one))) process.toChildren.push(`${pid} ${name}`);
      if (name !== "SIGKILL" && !process.behaviour.children?.includes(name)) continue;
      process.children = process.children.filter(({ pid }) => !pids.has(pid) || this.unkillable.has(pid));
      process.strays = process.strays.filter((pid) => !pids.has(pid) || this.unkillable.has(pid));
    }
  }

  async killAll({ runId }: RunMark): Promise<void> {
    await this.answered();
    await this.#kill([runId]);
  }

  async finish({ runId }: RunMark, what: Sweep): Promise<Finished> {
    await this.answered();
    const process = this.launched.find(({ spec }) => spec.runId === runId);
    if (process !== undefined && what === "spare") process.letGo = true;
    const swept = what === "spare" ? { killed: [], left: [] } : await this.#kill([runId]);
    return process?.used === undefined ? swept : { ...swept, usage: process.used };
  }

  async usage(runs: readonly RunMark[]): Promise<Map<string, UsageReading>> {
    this.looks++;
    await this.answered();
    const readings = this.launched.flatMap(({ spec, used }): [string, UsageReading][] =>
      used !== undefined && runs.some(({ runId }) => runId === spec.runId) ? [[spec.runId, used]] : []
    );
    return new Map(readings);
  }

  /** What sits in groups is found whatever its run is called, apart from strays that were let go. */
  async killLeftovers(runIds: readonly string[]): Promise<Swept> {
    await this.answered();
    // What was taken over is no leftover.
    const former = this.launched.filter(({ adoptedFrom }) => adoptedFrom.length === 0);
    const grouped = this.groups.available ? former.map(({ spec }) => spec.runId) : [];
    return await this.#kill([...runIds, ...grouped]);
  }

  /** Resolves when a question that is asked now is answered. */
  protected answered(): Promise<void> {
    if (this.answers === "never") return new Promise(() => {});
    return this.answers === "failing" ? Promise.reject(new Error("no helper")) : Promise.resolve();
  }

  #kill(runIds: readonly string[]): Promise<Swept> {
    const swept: Swept = { killed: [], left: [] };
    for (const process of this.launched) {
      if (!runIds.includes(process.spec.runId)) continue;
      const rest = process.letGo ? [] : [...process.children.map(({ pid }) => pid), ...process.strays];
      const pids = [...(process.isAlive ? [process.pid] : []), ...rest];
      for (const pid of pids) {
        const named = { pid, name: process.children.find((child) => child.pid === pid)?.name ?? "" };
        const { foreign, unkillable } = process.behaviour;
        if (this.unkillable.has(pid) || (pid === process.pid && (foreign || unkillable))) {
          swept.left.push(named);
          continue;
        }
        this.story.push(`kill ${pid}`);
        swept.killed.push(named);
        process.strays = process.strays.filter((stray) => stray !== pid);
        process.children = process.children.filter((child) => child.pid !== pid);
        if (pid === process.pid) process.exit(137, "SIGKILL");
      }
    }
    return Promise.resolve(swept);
  }

  carriers(): Promise<Map<number, string>> {
    return Promise.resolve(new Map(this.alive().map(({ pid, spec }) => [pid, spec.runId])));
  }

  peerOwner(): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }

  freeSpace(): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }

  async systemReading(): Promise<SystemReading | undefined> {
    await this.answered();
    return this.reading;
  }

  machine(): Machine {
    return { host: "box", os: "linux", arch: "amd64", cores: 4, workDir: "/srv" };
  }

  residentMemory(): number {
    return 50_000_000;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Live processes, of one unit or of all, in order of their start. */
  alive(name?: string): FakeProcess[] {
    return this.launched.filter((one) => one.isAlive && (name === undefined || one.spec.name === name));
  }

  /** The one live process of a unit. Throws when there is none, or more than one. */
  only(name: string): FakeProcess {
    const [process, ...more] = this.alive(name);
    if (process === undefined || more.length > 0) {
      throw new RangeError(`${process === undefined ? 0 : more.length + 1} processes of "${name}" are alive`);
    }
    return process;
  }

  /** How often a unit was launched. */
  count(name: string): number {
    return this.launched.filter(({ spec }) => spec.name === name).length;
  }
}
