import { type AgeClock, beginAge, lookAtAge } from "../../core/age_clock.ts";
import { messageOf } from "../../fault.ts";
import type { World } from "../world.ts";

/** How often it is looked at the clock, and what is known of it stored, ms. */
const lookEvery = 10 * 60_000;
/** Under this key it is stored. */
const key = "age_clock";

/** Tells what time it is for what is removed by its age; see `AgeClock`. What is known of the clock outlives the daemon. */
export class AgeWatch {
  readonly #world: World;
  #state: AgeClock;
  #cancel: () => void = () => {};

  constructor(world: World) {
    this.#world = world;
    const { clock, store } = world;
    const known = readStored(store.mark(key));
    // Where nothing is known yet, the newest row has been there when the clock said so.
    const time = known?.time ?? store.runs.newestTime() ?? clock.now();
    this.#state = beginAge({ doubtedFor: 0, ahead: 0, ...known, time }, {
      now: clock.now(),
      monotonic: clock.monotonic(),
    });
  }

  start(): void {
    this.#look();
    this.#store();
    this.#cancel = this.#world.clock.after(lookEvery, () => this.start());
  }

  stop(): void {
    this.#cancel();
    this.#store();
  }

  /** Unix ms; not after what the wall clock says. */
  now(): number {
    this.#look();
    return this.#state.time;
  }

  #look(): void {
    const { clock, log } = this.#world;
    const wasDoubted = this.#state.ahead > 0;
    this.#state = lookAtAge(this.#state, { now: clock.now(), monotonic: clock.monotonic() });
    const isDoubted = this.#state.ahead > 0;
    if (isDoubted === wasDoubted) return;
    if (!isDoubted) return log.info("history is removed by the age that the clock says again");
    log.warn(
      "the clock is ahead of what was to be expected: nothing is removed for its age by it for a day",
      {
        seconds: Math.round(this.#state.ahead / 1000),
      },
    );
  }

  #store(): void {
    const { time, doubtedFor, ahead } = this.#state;
    try {
      this.#world.store.setMark(key, JSON.stringify({ time, doubtedFor, ahead }));
    } catch (error) {
      if (this.#world.refusals.knows(error)) return;
      this.#world.log.warn("cannot store what is known of the clock", { error: messageOf(error) });
    }
  }
}

function readStored(text: string | undefined): Omit<AgeClock, "at"> | undefined {
  try {
    const { time, doubtedFor, ahead } = JSON.parse(text ?? "") as Record<string, unknown>;
    const isWhole = [time, doubtedFor, ahead].every((one) => typeof one === "number" && Number.isFinite(one));
    return isWhole ? { time, doubtedFor, ahead } as Omit<AgeClock, "at"> : undefined;
  } catch {
    return undefined;
  }
}
