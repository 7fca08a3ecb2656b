import { signal } from "@preact/signals";
import type { Unit } from "../../data/units.ts";
import { get } from "../../net/api.ts";
import { mostTicks } from "./lanes.ts";
import type { Span } from "./span.ts";

/** Units whose ticks are asked for at most, and how many at a time. */
const most = { units: 30, requests: 3 };

/** When units will run, further ahead than the next time. */
export class Ahead {
  readonly ticks = signal<ReadonlyMap<string, readonly number[]>>(new Map());
  /** By unit: the next run that was the first of those known. */
  readonly #asked = new Map<string, string>();
  #running = 0;
  #waiting: Unit[] = [];

  /** Asks for the ticks of units that have more than the next one in a window. */
  want(units: Iterable<Unit>, span: Span): void {
    let count = 0;
    for (const unit of units) {
      const next = unit.next_run_at;
      if (next === undefined || unit.cron === undefined || Date.parse(next) > span.to) continue;
      if (++count > most.units) break;
      if (this.#asked.get(unit.name) === next) continue;
      const known = this.ticks.value.get(unit.name);
      // What is known reaches over the window still.
      if (known !== undefined && (known.at(-1) ?? 0) >= span.to && known.includes(Date.parse(next))) continue;
      this.#asked.set(unit.name, next);
      this.#waiting.push(unit);
    }
    this.#pump();
  }

  #pump(): void {
    while (this.#running < most.requests) {
      const unit = this.#waiting.shift();
      if (unit === undefined) return;
      this.#running++;
      get("/api/tasks/:taskName/next", { taskName: unit.name, count: mostTicks })
        .then(({ ticks }) => {
          const next = new Map(this.ticks.value);
          next.set(unit.name, ticks.filter(({ note }) => note !== "repeat").map(({ at }) => Date.parse(at)));
          this.ticks.value = next;
        }, () => {})
        .finally(() => {
          this.#running--;
          this.#pump();
        });
    }
  }
}
