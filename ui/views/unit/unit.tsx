/// <reference lib="dom" />
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addressOf, go, Link, place, setQuery } from "../../app/router.tsx";
import type { ViewProps } from "../../app/views.tsx";
import { loadUnits, type Unit as UnitData, unitList, units, unitsError } from "../../data/units.ts";
import { wordsOf } from "../../net/api.ts";
import { Failed, Skeleton } from "../../parts/states.tsx";
import { canRun } from "../units/unit_buttons.tsx";
import { Missing } from "./missing.tsx";
import { RunForm } from "./run_form.tsx";
import { type Tab, tabOf, tabsOf } from "./tabs.ts";
import { UnitHeader } from "./unit_header.tsx";

/** One unit: what it is, what can be done to it, and a tab for each side of it. */
export default function Unit({ name = "" }: ViewProps) {
  const unit = units.value?.get(name);
  if (units.value === undefined) {
    return unitsError.value === undefined
      ? <Skeleton />
      : <Failed what={name} why={unitsError.value} onRetry={() => void loadUnits()} />;
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
      <CurrentTab tab={tab} unit={unit} />
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

/** Loads the tab of the address, and keeps the one before until it is there. */
function CurrentTab({ tab, unit }: { tab: Tab; unit: UnitData }) {
  const [shown, show] = useState<{ id: string; View?: ComponentType<{ unit: UnitData }>; error?: string }>();
  useEffect(() => {
    let isOld = false;
    tab.load().then(
      ({ default: View }) => isOld || show({ id: tab.id, View }),
      (error) => isOld || show({ id: tab.id, error: wordsOf(error) }),
    );
    return () => void (isOld = true);
  }, [tab.id]);
  if (shown === undefined) return <Skeleton />;
  if (shown.View === undefined) return <Failed what="this tab" why={shown.error ?? ""} />;
  return <shown.View key={shown.id} unit={unit} />;
}
