import { parseReading, type SystemReading } from "../../core/system_sample.ts";
import { messageOf } from "../../fault.ts";
import type { RunProcess, Swept } from "./processes.ts";
import { type Answer, WardenShell } from "./warden_shell.ts";

/** Why nothing is known: the warden was asked, and killed for its silence, more than once. */
export const silence = "the helper that looks at processes gives no answer";

/** What a warden may be told. */
export interface WardenOptions {
  /** One that says nothing for so long, though it was asked, hangs, ms. */
  patience?: number;
  /** Why it could not tell one process from another: what it needs isn't there. */
  blindness?: string | undefined;
  /** Hears what can't be looked at. */
  say?: (text: string) => void;
}

/** One that is probed takes no time for a process: so soon it is known to hang, ms. */
const probePatience = 700;
/** So many processes are found at a time that can't be looked at, and so long they are passed over, ms. */
const mostHanging = 8;
const skipFor = 10 * 60_000;
/** How long the end of the warden's shell is waited for at the end, ms. */
const closePatience = 1_000;

/** Asks the warden; starts it at the first question, and again if it should die or hang. Nothing here rejects. */
export class Warden {
  readonly #environment: Record<string, string>;
  readonly #options: Required<Omit<WardenOptions, "blindness">>;
  readonly #blindness: string | undefined;
  #shell: WardenShell | undefined;
  /** Processes that are not looked into, and until when. */
  readonly #skipped = new Map<number, number>();
  #probing: Promise<void> | undefined;
  #lastSweep: Promise<void> = Promise.resolve();
  #sweepNext:
    | { owners: Map<string, number | undefined>; done: Promise<string[] | undefined> }
    | undefined;
  #closed = false;

  /** `environment` says where control groups are; see group_script.ts. */
  constructor(environment: Record<string, string> = {}, options: WardenOptions = {}) {
    this.#environment = environment;
    this.#blindness = options.blindness;
    this.#options = { patience: options.patience ?? 4_000, say: options.say ?? ((): void => {}) };
  }

  async bootId(): Promise<string> {
    return (await this.ask("boot"))[0] ?? "";
  }

  async startTicks(pid: number): Promise<string | undefined> {
    return (await this.ask(`ticks ${pid}`))[0];
  }

  /** Whether a process that is there lives, and is not only waiting to be noticed; undefined where that can't be told. */
  async lives(pid: number): Promise<boolean | undefined> {
    const lines = await this.tryAsk(`ticks ${pid}`);
    if (lines === undefined || lines.length > 0) return lines && true;
    // Who can't say it of the daemon either, says nothing.
    return (await this.startTicks(Deno.pid)) === undefined ? undefined : false;
  }

  /** Bytes that the file system of a folder has left for this user; undefined where it can't be told. */
  async freeSpace(folder: string): Promise<number | undefined> {
    const [kibibytes] = await this.ask(`disk ${folder}`);
    return kibibytes === undefined || !/^\d+$/.test(kibibytes) ? undefined : Number(kibibytes) * 1024;
  }

  /** The machine's counters; undefined where they can't be read. */
  async systemReading(): Promise<SystemReading | undefined> {
    return parseReading(await this.ask("system"));
  }

