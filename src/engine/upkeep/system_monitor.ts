import { elapsed, later, type MonotonicMs } from "../../core/time.ts";
import { averageOf, sampleOf, type SystemReading, type SystemSample } from "../../core/system_sample.ts";
import { messageOf } from "../../fault.ts";
import type { Machine } from "../../io/process/processes.ts";
import type { Bus } from "../bus.ts";
import type { NewsEvent } from "../news.ts";
import { answerWithin } from "../waits.ts";
import type { World } from "../world.ts";

/** Time between two samples, ms (docs/http.md#the-machine). */
export const sampleEvery = 5000;
/** How long samples are kept in memory, s, and minutes in the database, s (docs/http.md#the-machine). */
const keepSamples = 3600;
const keepMinutes = 7 * 86_400;

/** Watches the machine's processors and memory while it is started. */
export class SystemMonitor {
  readonly #world: World;
  readonly #news: Bus<NewsEvent>;
  readonly #since: MonotonicMs;
  /** Of the last hour, oldest first. */
  readonly #samples: SystemSample[] = [];
  #last: SystemReading | undefined;
  /** Samples of the minute that is not over. */
  #minute: { at: number; samples: SystemSample[] } | undefined;
  readonly #ageNow: () => number;
  #isRunning = false;
  #cancel: () => void = () => {};

  constructor(world: World, { news, ageNow }: { news: Bus<NewsEvent>; ageNow: () => number }) {
    this.#world = world;
    this.#news = news;
    this.#ageNow = ageNow;
    this.#since = world.clock.monotonic();
  }

  /** How long the daemon has been up, ms. */
  get uptime(): number {
    return elapsed(this.#since, this.#world.clock.monotonic());
  }

  /** What does not change about the machine. */
  machine(): Machine {
    return this.#world.processes.machine();
  }

  /** Takes samples from now on; the first when an interval is over. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#sample().catch(reportError);
  }

  /** Stores what there is of the last minute, and ends. */
  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#cancel();
    this.#storeMinute();
  }

  /** Samples since a time (Unix s), oldest first: by minutes where those of every few seconds are gone. */
  samples(since: number): SystemSample[] {
    const oldest = this.#samples[0]?.at ?? this.#now() + 1;
    // The minute in which the samples begin is told by them.
    const minutes = since < oldest ? this.#world.store.systemMinutes.between(since, minuteOf(oldest)) : [];
    return [...minutes, ...this.#samples.filter(({ at }) => at >= since)];
  }

  /** The last sample; before the first, the load since the machine's boot. Undefined where it can't be read. */
  async current(): Promise<SystemSample | undefined> {
    const last = this.#samples.at(-1);
    if (last !== undefined) return last;
    const reading = this.#last ?? await this.#read();
    return reading && sampleOf({ from: undefined, to: reading }, this.#now());
  }

  async #sample(): Promise<void> {
    const due = later(this.#world.clock.monotonic(), sampleEvery);
    const reading = await this.#read();
    if (!this.#isRunning) return;
    if (reading !== undefined) {
      if (this.#last !== undefined) this.#add(sampleOf({ from: this.#last, to: reading }, this.#now()));
      this.#last = reading;
    }
    // Counted from before the question, so that a slow answer does not stretch the interval.
    const wait = Math.max(0, elapsed(this.#world.clock.monotonic(), due));
    this.#cancel = this.#world.clock.after(wait, () => void this.#sample().catch(reportError));
  }

  async #read(): Promise<SystemReading | undefined> {
    const { clock, processes } = this.#world;
    const answer = await answerWithin(clock, processes.systemReading(), sampleEvery);
    return "value" in answer ? answer.value : undefined;
  }

  #add(sample: SystemSample): void {
    const samples = this.#samples;
    // The clock was set back: what lies ahead of it now is not in order with what comes.
    while ((samples.at(-1)?.at ?? -1) >= sample.at) samples.pop();
    samples.push(sample);
    while (samples[0]!.at <= sample.at - keepSamples) samples.shift();
    const at = minuteOf(sample.at);
    if (this.#minute?.at !== at) {
      this.#storeMinute();
      this.#minute = { at, samples: [] };
    }
    this.#minute!.samples.push(sample);
    this.#news.publish({ type: "system.sample", sample, uptime: this.uptime });
  }

  #storeMinute(): void {
    if (this.#minute === undefined) return;
    const average = averageOf(this.#minute.samples, this.#minute.at);
    this.#minute = undefined;
    if (average === undefined) return;
    const { systemMinutes } = this.#world.store;
    try {
      this.#world.store.transaction(() => {
        systemMinutes.put(average);
        systemMinutes.removeBefore(Math.min(average.at, Math.floor(this.#ageNow() / 1000)) - keepMinutes);
      });
    } catch (error) {
      if (this.#world.refusals.knows(error)) return;
      this.#world.log.warn("cannot store the load of a minute", { error: messageOf(error) });
    }
  }

  #now(): number {
    return Math.floor(this.#world.clock.now() / 1000);
  }
}

function minuteOf(at: number): number {
  return at - at % 60;
}
