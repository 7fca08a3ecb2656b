import { readSize, type SpoolStream } from "../../core/spool.ts";
import { programPath } from "../programs.ts";
import { endOf } from "./child_end.ts";
import { presence, reach } from "./reach.ts";

/** A process that copies a stream into a file, and outlives the daemon. */
export interface SpoolReader {
  readonly pid: number;
  readonly isOver: boolean;
  /** How it ended, where it did not end well; `isKilled`: by a signal, so that the next may do better. */
  readonly failure: { words: string; isKilled: boolean } | undefined;
  /** Resolves when it is over; at once for one that nobody tells of. */
  readonly over: Promise<void>;
  /** Whether the end of the stream can be told from an empty file. */
  readonly isOwn: boolean;
  /** Looks whether it is there, where nobody tells; its end is called back. */
  look(): void;
}

/** What is read: a pipe that a keeper holds. */
export interface KeptPipe {
  keeper: number;
  stream: SpoolStream;
}

/** Path of a kept pipe: who opens it reads what the run writes. */
export function pipePath({ keeper, stream }: KeptPipe): string {
  return `/proc/${keeper}/fd/${stream === "stdout" ? 3 : 4}`;
}

/** Starts a reader that copies `count` reads into a file, which is there. Throws what a refused start throws. */
export function startReader(
  pipe: KeptPipe,
  { path, count, ended }: { path: string; count: number; ended: () => void },
): SpoolReader {
  const child = spawnReader([`of=${path}`, `count=${count}`], pipe, "null");
  const reader: { -readonly [Key in keyof SpoolReader]: SpoolReader[Key] } = {
    pid: child.pid,
    isOver: false,
    failure: undefined,
    isOwn: true,
    over: endOf(child).then(({ code, signal }) => over(code, signal)),
    look: () => {},
  };
  const over = (code: number, signal: string | undefined): void => {
    reader.isOver = true;
    if (signal !== undefined) reader.failure = { words: `was ended by ${signal}`, isKilled: true };
    else if (code !== 0) reader.failure = { words: `gave up with code ${code}`, isKilled: false };
    ended();
  };
  return reader;
}

/** Starts a reader that brings `count` reads through a pipe to this process: for where no file can be had. */
export function startPipeReader(pipe: KeptPipe, count: number): Deno.ChildProcess {
  return spawnReader([`count=${count}`], pipe, "piped");
}

function spawnReader(words: string[], pipe: KeptPipe, stdout: "null" | "piped"): Deno.ChildProcess {
  const dd = programPath("dd") ?? "dd";
  const setsid = programPath("setsid");
  const all = [dd, `if=${pipePath(pipe)}`, ...words, `bs=${readSize}`];
  const [program, ...args] = setsid === undefined ? all : [setsid, ...all];
  return new Deno.Command(program!, {
    args,
    cwd: "/",
    clearEnv: true,
    env: { LC_ALL: "C" },
    // A session of its own: what ends the daemon's, a terminal say, must not end it.
    detached: setsid === undefined,
    stdin: "null",
    stdout,
    stderr: "null",
  }).spawn();
}

/** Says once its input is open; then whatever comes is thrown away, also when the daemon and the keeper are gone. */
const drain = `exec 0< "$1" || exit; exec 1>/dev/null; exec "$2" bs=${readSize}`;

/** Starts what goes on reading a pipe of strays that nobody listens to. Throws what a refused start throws. */
export function startDrain(pipe: KeptPipe): { held: Promise<void>; ended: Promise<void>; stop: () => void } {
  const setsid = programPath("setsid");
  const all = ["/bin/sh", "-c", drain, "svc-drain", pipePath(pipe), programPath("dd") ?? "dd"];
  const [program, ...args] = setsid === undefined ? all : [setsid, ...all];
  const child = new Deno.Command(program!, {
    args,
    cwd: "/",
    clearEnv: true,
    detached: setsid === undefined,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const held = child.stdout.pipeTo(new WritableStream()).catch(() => {});
  return { held, ended: endOf(child).then(() => {}), stop: () => void reach(child.pid, "SIGKILL") };
}

/** An adopted reader that may have ended is looked at again after so many ms, then all are asked for. */
const looks = [0, 10, 50] as const;
/** That is done so seldom at most, ms. */
const askEvery = 500;
const lookEvery = 2_000;

/**
 * Readers that an earlier daemon, or the watch that follows one, has started: nobody tells of their ends, so they are
 * looked for. One that has ended stays to be seen where nobody waits for it: `areThere` knows, asked now and then.
 */
export class AdoptedReaders {
  readonly #areThere: (pids: readonly number[]) => Promise<ReadonlySet<number> | undefined>;
  readonly #live = new Map<number, AdoptedReader>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #askedAt = -Infinity;
  #round = 0;

  /** `areThere`: which of these live; undefined where that can't be told. */
  constructor(areThere: (pids: readonly number[]) => Promise<ReadonlySet<number> | undefined>) {
    this.#areThere = areThere;
  }

  /** Takes one over; `ended` is called once. */
  take(pid: number, ended: () => void): SpoolReader {
    const reader = new AdoptedReader(pid, {
      unsure: () => this.#askSoon(),
      ended: () => {
        this.#live.delete(pid);
        if (this.#live.size === 0) this.#rest();
        ended();
      },
    });
    this.#live.set(pid, reader);
    this.#timer ??= this.#start();
    return reader;
  }

  /** Nobody is looked for any more. */
  close(): void {
    this.#rest();
    for (const reader of this.#live.values()) reader.overlook();
  }

  #rest(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#asking);
    this.#timer = this.#asking = undefined;
  }

  #askSoon(): void {
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      this.#ask().catch(reportError);
    }, Math.max(0, this.#askedAt + askEvery - performance.now()));
  }

  #start(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => {
      for (const reader of [...this.#live.values()]) reader.lookOnce();
      if (++this.#round % 5 === 0) this.#ask().catch(reportError);
    }, lookEvery);
    Deno.unrefTimer(timer);
    return timer;
  }

  async #ask(): Promise<void> {
    this.#askedAt = performance.now();
    const asked = [...this.#live.values()];
    const there = await this.#areThere(asked.map(({ pid }) => pid));
    for (const reader of asked) if (there !== undefined && !there.has(reader.pid)) reader.end();
  }
}

class AdoptedReader implements SpoolReader {
  readonly pid: number;
  readonly failure = undefined;
  readonly isOwn = false;
  readonly over: Promise<void> = Promise.resolve();
  isOver = false;
  readonly #told: { unsure: () => void; ended: () => void };
  #looks: ReturnType<typeof setTimeout>[] = [];

  /** `unsure`: called where it is there, and may be waited for by nobody; `ended`: called once. */
  constructor(pid: number, told: { unsure: () => void; ended: () => void }) {
    this.pid = pid;
    this.#told = told;
  }

  look(): void {
    if (this.#looks.length > 0 || this.isOver) return;
    const last = looks.at(-1);
    this.#looks = looks.map((after) =>
      setTimeout(() => {
        this.lookOnce();
        if (after !== last) return;
        this.#looks = [];
        if (!this.isOver) this.#told.unsure();
      }, after)
    );
  }

  lookOnce(): void {
    if (presence(this.pid) === "gone") this.end();
  }

  /** Looks no more. */
  overlook(): void {
    this.#looks.forEach(clearTimeout);
    this.#looks = [];
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.overlook();
    this.#told.ended();
  }
}
