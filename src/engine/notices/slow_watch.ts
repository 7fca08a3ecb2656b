import { happeningOfSlow, percentile, slowAfter } from "../../core/expected.ts";
import { messageOf } from "../../fault.ts";
import type { Run, Unit } from "../../types.ts";
import type { Bus, EngineEvent, HappeningEvent } from "../bus.ts";
import type { World } from "../world.ts";

/** Time between two looks, ms. */
const lookEvery = 1000;
/** So many of the last runs tell what is usual. */
const looksBack = 100;

/** A run goes on from now on: it was started, or taken over. */
function isGoing(event: EngineEvent): event is Extract<EngineEvent, { run: Run }> {
  return event.type === "run.started" || (event.type === "run.updated" && event.run.status === "running");
}

/** Gives notice once of each run of a task that takes too long, while it still runs. */
export class SlowWatch {
  readonly #world: World;
  readonly #unit: (name: string) => Unit | undefined;
  readonly #happenings: Bus<HappeningEvent>;
  /** Runs that go on; `limit` (ms) is found out once they have lasted for a while, infinite once it was told. */
  readonly #active = new Map<string, { run: Run; limit?: number; usual?: number }>();
  #unsubscribe: () => void = () => {};
  #cancel: () => void = () => {};

  constructor(
    world: World,
    { unit, happenings }: {
      unit: (name: string) => Unit | undefined;
      happenings: Bus<HappeningEvent>;
    },
  ) {
    this.#world = world;
    this.#unit = unit;
    this.#happenings = happenings;
  }

  start(bus: Bus): void {
    this.#unsubscribe = bus.subscribe((event) => {
      if (isGoing(event) && event.run.trigger !== "service") {
        this.#active.set(event.run.id, { run: event.run });
        if (this.#active.size === 1) this.#again();
      } else if (event.type === "run.completed" || event.type === "run.failed") {
        this.#active.delete(event.run.id);
        if (this.#active.size === 0) this.#cancel();
      }
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancel();
  }

  #again(): void {
    this.#cancel();
    this.#cancel = this.#world.clock.after(lookEvery, () => {
      this.#look();
      this.#again();
    });
  }

  #look(): void {
    const now = this.#world.clock.now();
    for (const active of this.#active.values()) {
      const { run } = active;
      const ran = now - (run.startedAt ?? now);
      if (ran < lookEvery) continue;
      try {
        active.limit ??= this.#limitOf(active);
        if (ran < active.limit) continue;
        active.limit = Infinity;
        const { unit, id: runId } = run;
        const happening = happeningOfSlow({ unit, runId, ran, usual: active.usual, at: now });
        this.#happenings.publish({ type: "happening", happening });
      } catch (error) {
        active.limit = Infinity;
        this.#world.log.error("cannot tell whether a run is slow", { run: run.id, error: messageOf(error) });
      }
    }
  }

  #limitOf(active: { run: Run; usual?: number }): number {
    const unit = this.#unit(active.run.unit);
    if (unit?.kind !== "task") return Infinity;
    const durations = unit.warnAfter === undefined
      ? this.#world.store.expectations.durations(unit.name, looksBack)
      : [];
    const limit = slowAfter({ warnAfter: unit.warnAfter, durations });
    if (limit === undefined) return Infinity;
    if (durations.length > 0) active.usual = percentile(durations, 0.95);
    return limit;
  }
}
