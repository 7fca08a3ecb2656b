import { happeningOfRun } from "../../core/notices.ts";
import { owesRetry } from "../../core/retry.ts";
import { messageOf } from "../../fault.ts";
import type { Run, Task, Unit } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { Courier } from "./courier.ts";
import type { World } from "../world.ts";

/** Tells the dead man's switch of a task (`ping_url`) that a run has started, has succeeded, or has failed for good. */
export class Pings {
  readonly #world: World;
  readonly #courier: Courier;
  readonly #unit: (name: string) => Unit | undefined;
  #unsubscribe: () => void = () => {};

  constructor(
    world: World,
    { courier, unit }: { courier: Courier; unit: (name: string) => Unit | undefined },
  ) {
    this.#world = world;
    this.#courier = courier;
    this.#unit = unit;
  }

  start(bus: Bus): void {
    this.#unsubscribe = bus.subscribe((event) => {
      if (event.type === "run.started") this.#tell(event.run, "start");
      else if (event.type === "run.completed" && event.run.endReason === "success") {
        this.#tell(event.run, "success");
      } else if (event.type === "run.failed") this.#tell(event.run, "failure");
    });
  }

  stop(): void {
    this.#unsubscribe();
  }

  #tell(run: Run, what: "start" | "success" | "failure"): void {
    const task = this.#unit(run.unit);
    if (task?.kind !== "task" || task.pingUrl === undefined) return;
    // What is tried again has not failed yet.
    if (what === "failure" && owesRetry(task, run)) return;
    try {
      this.#courier.ping({ about: "ping", what, unit: run.unit, runId: run.id, body: wordsOf(task, run) });
    } catch (error) {
      this.#world.log.error("cannot store a ping", { unit: run.unit, error: messageOf(error) });
    }
  }
}

function wordsOf({ name }: Task, run: Run): string {
  const ended = happeningOfRun(run, { wasFailing: false, tellsSuccess: true });
  return ended === undefined ? `Task "${name}" has started` : `${ended.title}\n${ended.body}`;
}
