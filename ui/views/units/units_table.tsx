/// <reference lib="dom" />
import { Fragment } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Unit } from "../../data/units.ts";
import { type Group, inPieces, type SortKey, type UnitQuery } from "./unit_query.ts";
import { UnitRow } from "./unit_row.tsx";

const columns: ReadonlyArray<{ key?: SortKey; label: string; class: string }> = [
  { key: "state", label: "State", class: "is" },
  { key: "name", label: "Name", class: "name" },
  { label: "Schedule", class: "when" },
  { label: "Last results", class: "results" },
  { key: "last", label: "Last run", class: "last" },
  { key: "next", label: "Next run", class: "next" },
  { key: "cpu", label: "CPU", class: "usage number" },
  { key: "memory", label: "Memory", class: "usage number" },
];

interface UnitsTableProps {
  groups: readonly Group[];
  query: Pick<UnitQuery, "sort" | "isDown">;
  closed: ReadonlySet<string>;
  onSort: (key: SortKey) => void;
  onFold: (group: string) => void;
}

/** Units by group; a group can be folded away, a column sorts within each group. */
export function UnitsTable({ groups, query, closed, onSort, onFold }: UnitsTableProps) {
  const isPlain = groups.length === 1 && groups[0]?.name === "";
  return (
    <table class="units">
      <caption class="hidden">Units</caption>
      <thead>
        <tr>
          {columns.map(({ key, label, class: name }) => (
            <th
              key={label}
              scope="col"
              class={name}
              {...(key === undefined
                ? {}
                : { "aria-sort": key !== query.sort ? "none" : query.isDown ? "descending" : "ascending" })}
            >
              {key === undefined ? label : (
                <button type="button" class="sort" onClick={() => onSort(key)}>
                  {label}
                  <span aria-hidden="true">{key !== query.sort ? "" : query.isDown ? "↓" : "↑"}</span>
                </button>
              )}
            </th>
          ))}
          <td class="more" />
        </tr>
      </thead>
      {groups.map(({ name, units }) => (
        <Fragment key={name}>
          {isPlain ? null : (
            <tbody>
              <tr class="group">
                <th colSpan={2} scope="rowgroup">
                  <button
                    type="button"
                    class="fold"
                    aria-expanded={!closed.has(name)}
                    onClick={() => onFold(name)}
                  >
                    <span aria-hidden="true">{closed.has(name) ? "▸" : "▾"}</span>
                    {name === "" ? "no group" : name}
                    <span class="muted">{units.length}</span>
                  </button>
                </th>
              </tr>
            </tbody>
          )}
          {closed.has(name) && !isPlain
            ? null
            : inPieces(units, pieceSize).map((piece, i) => <Piece key={i} units={piece} isFirst={i === 0} />)}
        </Fragment>
      ))}
    </table>
  );
}

/** So many rows come and go together. */
const pieceSize = 25;
/** Drawn before they are seen, px. */
const ahead = 800;

/** Some rows; far from what is seen only the room that they take is there. */
function Piece({ units, isFirst }: { units: readonly Unit[]; isFirst: boolean }) {
  const ref = useRef<HTMLTableSectionElement>(null);
  const height = useRef(units.length * 33);
  const [isNear, setNear] = useState(isFirst);
  useLayoutEffect(() => {
    const element = ref.current!;
    const observer = new IntersectionObserver(([change]) => {
      if (change === undefined) return;
      // Whoever has the focus stays, however far it was scrolled.
      const isUsed = element.contains(document.activeElement);
      if (!change.isIntersecting && !isUsed) height.current = element.offsetHeight || height.current;
      setNear(change.isIntersecting || isUsed);
    }, { rootMargin: `${ahead}px 0px` });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={ref}>
      {isNear ? units.map((unit) => <UnitRow key={unit.name} unit={unit} />) : (
        <tr aria-hidden="true">
          <td colSpan={2} style={{ height: `${height.current}px`, border: 0 }} />
        </tr>
      )}
    </tbody>
  );
}
