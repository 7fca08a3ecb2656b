import { hasCome, later, type MonotonicMs } from "../core/time.ts";
import type { GlobMatches } from "../core/config/load_input.ts";
import type { Config } from "../types.ts";
import type { Clock } from "./clock.ts";
import { hashBytes, MAX_CONFIG_BYTES } from "./config_files.ts";
import { newBudget, walkGlob } from "./glob_walk.ts";
import { isPassingFailure } from "./passing_failure.ts";
import { readRegular } from "./read_regular.ts";
import { distrusted } from "./trust.ts";
import { oneTurn } from "./turns.ts";

/** How often the files are looked at, whether a change was told or not, in ms (docs/behaviour.md#reload: within 2 s). */
const pollEvery = 1_000;
/** After a search for new files none follows for so many times as long as it took: they take 4 % of a processor at most. */
const restFor = 25;
/** So many files are looked at before others may have their turn. */
const sourcesOfStep = 32;
/** Writing a file comes as several changes; they are looked at together after this many ms. */
const settleTime = 50;
/** The times of files are coarse: a file looks changed for sure when its last change is this many ms ago. */
const youngFor = 2_000;
/** More files than this are left to the poll. */
const mostFiles = 100;

/** What a watcher looks at, and who hears of it. */
export interface WatcherOptions {
  /** The configuration in force. */
  current: () => Config;
  /** Hears after each look whether something on disk differs from it. */
  tell: (isStale: boolean) => void;
  /** Hears once for each configuration that new files can't all be found, as a sentence. */
  warn?: (sentence: string) => void;
}

/**
 * Watches what a configuration was read from: told by the system, and by looking at it every second, since network
 * and overlay file systems tell nothing. The files are watched, not their folders, where runs may make what they
 * like: Deno opens whatever shows up in a watched folder, and at a named pipe that stops the whole daemon. A new file,
 * and what happens to one that has replaced another, is for the poll to find.
 *
 * Others may fill folders that `include` leads through: a look that takes long is made in turns, none begins while
 * one is under way, and the search for new files rests the longer the longer it takes.
 */
export class ConfigWatcher {
  readonly #clock: Clock;
  readonly #options: WatcherOptions;
  /** Looks of files whose content is known, by path. */
  readonly #known = new Map<string, { look: string; hash: string }>();
  #config: Config | undefined;
  #watcher: Deno.FsWatcher | undefined;
  #cancelPoll: () => void = () => {};
  #cancelLook: (() => void) | undefined;
  #looking: Generator<void, boolean> | undefined;
  #isStale = false;
  /** Whether the last search has found a new file. */
  #hasNew = false;
  #hasWarned = false;
  /** When the next search may begin, on the monotonic clock. */
  #searchAt: MonotonicMs | undefined;

  constructor(clock: Clock, options: WatcherOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  start(): void {
    this.check();
    this.#cancelPoll = this.#clock.after(pollEvery, () => this.start());
  }

  close(): void {
    this.#cancelPoll();
    this.#cancelLook?.();
    this.#looking = undefined;
    this.#unwatch();
  }

  /**
   * Looks now. True when a file has changed, is missing, or is new where an `include` matches it; where a look is so
   * large that it takes longer than a turn, what the one before it has found.
   */
  check(): boolean {
    const config = this.#options.current();
    if (config !== this.#config) this.#watch(config);
    if (this.#looking === undefined) {
      this.#looking = this.#look(config);
      this.#goOn(this.#looking);
    }
    return this.#isStale;
  }

  /** One turn of a look; another follows until it has ended. */
  #goOn(look: Generator<void, boolean>): void {
    if (look !== this.#looking) return;
    const { done, value } = oneTurn(look);
    if (done === true) {
      this.#looking = undefined;
      this.#isStale = value;
      this.#options.tell(value);
    } else setTimeout(() => this.#goOn(look));
  }

  *#look({ sources, includeGlobs }: Config): Generator<void, boolean> {
    let isSure = true;
    for (const [index, { path, hash }] of sources.entries()) {
      const found = this.#hashOf(path);
      if (found === unclear) isSure = false;
      else if (found !== hash) return true;
      if (index % sourcesOfStep === sourcesOfStep - 1) yield;
    }
    if (this.#searchAt === undefined || hasCome(this.#searchAt, this.#clock.monotonic())) {
      const known = new Set(sources.map(({ path }) => path));
      const { hasNew, isWhole } = yield* this.#search(includeGlobs, known);
      // A file that was found before may lie where this search did not get.
      this.#hasNew = hasNew || !isWhole && this.#hasNew;
    }
    return this.#hasNew || !isSure && this.#isStale;
  }

  /** Looks for files that the configuration does not know. */
  *#search(
    globs: readonly string[],
    known: ReadonlySet<string>,
  ): Generator<void, { hasNew: boolean; isWhole: boolean }> {
    let took = 0;
    let result = { hasNew: false, isWhole: true };
    const budget = newBudget();
    for (const glob of globs) {
      const walk = walkGlob(glob, budget);
      for (;;) {
        const begun = performance.now();
        const step = walk.next();
        took += performance.now() - begun;
        if (step.done === true) {
          result = this.#judge(step.value, { glob, known, result });
          break;
        }
        yield;
      }
      if (result.hasNew) break;
    }
    const rest = restFor * took;
    this.#searchAt = rest > pollEvery ? later(this.#clock.monotonic(), rest) : undefined;
    return result;
  }

  #judge(
    { files, unfinished }: GlobMatches,
    { glob, known, result: { isWhole } }: {
      glob: string;
      known: ReadonlySet<string>;
      result: { isWhole: boolean };
    },
  ): { hasNew: boolean; isWhole: boolean } {
    if (unfinished !== undefined && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#options.warn?.(`new files may go unnoticed: include ${JSON.stringify(glob)} ${unfinished}`);
    }
    return {
      hasNew: files.some((path) => !known.has(path)),
      isWhole: isWhole && unfinished === undefined,
    };
  }

  /** A file is read anew only when it looks different; undefined for one that can't be read. */
  #hashOf(path: string): string | typeof unclear | undefined {
    try {
      const { isFile, mtime, ctime, size, ino } = Deno.statSync(path);
      if (!isFile) return undefined;
      const look = [mtime?.getTime(), ctime?.getTime(), size, ino].join();
      const known = this.#known.get(path);
      if (known?.look === look) return known.hash;
      // Whoever owns it may have made anything of it meanwhile, and as large as he likes.
      const bytes = readRegular(path, MAX_CONFIG_BYTES);
      if (typeof bytes === "string") return undefined;
      const hash = hashBytes(bytes);
      // A second change within a tick of the file system's clock would look the same: young files are read again.
      if (Date.now() - (mtime?.getTime() ?? Infinity) > youngFor) this.#known.set(path, { look, hash });
      return hash;
    } catch (error) {
      if (isPassingFailure(error)) return unclear;
      this.#known.delete(path);
      return undefined;
    }
  }

  #watch(config: Config): void {
    this.#unwatch();
    this.#known.clear();
    this.#config = config;
    this.#looking = undefined;
    this.#isStale = false;
    this.#hasNew = false;
    this.#hasWarned = false;
    this.#searchAt = undefined;
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

/** Of a file of which nothing can be known now, for want of descriptors or the like: that is no change. */
const unclear = Symbol();

/** The sources that are files now, and stay files: in the place of others somebody else could put a folder of his. */
function watchable({ sources }: Config): string[] {
  return [...new Set(sources.map(({ path }) => path))].filter(isFile)
    .filter((path) => distrusted(path) === undefined).slice(0, mostFiles);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
