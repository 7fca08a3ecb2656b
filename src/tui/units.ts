import { troubleOf, wordOfUnit } from "../cli/unit_words.ts";
import type { TaskResponseJson } from "../http/schemas/unit.ts";
import type { State } from "./state.ts";

/** Units in the order of the rail: what needs attention first, then by group and name. */
export function inRailOrder(units: readonly TaskResponseJson[]): TaskResponseJson[] {
  const order = new Intl.Collator("en");
  return units.map((unit) => ({ unit, rank: troubleOf(unit) === undefined ? 1 : 0 }))
    .toSorted((a, b) =>
      a.rank - b.rank || order.compare(a.unit.group, b.unit.group) || order.compare(a.unit.name, b.unit.name)
    ).map(({ unit }) => unit);
}

/** The units that the rail shows: those whose name, group or state holds the filter. */
export function shownUnits(
  { units, rail: { filter } }: Pick<State, "units" | "rail">,
): readonly TaskResponseJson[] {
  if (filter === "") return units;
  const wanted = filter.toLowerCase();
  return units.filter((unit) =>
    `${unit.name} ${unit.group} ${unit.kind} ${wordOfUnit(unit).text}`.toLowerCase().includes(wanted)
  );
}

/** Index of the unit that the cursor of the rail stands on; -1 without units. */
export function railIndex(state: State): number {
  const shown = shownUnits(state);
  const at = shown.findIndex(({ name }) => name === state.rail.cursor);
  return at >= 0 || shown.length === 0 ? at : 0;
}

/** The unit of a name. */
export function unitNamed(state: State, name: string): TaskResponseJson | undefined {
  return state.units.find((unit) => unit.name === name);
}
