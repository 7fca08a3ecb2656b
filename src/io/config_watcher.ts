import type { Config } from "../types.ts";
import type { Clock } from "./clock.ts";
import { expandGlob, hashBytes } from "./config_files.ts";

/** How often the files are looked at, whether a change was told or not, in ms (contract 3.10: within 2 s). */
const pollEvery = 1_000;
/** Writing a file comes as several changes; they are looked at together after this many ms. */
const settleTime = 50;
/** The times of files are coarse: a file looks changed for sure when its last change is this many ms ago. */
const youngFor = 2_000;
/** More files than this are left to the poll. */
const mostFiles = 100;

/**
 * Watches what a configuration was read from: told by the system, and by looking at it every second, since network
 * and overlay file systems tell nothing. The files are watched, not their folders, where runs may make what they
 * like: Deno opens whatever shows up in a watched folder, and at a named pipe that stops the whole daemon. A new file,
 * and what happens to one that has replaced another, is for the poll to find.
 */
export class ConfigWatcher {
  readonly #clock: Clock;
  readonly #current: () => Config;
  readonly #tell: (isStale: boolean) => void;
  /** Looks of files whose content is known, by path. */
  readonly #known = new Map<string, { look: string; hash: string }>();
  #config: Config | undefined;
  #watcher: Deno.FsWatcher | undefined;
  #cancelPoll: () => void = () => {};
  #cancelLook: (() => void) | undefined;

  /** `current` is the configuration in force; `tell` hears at each look whether something on disk differs from it. */
  constructor(
    clock: Clock,
    { current, tell }: { current: () => Config; tell: (isStale: boolean) => void },
  ) {
    this.#clock = clock;
    this.#current = current;
    this.#tell = tell;
  }

  start(): void {
    this.check();
    this.#cancelPoll = this.#clock.after(pollEvery, () => this.start());
  }

  close(): void {
    this.#cancelPoll();
    this.#cancelLook?.();
    this.#unwatch();
  }

  /** Looks now. True when a file has changed, is missing, or is new where an `include` matches it. */
  check(): boolean {
    const config = this.#current();
    if (config !== this.#config) this.#watch(config);
    const isStale = this.#differs(config);
    this.#tell(isStale);
    return isStale;
  }

  #differs({ sources, includeGlobs }: Config): boolean {
    const known = new Set(sources.map(({ path }) => path));
    return sources.some(({ path, hash }) => this.#hashOf(path) !== hash) ||
      includeGlobs.some((pattern) => expandGlob(pattern).some((path) => !known.has(path)));
  }

  /** A file is read anew only when it looks different; undefined for one that can't be read. */
  #hashOf(path: string): string | undefined {
    try {
      const { isFile, mtime, ctime, size, ino } = Deno.statSync(path);
      if (!isFile) return undefined; // to read a pipe would wait for a writer
      const look = [mtime?.getTime(), ctime?.getTime(), size, ino].join();
      const known = this.#known.get(path);
      if (known?.look === look) return known.hash;
      const hash = hashBytes(Deno.readFileSync(path));
      // A second change within a tick of the file system's clock would look the same: young files are read again.
      if (Date.now() - (mtime?.getTime() ?? Infinity) > youngFor) this.#known.set(path, { look, hash });
      return hash;
    } catch {
      this.#known.delete(path);
      return undefined;
    }
  }

  #watch(config: Config): void {
    this.#unwatch();
    this.#known.clear();
    this.#config = config;
    try {
      this.#watcher = Deno.watchFs(watchable(config), { recursive: false });
      void this.#listen(this.#watcher);
    } catch {
      // The system can't watch these files: the poll sees what happens.
    }
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const { kind } of watcher) {
        if (kind === "access") continue;
        this.#cancelLook ??= this.#clock.after(settleTime, () => {
          this.#cancelLook = undefined;
          this.check();
        });
      }
    } catch {
      // As above.
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

/** The sources that are files now. */
function watchable({ sources }: Config): string[] {
  return [...new Set(sources.map(({ path }) => path))].filter(isFile).slice(0, mostFiles);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
