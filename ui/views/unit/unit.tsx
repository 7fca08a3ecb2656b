/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { bindKeys } from "../../app/keys.ts";
import { addressOf, go, Link, place, setQuery } from "../../app/router.tsx";
import type { ViewProps } from "../view_props.ts";
import { loadUnits, unitList, units, unitsError } from "../../data/units.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";
import { canRun } from "../units/unit_buttons.tsx";
import { unitKeys } from "../units/unit_keys.ts";
import { Missing } from "./missing.tsx";
import { RunForm } from "./run_form.tsx";
import { tabOf, tabsOf } from "./tabs.ts";
import { UnitHeader } from "./unit_header.tsx";

/** One unit: what it is, what can be done to it, and a tab for each side of it. */
export default function Unit({ name = "" }: ViewProps) {
  const unit = units.value?.get(name);
  useEffect(() => bindKeys(unitKeys(() => units.value?.get(name), name)), [name]);
  if (units.value === undefined) {
    return unitsError.value === undefined
      ? <Skeleton />
      : <Failed isView what={name} why={unitsError.value} onRetry={() => void loadUnits()} />;
  }
  if (unit === undefined) return <Missing name={name} known={unitList.value.map(({ name }) => name)} />;
  const { query } = place.value;
  const tab = tabOf(unit, query.get("tab"));
  return (
    <div class="unit">
      <UnitHeader unit={unit} onRun={() => setQuery({ run: "1" })} />
      <nav class="tabs" aria-label={`Sides of ${name}`}>
        {tabsOf(unit).map(({ id, title }) => (
          <Link
            key={id}
            href={addressOf.unit(name, id)}
            {...(id === tab.id ? { "aria-current": "page" } : {})}
          >
            {title}
          </Link>
        ))}
      </nav>
      <tab.View key={tab.id} unit={unit} />
      {query.get("run") === "1" && canRun(unit)
        ? (
          <RunForm
            unit={unit}
            onClose={() => setQuery({ run: undefined })}
            onStarted={(id) =>
              matchMedia("(max-width: 900px)").matches
                ? go(addressOf.run(id))
                : go(`${addressOf.unit(name)}?run_id=${id}`)}
          />
        )
        : null}
    </div>
  );
}
