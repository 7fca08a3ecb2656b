import { freshPlan, readSpoolName, type SpoolPlace, type SpoolPlan } from "../../../src/core/spool.ts";
import { type OutputPipe, readMovable } from "../../../src/io/process/output.ts";
import { followSpool } from "../../../src/io/process/spool.ts";
import { AdoptedReaders } from "../../../src/io/process/spool_readers.ts";
import { SpoolWatch } from "../../../src/io/process/spool_watch.ts";

/** Holds the pipes of a script as keepers do, and stands still after its end. */
const keeper = `
exec 3</proc/self/fd/1 4</proc/self/fd/2
(exec 3<&- 4<&-; eval "$1")
exec 1>&- 2>&-
kill -STOP $$
`;

/** In a script: it waits until the test opens the gate. */
export const gate = 'read -r _ < "$GATE.1"';
/** One more. */
export const nextGate = 'read -r _ < "$GATE.2"';

/** A script whose pipes are kept, and a folder for its spools; nothing of it is left when the test ends. */
export class PipeKeeper implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "svc-spools-" });
  readonly #own: string = Deno.makeTempDirSync({ prefix: "svc-gate-" });
  readonly #watches = new Map<string, SpoolWatch>();
  readonly adopted: AdoptedReaders = new AdoptedReaders(() => Promise.resolve(undefined));
  readonly child: Deno.ChildProcess;
  readonly said: string[] = [];
  readonly #pipes: OutputPipe[] = [];

  /** Starts a script, and waits until its pipes are kept. */
  static async start(script: string): Promise<PipeKeeper> {
    const keeper = new PipeKeeper(script);
    while (!isPipe(`/proc/${keeper.child.pid}/fd/4`)) await new Promise((resolve) => setTimeout(resolve, 2));
    return keeper;
  }

  private constructor(script: string) {
    const GATE = `${this.#own}/gate`;
    new Deno.Command("mkfifo", { args: [`${GATE}.1`, `${GATE}.2`] }).outputSync();
    this.child = new Deno.Command("setsid", {
      args: ["/bin/sh", "-c", keeper, "keeper", script],
      env: { GATE },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Reads standard output directly, until `isTime`, then by way of files. */
  readMovable(take: (chunk: Uint8Array, position?: SpoolPlace) => number, isTime: () => boolean): OutputPipe {
    const pipe = readMovable(this.child.stdout, take, { isTime, moved: () => this.follow(take) });
    this.#pipes.push(pipe);
    return pipe;
  }

  /** Follows standard output by way of files. */
  follow(
    take: (chunk: Uint8Array, position: SpoolPlace) => number,
    { plan = freshPlan(), readers = new Map<number, number>(), folder = this.folder }: {
      plan?: SpoolPlan;
      readers?: ReadonlyMap<number, number>;
      folder?: string;
    } = {},
  ): OutputPipe {
    const say = (text: string): void => void this.said.push(text);
    const { adopted } = this;
    const watch = this.#watchOf(folder);
    const order = {
      runId: "R1",
      stream: "stdout",
      keeper: this.child.pid,
      plan,
      readers,
      take,
      say,
    } as const;
    const pipe = followSpool(order, { folder, watch, adopted });
    this.#pipes.push(pipe);
    return pipe;
  }

  /** Names of the files that are there. */
  files(): string[] {
    return [...Deno.readDirSync(this.folder)].map(({ name }) => name).filter((name) => readSpoolName(name));
  }

  #watchOf(folder: string): SpoolWatch {
    const watch = this.#watches.get(folder) ?? new SpoolWatch(folder);
    this.#watches.set(folder, watch);
    return watch;
  }

  /** Lets the script go on; resolves once it waited at its gate. */
  async open(number: 1 | 2 = 1): Promise<void> {
    await Deno.writeTextFile(`${this.#own}/gate.${number}`, "\n");
  }

  /** Starts a reader as an earlier daemon would have. */
  dd(number: number, count: number): Deno.ChildProcess {
    const path = `${this.folder}/R1.1.${number}`;
    Deno.writeFileSync(path, new Uint8Array(), { mode: 0o600 });
    return new Deno.Command("dd", {
      args: [`if=/proc/${this.child.pid}/fd/3`, `of=${path}`, "bs=65536", `count=${count}`],
      stderr: "null",
    }).spawn();
  }

  /** Gives up Deno's end of standard output, as the end of a daemon does. */
  async leave(): Promise<void> {
    await this.child.stdout.cancel();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pipe of this.#pipes) pipe.cancel();
    await Promise.all(this.#pipes.map(({ ended }) => ended));
    for (const pid of childrenOf(this.child.pid)) kill(pid);
    kill(this.child.pid);
    await this.child.status;
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (!stream.locked) await stream.cancel().catch(() => {});
    }
    for (const watch of this.#watches.values()) watch.close();
    this.adopted.close();
    for (const folder of [this.folder, this.#own]) await Deno.remove(folder, { recursive: true });
  }
}

/** Pids of the readers that live of a folder, by the names of their files. */
export function readersOf(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const { name: pid } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const words = wordsOf(pid);
    const to = words.find((word) => word.startsWith(`of=${folder}/`));
    if (to !== undefined) found.set(to.slice(`of=${folder}/`.length), Number(pid));
  }
  return found;
}

function isPipe(path: string): boolean {
  try {
    return Deno.readLinkSync(path).startsWith("pipe:");
  } catch {
    return false;
  }
}

function wordsOf(pid: string): string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
  } catch {
    return []; // it has ended
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
    return text.trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Takes numbered lines in, and holds them to their order. */
export class Numbers {
  seen = 0;
  bytes = 0;
  position: SpoolPlace | undefined;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #wanted: { count: number; found: () => void } | undefined;

  readonly take = (chunk: Uint8Array, position?: SpoolPlace): number => {
    this.bytes += chunk.length;
    this.position = position ?? this.position;
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) {
      if (Number(line) !== this.seen + 1) throw new Error(`line "${line}" came after ${this.seen}`);
      this.seen++;
    }
    if (this.#wanted !== undefined && this.seen >= this.#wanted.count) this.#wanted.found();
    return chunk.length;
  };

  /** Resolves once so many lines have come. */
  async reach(count: number): Promise<void> {
    if (this.seen < count) await new Promise<void>((found) => this.#wanted = { count, found });
  }
}
