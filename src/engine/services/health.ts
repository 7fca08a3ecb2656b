import { elapsed, type MonotonicMs } from "../../core/time.ts";
import {
  beginCheck,
  type CheckState,
  judge,
  pauseBefore,
  type ProbeResult,
} from "../../core/health_check.ts";
import { messageOf } from "../../fault.ts";
import { maskedText } from "../runs/masking.ts";
import type { HealthCheck, Run, Service } from "../../types.ts";
import { type Probe, runProbe } from "./run_probe.ts";
import type { World } from "../world.ts";

/** The life of an instance whose health is looked after. */
export interface WatchedLife {
  /** What it was started from. */
  service: Service;
  run: Run;
  check: HealthCheck;
  /** When it started, on the monotonic clock. */
  since: MonotonicMs;
  isHealthy: boolean;
}

/** Who hears of it: `passed` when the instance becomes healthy, `failed` once, when it is to be stopped. */
export interface HealthListener {
  passed(): void;
  failed(why: string): void;
}

/** Looks after the health of one life: one timer, one probe at a time, until it is ended or the check has failed. */
export class HealthWatch {
  readonly check: HealthCheck;
  readonly #world: World;
  readonly #life: WatchedLife;
  readonly #listener: HealthListener;
  #state: CheckState;
  #cancel: () => void = () => {};
  #isOver = false;
  #saidUnknown = false;

  constructor(world: World, life: WatchedLife, listener: HealthListener) {
    this.check = life.check;
    this.#world = world;
    this.#life = life;
    this.#listener = listener;
    this.#state = beginCheck(life.check, life);
    this.#later();
  }

  /** Nothing more is told, and a probe that is under way is given up. */
  end(): void {
    this.#isOver = true;
    this.#cancel();
  }

  get #age(): number {
    return elapsed(this.#life.since, this.#world.clock.monotonic());
  }

  #later(): void {
    const pause = pauseBefore(this.check, this.#state, this.#age);
    this.#cancel = this.#world.clock.after(pause, () => void this.#look().catch(reportError));
  }

  async #look(): Promise<void> {
    const age = this.#age;
    const probe = this.#probe();
    this.#cancel = probe.cancel;
    // A probe that breaks has told nothing, and there is a next one.
    const result = await probe.result.catch((error): ProbeResult => ({
      result: "unknown",
      why: messageOf(error),
    }));
    if (this.#isOver) return;
    this.#conclude(result, age);
    if (!this.#isOver) this.#later();
  }

  #conclude(result: ProbeResult, age: number): void {
    const [state, verdict] = judge(this.check, this.#state, { result: result.result, age });
    this.#state = state;
    // What a request failed with may hold its address.
    const why = result.result === "passed" ? "" : maskedText(this.#life.service, result.why);
    if (result.result !== "passed") this.#note(result.result, why);
    if (verdict === "passed") this.#listener.passed();
    if (verdict === "failed" && result.result === "failed") {
      this.end();
      const { failures } = state;
      this.#listener.failed(failures === 1 ? why : `${why} (${failures} failures in a row)`);
    }
  }

  #note(result: "failed" | "unknown", why: string): void {
    const { name } = this.#life.service;
    const values = { instance: this.#life.run.instance, why };
    if (result === "failed") {
      return this.#world.log.debug(`a health check of service "${name}" failed`, values);
    }
    if (this.#saidUnknown) return;
    this.#saidUnknown = true;
    this.#world.log.warn(`the health of service "${name}" can't be checked`, values);
  }

  #probe(): Probe {
    const { probe, timeout } = this.check;
    try {
      if (probe.kind === "run") {
        return runProbe(this.#world, { ...this.#life, check: { run: probe.run, timeout } });
      }
    } catch (error) {
      return answered({ result: "unknown", why: messageOf(error) });
    }
    const { net } = this.#world;
    if (net === undefined) {
      return answered({ result: "unknown", why: "the daemon was started without the network" });
    }
    const result = probe.kind === "http"
      ? net.http(probe.url, { timeout })
      : net.tcp(probe.host, { port: probe.port, timeout });
    return { result, cancel: () => {} };
  }
}

function answered(result: ProbeResult): Probe {
  return { result: Promise.resolve(result), cancel: () => {} };
}
