/// <reference lib="dom" />
import { useEffect, useMemo } from "preact/hooks";
import { bindKeys } from "../../app/keys.ts";
import { place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { loadUnits, type Unit, unitList, units, unitsError } from "../../data/units.ts";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { FirstStart } from "../overview/first_start.tsx";
import { rememberedSet } from "./remembered_set.ts";
import { unitKeys } from "./unit_keys.ts";
import { type Chip, chipNames, chips, chooseUnits, groupUnits, readQuery, toggled } from "./unit_query.ts";
import { UnitsTable } from "./units_table.tsx";

/** Groups that are folded away. */
const folded = rememberedSet("folded-groups", 200);

/** All units in one table. */
export default function Units() {
  const all = unitList.value;
  const query = readQuery(place.value.query);
  const shown = useMemo(() => chooseUnits(all, query), [all, query.text, query.is.join()]);
  const groups = useMemo(() => groupUnits(shown, query), [shown, query.sort, query.isDown]);
  useEffect(() => bindKeys(rowKeys), []);
  if (units.value === undefined) {
    return unitsError.value === undefined
      ? <Skeleton rows={12} />
      : <Failed isView what="the units" why={unitsError.value} onRetry={() => void loadUnits()} />;
  }
  if (all.length === 0) return <FirstStart />;
  const closed = folded.value.value;
  return (
    <>
      <Heading title="Units">
        <span class="muted">
          {shown.length === all.length ? all.length : `${shown.length} of ${all.length}`}
        </span>
        <span class="fill" />
        <UnitFilter all={all} text={query.text} is={query.is} />
      </Heading>
      {shown.length === 0
        ? (
          <Empty title="No unit is like that">
            <button type="button" onClick={() => setQuery({ q: undefined, is: undefined })}>Show all</button>
          </Empty>
        )
        : (
          <UnitsTable
            groups={groups}
            query={query}
            closed={query.text === "" ? closed : new Set()}
            onSort={(key) => {
              const isDown = key === query.sort && !query.isDown;
              setQuery({ sort: key === "name" && !isDown ? undefined : `${isDown ? "-" : ""}${key}` });
            }}
            onFold={(name) =>
              folded.keep(closed.has(name) ? [...closed].filter((one) => one !== name) : [...closed, name])}
          />
        )}
    </>
  );
}

/** The filter: a field, and chips with how many units each would show. */
export function UnitFilter({ all, text, is }: { all: readonly Unit[]; text: string; is: readonly Chip[] }) {
  return (
    <div class="units-filter">
      <input
        type="search"
        data-filter
        aria-label="Filter units"
        placeholder="Filter"
        value={text}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <div class="chips" role="group" aria-label="Show only">
        {chipNames.map((chip) => (
          <button
            key={chip}
            type="button"
            aria-pressed={is.includes(chip)}
            onClick={() => setQuery({ is: toggled(is, chip).join() })}
          >
            {chip} <span>{all.filter(chips[chip]).length}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** The unit of the row that has the focus. */
function focused(): Unit | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]");
  return units.value?.get(row?.dataset.name ?? "");
}

const rowKeys = unitKeys(focused, "the row's unit");
