/// <reference lib="dom" />
import { actionsOf, doToUnit, runNow } from "../../app/actions.ts";
import { Icon, type IconName } from "../../app/icons.tsx";
import { addressOf, go } from "../../app/router.tsx";
import type { Unit } from "../../data/units.ts";
import { Action } from "../../parts/button.tsx";

/** Something that can be done to a unit, and how it is shown. */
export interface UnitButton {
  /** As `busy` calls it, without the name. */
  what: string;
  label: string;
  icon: IconName;
  run: () => void;
}

const looks: Readonly<Record<string, { label: string; icon: IconName }>> = {
  start: { label: "Start", icon: "play" },
  stop: { label: "Stop", icon: "stop" },
  restart: { label: "Restart", icon: "again" },
  pause: { label: "Pause", icon: "pause" },
  resume: { label: "Resume", icon: "play" },
};

/** Whether a run of it has something to be asked first. */
export function takesParams(unit: Unit): boolean {
  return (unit.parameters ?? []).length > 0;
}

/** Whether a person may start a run of it. */
export function canRun(unit: Unit): boolean {
  return unit.kind === "task" && unit.api_trigger;
}

/** Runs a task: at once, or by way of its form where it takes parameters. */
export function runOrAsk(unit: Unit): void {
  if (takesParams(unit)) go(`${addressOf.unit(unit.name)}?run=1`);
  else void runNow(unit.name);
}

/** What can be done to a unit as it is now, the most likely first. */
export function buttonsOf(unit: Unit): UnitButton[] {
  const run: UnitButton[] = canRun(unit)
    ? [{
      what: "run",
      label: takesParams(unit) ? "Run…" : "Run",
      icon: "play",
      run: () => runOrAsk(unit),
    }]
    : [];
  return [
    ...run,
    ...actionsOf(unit).map((action) => ({
      what: action,
      label: looks[action]?.label ?? action,
      icon: looks[action]?.icon ?? "play" as const,
      run: () => void doToUnit(action, unit.name),
    })),
  ];
}

/** The actions of a row as small pictures with names. */
export function UnitButtons({ unit }: { unit: Unit }) {
  const last = unit.last_run;
  return (
    <>
      {buttonsOf(unit).map(({ what, label, icon, run }) => (
        <Action key={what} what={`${what} ${unit.name}`} class="icon" title={label} onClick={run}>
          <Icon name={icon} />
          <span class="hidden">{label} {unit.name}</span>
        </Action>
      ))}
      {last === undefined ? null : (
        <button
          type="button"
          class="icon"
          title="Log of the last run"
          onClick={() => go(addressOf.run(last.id))}
        >
          <Icon name="log" />
          <span class="hidden">Log of the last run of {unit.name}</span>
        </button>
      )}
    </>
  );
}
