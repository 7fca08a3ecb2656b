import { elapsed, type MonotonicMs } from "../../core/time.ts";
import { happeningOfDisk } from "../../core/daemon_notices.ts";
import { formatSize, sizeWords } from "../../core/size.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import { answerWithin } from "../waits.ts";
import type { World } from "../world.ts";

/** How often the free space is looked at while runs write, and while none does, ms. */
const lookEvery = 1_000;
const lookIdly = 10_000;

/** Holds output back while less space is free than `storage.min_free_space` says; runs go on. */
export class DiskWatch {
  readonly #world: World;
  readonly #minFree: () => number;
  readonly #happenings: Bus<HappeningEvent>;
  #isLow = false;
  #isLooking = false;
  /** When it was looked at last (on the clock that never goes back), and what runs had written by then. */
  #looked: { at: MonotonicMs | undefined; bytes: number } = { at: undefined, bytes: 0 };
  #cancel: () => void = () => {};

  /** `minFree` in bytes, 0: none. `happenings` hears when the space falls below it. */
  constructor(
    world: World,
    { minFree, happenings }: { minFree: () => number; happenings: Bus<HappeningEvent> },
  ) {
    this.#world = world;
    this.#minFree = minFree;
    this.#happenings = happenings;
  }

  start(): void {
    this.#cancel = this.#world.clock.after(lookEvery, () => this.start());
    const { at, bytes } = this.#looked;
    const isQuiet = this.#world.logs.totals.outputBytes === bytes && !this.#isLow;
    if (!isQuiet || at === undefined || elapsed(at, this.#world.clock.monotonic()) >= lookIdly) {
      void this.#look().catch(reportError);
    }
  }

  stop(): void {
    this.#cancel();
  }

  /** Undefined where that can't be told. */
  async #free(): Promise<number | undefined> {
    const answer = await answerWithin(this.#world.clock, this.#world.freeSpace(), lookIdly);
    return "value" in answer ? answer.value : undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { logs, log, clock } = this.#world;
    this.#looked = { at: clock.monotonic(), bytes: logs.totals.outputBytes };
    const minFree = this.#minFree();
    const free = minFree === 0 ? undefined : await this.#free();
    this.#isLooking = false;
    const isLow = free !== undefined && free < minFree;
    // A flood may fill the disk long before the next look: halfway there it is looked at again.
    if (!isLow) {
      logs.allow(
        free === undefined ? Infinity : (free - minFree) / 2,
        () => void this.#look().catch(reportError),
      );
    }
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    if (!isLow) return log.info("there is space again: output is stored");
    const why = `less than ${formatSize(minFree)} are free (storage.min_free_space)`;
    logs.hold(why);
    log.error(`${why}: output is no longer stored, runs go on`, { free: sizeWords(free) });
    const happening = happeningOfDisk({ free, minFree, at: clock.now() });
    this.#happenings.publish({ type: "happening", happening });
  }
}
