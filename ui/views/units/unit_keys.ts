import { doToUnit } from "../../app/actions.ts";
import type { KeyBinding } from "../../app/keys.ts";
import type { Unit } from "../../data/units.ts";
import { canRun, runOrAsk } from "./unit_buttons.tsx";

/** The keys that do something to a unit. `which`: the one that is meant now, and `whose` says it in the help. */
export function unitKeys(which: () => Unit | undefined, whose: string): readonly KeyBinding[] {
  const on = (work: (unit: Unit) => void) => (): void => {
    const unit = which();
    if (unit !== undefined) work(unit);
  };
  return [
    { keys: "r", text: `run, start or restart ${whose}`, run: on(runOrStart) },
    { keys: "s", text: `stop ${whose}`, run: on(({ name }) => void doToUnit("stop", name)) },
    {
      keys: "p",
      text: `pause or resume ${whose}`,
      run: on(({ cron, paused_at, name }) => {
        if (cron !== undefined) void doToUnit(paused_at === undefined ? "pause" : "resume", name);
      }),
    },
  ];
}

function runOrStart(unit: Unit): void {
  if (unit.kind === "task") {
    if (canRun(unit)) runOrAsk(unit);
  } else {
    const isDown = unit.service_state === "stopped" || unit.service_state === "fatal";
    void doToUnit(isDown ? "start" : "restart", unit.name);
  }
}
