import type { Config, Unit } from "../../types.ts";
import { Bus, type HappeningEvent } from "../bus.ts";
import type { NewsEvent } from "../news.ts";
import { type Part, startAll, stopAll } from "../part.ts";
import type { World } from "../world.ts";
import { Bell } from "./bell.ts";
import { Courier } from "./courier.ts";
import { OverdueWatch } from "./overdue_watch.ts";
import { Pings } from "./pings.ts";
import { SlowWatch } from "./slow_watch.ts";

/** What those who give notice must know of the rest. */
export interface NoticesOptions {
  news: Bus<NewsEvent>;
  config: () => Config;
  unit: (name: string) => Unit | undefined;
  /** The time by which ages are reckoned, Unix ms. */
  ageNow: () => number;
  schedules: {
    /** The first tick of a task after a time that will run, Unix ms. */
    nextRunAfter(name: string, after: number): number | undefined;
    pausedAt(name: string): number | undefined;
  };
}

/**
 * All that tells people what happened: whoever sees something says it on `happenings`, the bell makes a row of it and a
 * message for each notifier that is to hear of it, in one transaction, and the courier carries those out.
 */
export class Notices implements Part {
  readonly happenings = new Bus<HappeningEvent>();
  readonly bell: Bell;
  readonly courier: Courier;
  readonly #overdue: OverdueWatch;
  readonly #parts: readonly Part[];

  constructor(world: World, { news, config, unit, ageNow, schedules }: NoticesOptions) {
    const { happenings } = this;
    this.courier = new Courier(world, { config, ageNow, happenings });
    this.bell = new Bell(world, news, {
      happenings,
      notify: () => config().notify,
      ageNow,
      ofUnit: (name) => unit(name)?.notify ?? [],
      post: (happening, ids) => this.courier.post(happening, ids),
    });
    this.#overdue = new OverdueWatch(world, {
      tasks: () => config().units.filter((one) => one.kind === "task"),
      nextTick: (name, after) => schedules.nextRunAfter(name, after),
      isPaused: (name) => schedules.pausedAt(name) !== undefined,
      happenings,
    });
    this.#parts = [
      this.bell,
      new Pings(world, { courier: this.courier, unit }),
      new SlowWatch(world, { unit, happenings }),
      this.courier,
      this.#overdue,
    ];
  }

  start(bus: Bus): void {
    startAll(this.#parts, bus);
  }

  stop(): Promise<void> {
    return stopAll(this.#parts);
  }

  /** Takes in which tasks there are and what is expected of them, and which notifiers. */
  reload(): void {
    this.#overdue.reload();
    this.courier.lookAnew();
  }
}
