import { messageOf } from "../../fault.ts";
import { plainEnvironment } from "../programs.ts";
import { ownUid } from "../trust.ts";
import { endOf } from "./child_end.ts";

/** What comes without a line end is no run's id, bytes. */
const longest = 256;
const bufferSize = 16 * 1024;

/** A FIFO that is listened to. */
interface OpenBell {
  reader: Deno.FsFile;
  /** Ends the wait of the other. */
  waker: Deno.FsFile;
  isClosing: boolean;
  /** Resolves when both are closed; never rejects. */
  done: Promise<void>;
}

/** A FIFO by which keepers call: whoever has something to tell of a run writes its id, on a line. */
export class Bell {
  readonly path: string;
  readonly #mkfifo: string;
  readonly #say: (text: string) => void;
  readonly #heard = new Map<string, () => void>();
  #open: OpenBell | undefined;
  #hanging: Promise<boolean> | undefined;
  #isClosed = false;

  /** `mkfifo`: path of the program. */
  constructor(path: string, { mkfifo, say }: { mkfifo: string; say: (text: string) => void }) {
    this.path = path;
    this.#mkfifo = mkfifo;
    this.#say = say;
  }

  /** Makes the FIFO, where it is missing or something else lies there, and begins to listen. Never rejects; false: it can't be had. */
  hang(): Promise<boolean> {
    return this.#hanging ??= this.#hang().finally(() => this.#hanging = undefined);
  }

  /** From now on `heard` is called when the run's keeper calls; more often than that, too. */
  listen(runId: string, heard: () => void): void {
    this.#heard.set(runId, heard);
  }

  forget(runId: string): void {
    this.#heard.delete(runId);
  }

  /** Whether keepers find it. Where they don't, it is made again in the background, and then all are taken to have called. */
  check(): boolean {
    if (this.#isThere()) return true;
    if (!this.#isClosed) void this.hang().catch(reportError);
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#hanging;
    await this.#take();
  }

  async #hang(): Promise<boolean> {
    if (this.#isThere()) return true;
    await this.#take();
    try {
      if (!isOwnFifo(this.path)) {
        removeIfThere(this.path);
        await this.#make();
      }
      if (this.#isClosed) return false;
      this.#listenTo(openFifo(this.path));
    } catch (error) {
      this.#say(`the bell of the keepers can't be made, ends of runs are seen late: ${messageOf(error)}`);
      return false;
    }
    for (const heard of [...this.#heard.values()]) heard();
    return true;
  }

  async #make(): Promise<void> {
    const child = new Deno.Command(this.#mkfifo, {
      args: ["-m", "600", this.path],
      clearEnv: true,
      env: { ...plainEnvironment },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const { code } = await endOf(child);
    if (code !== 0) throw new Error(`mkfifo "${this.path}" ended with ${code}`);
  }

  #listenTo({ reader, waker }: { reader: Deno.FsFile; waker: Deno.FsFile }): void {
    const open: OpenBell = { reader, waker, isClosing: false, done: Promise.resolve() };
    this.#open = open;
    open.done = this.#read(open);
  }

  /** Reads line by line. One read waits at any time; it holds a thread. */
  async #read(open: OpenBell): Promise<void> {
    const buffer = new Uint8Array(bufferSize);
    const decoder = new TextDecoder("latin1");
    let rest = "";
    try {
      while (!open.isClosing) {
        const length = await open.reader.read(buffer);
        if (length === null) break;
        const lines = (rest + decoder.decode(buffer.subarray(0, length))).split("\n");
        rest = lines.pop()!.slice(-longest);
        for (const runId of new Set(lines.map((line) => line.split(" ")[0]!))) this.#heard.get(runId)?.();
      }
    } catch (error) {
      this.#say(`the bell of the keepers can't be heard: ${messageOf(error)}`);
    }
    open.reader.close();
    open.waker.close();
    // Where nobody has asked for it: the next look makes it anew.
    if (this.#open === open) this.#open = undefined;
  }

  /** Ends the read that waits, and closes both ends. */
  async #take(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    open.isClosing = true;
    // There is room: what waits reads on until then.
    open.waker.writeSync(new TextEncoder().encode("\n"));
    await open.done;
  }

  #isThere(): boolean {
    if (this.#open === undefined) return false;
    try {
      const seen = Deno.lstatSync(this.path);
      const own = this.#open.waker.statSync();
      return seen.isFifo === true && seen.ino === own.ino && seen.dev === own.dev;
    } catch {
      return false;
    }
  }
}

/** Opens a FIFO for reading, in a way that has no end, and for what ends the wait in it. */
function openFifo(path: string): { reader: Deno.FsFile; waker: Deno.FsFile } {
  const reader = Deno.openSync(path, { read: true, write: true });
  try {
    if (reader.statSync().isFifo !== true) throw new Error(`"${path}" is no FIFO`);
    return { reader, waker: Deno.openSync(path, { read: true, write: true }) };
  } catch (error) {
    reader.close();
    throw error;
  }
}

function isOwnFifo(path: string): boolean {
  try {
    const { isFifo, uid, mode } = Deno.lstatSync(path);
    return isFifo === true && uid === ownUid() && ((mode ?? 0o777) & 0o077) === 0;
  } catch {
    return false;
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
