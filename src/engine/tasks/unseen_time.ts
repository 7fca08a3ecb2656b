import { elapsed, later, type MonotonicMs, type WallMs } from "../../core/time.ts";
import type { World } from "../world.ts";

/** How far wall clock and monotonic clock may part before the clock counts as jumped, in ms. */
const jumpTolerance = 5_000;
/**
 * A daemon that looks at the clock so much later than it was to, ms, has stood still, with the machine or alone: stopped
 * by a signal, by `docker pause`, by a debugger. One that is only busy goes round its event loop more often than that.
 */
export const standstill = 10_000;

/** Knows which times went by unseen: the machine slept, the clock was set, the daemon stood still (docs/behaviour.md#downtime). */
export class UnseenTime {
  readonly #world: Pick<World, "clock" | "log">;
  #seen: { now: WallMs; monotonic: MonotonicMs };
  /** When it is to be looked again, and what the wall clock said when that was settled. */
  #due: { at: MonotonicMs; from: WallMs };
  /** Spans (from, to]. */
  #spans: { from: number; to: number }[] = [];

  constructor(world: Pick<World, "clock" | "log">) {
    this.#world = world;
    this.#seen = { now: world.clock.now(), monotonic: world.clock.monotonic() };
    this.#due = { at: this.#seen.monotonic, from: this.#seen.now };
  }

  /** Looks at the clock; to be called by whoever wakes, and again before a next sleep. Answers whether the clock was set back. */
  look(): boolean {
    const { clock, log } = this.#world;
    const isBack = this.#lookForJump();
    const late = elapsed(this.#due.at, clock.monotonic());
    if (late > standstill) {
      this.add(this.#due.from, clock.now());
      log.warn("the daemon stood still: schedules missed what came due meanwhile", {
        seconds: Math.round(late / 1000),
      });
    }
    this.#dueIn(0);
    return isBack;
  }

  /** Nobody has to look before so many ms have gone by. */
  sleep(ms: number): void {
    this.#dueIn(ms);
  }

  /** The end of the unseen span that a time lies in; undefined where it was seen. */
  endOf(at: number): number | undefined {
    return this.#spans.find(({ from, to }) => from < at && at <= to)?.to;
  }

  /** A span went by unseen. Spans that meet are one: what was missed in them is made up for together. */
  add(from: number, to: number): void {
    const met = this.#spans.filter((span) => span.from <= to && from <= span.to);
    const whole = {
      from: Math.min(from, ...met.map((span) => span.from)),
      to: Math.max(to, ...met.map((span) => span.to)),
    };
    this.#spans = [...this.#spans.filter((span) => !met.includes(span)), whole];
  }

  /** All that came due in the spans is dealt with. */
  forget(): void {
    this.#spans = [];
  }

  #dueIn(ms: number): void {
    const { clock } = this.#world;
    this.#due = { at: later(clock.monotonic(), ms), from: clock.now() };
  }

  #lookForJump(): boolean {
    const { clock, log } = this.#world;
    const now = clock.now();
    const monotonic = clock.monotonic();
    const gone = elapsed(this.#seen.monotonic, monotonic);
    const jump = now - this.#seen.now - gone;
    this.#seen = { now, monotonic };
    if (jump > jumpTolerance) {
      // What came since the last look came under the daemon's eyes, the jump lies before it.
      this.add(-Infinity, now - gone);
      log.warn("the clock jumped forward, or the machine slept", { seconds: Math.round(jump / 1000) });
    }
    if (jump >= -jumpTolerance) return false;
    // What went by unseen before that did so all the same, up to now.
    this.#spans = this.#spans.flatMap(({ from, to }) => from < now ? { from, to: Math.min(to, now) } : []);
    log.warn("the clock was set back", { seconds: Math.round(-jump / 1000) });
    return true;
  }
}
