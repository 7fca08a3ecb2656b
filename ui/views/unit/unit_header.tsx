import { sizeWords } from "../../../src/core/size.ts";
import { Icon } from "../../app/icons.tsx";
import { daemon } from "../../data/daemon.ts";
import type { Unit } from "../../data/units.ts";
import { Action } from "../../parts/button.tsx";
import { State, wordOfUnit } from "../../parts/mark.tsx";
import { Time } from "../../parts/times.tsx";
import { scheduleWords } from "../units/schedule_words.ts";
import { buttonsOf, takesParams } from "../units/unit_buttons.tsx";

/** What a unit is and does now, and what can be done to it. `onRun` opens the form of a run. */
export function UnitHeader({ unit, onRun }: { unit: Unit; onRun: () => void }) {
  const { name, description, group, usage } = unit;
  return (
    <header class="unit-header">
      <div class="row">
        <h1>{name}</h1>
        <State word={wordOfUnit(unit)} />
        <span class="fill" />
        <div class="row">
          {buttonsOf(unit).map(({ what, label, icon, run }) => (
            <Action
              key={what}
              what={`${what} ${name}`}
              {...(what === "run" || what === "start" ? { class: "primary" } : {})}
              onClick={what === "run" && takesParams(unit) ? onRun : run}
            >
              <Icon name={icon} />
              {label}
            </Action>
          ))}
        </div>
      </div>
      {description === "" ? null : <p>{description}</p>}
      <p class="facts muted">
        {group === "" ? null : <span>{group}</span>}
        <span title={unit.cron}>{scheduleWords(unit, daemon.value?.resolved_timezone)}</span>
        {unit.next_run_at === undefined ? null : (
          <span>
            next <Time at={unit.next_run_at} />
          </span>
        )}
        {unit.paused_at === undefined ? null : (
          <span>
            paused <Time at={unit.paused_at} />
          </span>
        )}
        {usage === undefined
          ? null
          : <span>{Math.round(usage.cpu_percent)} % of a core, {sizeWords(usage.memory_bytes)}</span>}
      </p>
    </header>
  );
}
