/** Where files can't be watched all are looked at so often, ms; more seldom where they are many. */
const pollEvery = 250;
/** So often they are looked at although nothing was heard, ms. */
const netEvery = 1_000;
/** So soon they are looked at after more happened than the runtime keeps events of: it drops the others, ms. */
const burstDelay = 100;
/** A look at one file may cost so much time of every look at all, ms: 0.01 of it is used. */
const shareOfOne = 0.5;
/** The runtime keeps 16 events that nobody has heard yet. */
const mostKept = 12;

/** Called when something happened to a file, or may have; `mayBeClosed`: whoever writes it may have closed it. */
export type Stirred = (mayBeClosed: boolean) => void;

/** Hears when the files of one folder grow, or are closed by who writes them: one watch for all of them. */
export class SpoolWatch {
  readonly #folder: string;
  readonly #listeners = new Map<string, Stirred>();
  #watcher: Deno.FsWatcher | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSoon = false;
  #heard = 0;
  #isClosed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Calls back whenever something happened to the file of that name, and now and then although nothing did. */
  listen(name: string, stirred: Stirred): void {
    this.#listeners.set(name, stirred);
    if (this.#timer === undefined && !this.#isClosed) this.#start();
  }

  unlisten(name: string): void {
    this.#listeners.delete(name);
  }

  /** Nobody hears of anything any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const watcher = this.#watcher;
    this.#watcher = undefined;
    watcher?.close();
  }

  #start(): void {
    try {
      this.#watcher = Deno.watchFs(this.#folder, { recursive: false });
    } catch {
      // Too many watches on this machine, or none to be had.
    }
    if (this.#watcher !== undefined) this.#hear(this.#watcher).catch(reportError);
    this.#lookLater();
  }

  /** Looks at all after a while; `least`: so many ms. */
  #lookLater(least: number = this.#watcher === undefined ? pollEvery : netEvery): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSoon = false;
      this.#heard = 0;
      for (const stirred of [...this.#listeners.values()]) stirred(false);
      this.#lookLater();
    }, Math.max(least, this.#listeners.size * shareOfOne));
    Deno.unrefTimer(this.#timer);
  }

  async #hear(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const { kind, paths } of watcher) {
        for (const path of paths) {
          this.#listeners.get(path.slice(path.lastIndexOf("/") + 1))?.(kind === "access");
        }
        // Without a path: the system had more to tell than it could keep.
        if (++this.#heard >= mostKept || paths.length === 0) this.#lookSoon();
      }
    } catch {
      // It ends like one that was closed.
    }
    if (this.#watcher === watcher) this.#watcher = undefined;
  }

  #lookSoon(): void {
    if (this.#isSoon || this.#isClosed) return;
    this.#isSoon = true;
    this.#lookLater(burstDelay);
  }
}
