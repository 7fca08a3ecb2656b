/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { sizeWords } from "../../../src/core/size.ts";
import { addressOf, go, Link } from "../../app/router.tsx";
import { Icon } from "../../app/icons.tsx";
import { daemon } from "../../data/daemon.ts";
import type { Unit } from "../../data/units.ts";
import { State, wordOfUnit } from "../../parts/mark.tsx";
import { Time } from "../../parts/times.tsx";
import { RecentStrip } from "./recent_strip.tsx";
import { scheduleWords } from "./schedule_words.ts";
import { UnitButtons } from "./unit_buttons.tsx";

/** A unit as one row. */
export function UnitRow({ unit }: { unit: Unit }) {
  const [isOpen, setOpen] = useState(false);
  const { name, description, usage, last_run: last } = unit;
  const words = scheduleWords(unit, daemon.value?.resolved_timezone);
  return (
    <tr
      data-row
      data-name={name}
      tabIndex={0}
      class={isOpen ? "open" : undefined}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget) go(addressOf.unit(name));
      }}
    >
      <td class="is">
        <State word={wordOfUnit(unit)} />
      </td>
      <td class="name">
        <div>
          <Link href={addressOf.unit(name)}>{name}</Link>
          {description === "" ? null : <span class="muted" title={description}>{description}</span>}
        </div>
      </td>
      <td class="when" title={unit.cron}>{words}</td>
      <td class="results">
        <RecentStrip name={name} />
      </td>
      <td class="last">
        <Time at={last?.end_at ?? last?.start_at ?? last?.created_at} />
      </td>
      <td class="next">
        <Time at={unit.next_run_at} />
      </td>
      <td class="usage number">{usage === undefined ? "" : `${Math.round(usage.cpu_percent)} %`}</td>
      <td class="usage number">
        {usage === undefined ? "" : sizeWords(usage.memory_bytes)}
        <span class="acts">
          <UnitButtons unit={unit} />
        </span>
      </td>
      <td class="more">
        <button
          type="button"
          class="icon"
          aria-label={`Actions for ${name}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" />
        </button>
      </td>
    </tr>
  );
}