  async carriers(): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const line of await this.ask("carriers")) {
      const [pid, runId] = line.split("/");
      if (pid !== undefined && runId) found.set(Number(pid), runId);
    }
    return found;
  }

  /** What still lives of a run whose process has ended; undefined where that can't be told. */
  async rest(
    { runId, pid }: { runId: string; pid: number },
    { group, owner }: { group: string | undefined; owner: number | undefined },
  ): Promise<RunProcess[] | undefined> {
    if (this.#blindness !== undefined) return undefined;
    const lines = await this.tryAsk(
      `rest ${pid} ${runId} ${group ?? "-"}${owner === undefined ? "" : ` ${owner}`}`,
    );
    const found = new Map<number, RunProcess>();
    for (const line of lines ?? []) {
      const match = /^(\d+) (\d+) (.*)$/.exec(line);
      if (match !== null) {
        found.set(Number(match[1]), { pid: Number(match[1]), group: Number(match[2]), name: match[3]! });
      }
    }
    // The process itself has ended: who has its pid now is somebody else, and so is the session of that name.
    const isTakenOver = found.has(pid);
    return lines && [...found.values()].filter((one) => !isTakenOver || one.group !== pid);
  }

  /**
   * Kills what carries the ids of runs; `owner` is the user whose processes alone are meant. Sweeps asked for while
   * one is under way are done together by the next: one look at the table serves many runs.
   */
  async sweep(runIds: readonly string[], owner?: number): Promise<Swept> {
    // An empty answer would be taken for "none".
    if (this.#blindness !== undefined) return { killed: [], left: [], untold: this.#blindness };
    if (this.#sweepNext === undefined) {
      const owners = new Map<string, number | undefined>();
      this.#sweepNext = { owners, done: this.#lastSweep.then(() => this.#sweepNow(owners)) };
      this.#lastSweep = this.#sweepNext.done.then(() => {}, () => {});
    }
    for (const id of runIds) this.#sweepNext.owners.set(id, owner);
    const lines = await this.#sweepNext.done;
    const swept: Swept = { killed: [], left: [] };
    if (lines === undefined && !this.#closed) swept.untold = silence;
    for (const line of lines ?? []) {
      const match = /^(killed|left) (\d+)\/(\S+) ?(.*)$/.exec(line);
      if (match === null || !runIds.includes(match[3]!)) continue;
      swept[match[1] as "killed" | "left"].push({ pid: Number(match[2]), name: match[4]! });
    }
    return swept;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const shell = this.#shell;
    this.#shell = undefined;
    await shell?.close(closePatience);
  }

  async #sweepNow(owners: ReadonlyMap<string, number | undefined>): Promise<string[] | undefined> {
    this.#sweepNext = undefined;
    const named = [...owners].flatMap(([id, owner]) => owner === undefined ? [] : [` ${id}:${owner}`]);
    return await this.tryAsk(`sweep ${[...owners.keys()].join("|")}${named.join("")}`);
  }

  /** Lines of an answer; none when the warden is closed, or can't be had. */
  async ask(question: string, options: { patience?: number } = {}): Promise<string[]> {
    return await this.tryAsk(question, options) ?? [];
  }

  /** Lines of an answer; undefined when there is none. */
  async tryAsk(question: string, { patience = this.#options.patience } = {}): Promise<string[] | undefined> {
    for (let tries = 0; tries < 3; tries++) {
      await this.#probing;
      if (this.#closed) return undefined;
      const answer = await this.#askOnce(question, patience);
      if ("lines" in answer) return answer.lines;
      if (answer.is === "hung") await (this.#probing ??= this.#probe());
    }
    this.#options.say(`${silence} to "${question.split(" ")[0]}"`);
    return undefined;
  }

  async #askOnce(question: string, patience: number): Promise<Answer> {
    try {
      this.#shell ??= this.#start();
    } catch (error) {
      this.#options.say(`the helper that looks at processes can't be started: ${messageOf(error)}`);
      return { is: "died", soFar: [] };
    }
    const shell = this.#shell;
    const answer = await shell.ask(question, patience);
    if (!("lines" in answer) && this.#shell === shell) this.#shell = undefined;
    return answer;
  }

  /** Finds the processes whose files keep a reader for ever: what reads them next passes them over. */
  async #probe(): Promise<void> {
    let from = 0;
    for (let found = 0; found < mostHanging && !this.#closed; found++) {
      const answer = await this.#askOnce(`probe ${from}`, probePatience);
      if ("lines" in answer) break;
      const pid = Number(/^at (\d+)$/.exec(answer.soFar.at(-1) ?? "")?.[1]);
      if (!(pid > 0)) break;
      from = pid;
      this.#skipped.set(pid, performance.now() + skipFor);
      this.#options.say(
        `process ${pid} can't be looked at: reading in /proc/${pid} does not come back; it is passed over`,
      );
    }
    this.#probing = undefined;
  }

  #start(): WardenShell {
    const now = performance.now();
    for (const [pid, until] of this.#skipped) if (until < now) this.#skipped.delete(pid);
    const shell = new WardenShell(this.#environment);
    if (this.#skipped.size > 0) {
      void shell.ask(`skip ${[...this.#skipped.keys()].join(" ")}`, this.#options.patience);
    }
    return shell;
  }
}
