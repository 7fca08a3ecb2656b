import { happeningOfSlow, percentile, slowAfter } from "../../core/expected.ts";
import type { Happening } from "../../core/notices.ts";
import { messageOf } from "../../fault.ts";
import type { Run, Unit } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { World } from "../world.ts";

/** Time between two looks, ms. */
const lookEvery = 1000;
/** So many of the last runs tell what is usual. */
const looksBack = 100;

/** Gives notice once of each run of a task that takes too long, while it still runs. */
export class SlowWatch {
  readonly #world: World;
  readonly #unit: (name: string) => Unit | undefined;
  readonly #giveNotice: (happening: Happening) => void;
  /** Runs that go on; `limit` (ms) is found out once they have lasted for a while, infinite once it was told. */
  readonly #active = new Map<string, { run: Run; limit?: number; usual?: number }>();
  #unsubscribe: () => void = () => {};
  #cancel: () => void = () => {};

  constructor(
    world: World,
    { unit, giveNotice }: {
      unit: (name: string) => Unit | undefined;
      giveNotice: (happening: Happening) => void;
    },
  ) {
    this.#world = world;
    this.#unit = unit;
    this.#giveNotice = giveNotice;
  }

  start(bus: Bus): void {
    this.#unsubscribe = bus.subscribe((event) => {
      if (event.type === "run.started" && event.run.trigger !== "service") {
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
        this.#giveNotice(happeningOfSlow({ unit, runId, ran, usual: active.usual, at: now }));
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
