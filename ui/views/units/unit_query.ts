import { needsAttention } from "../../../src/core/words.ts";
import type { Unit } from "../../data/units.ts";
import { wordOfUnit } from "../../parts/mark.tsx";

/** What the chips of the list are called, and which units each lets through. */
export const chips = {
  failing: (unit: Unit): boolean => needsAttention(wordOfUnit(unit)),
  running: (unit: Unit): boolean => (unit.active_runs ?? 0) + (unit.healthy_instances ?? 0) > 0,
  paused: (unit: Unit): boolean => unit.paused_at !== undefined,
  tasks: (unit: Unit): boolean => unit.kind === "task",
  services: (unit: Unit): boolean => unit.kind === "service",
} as const satisfies Record<string, (unit: Unit) => boolean>;
export type Chip = keyof typeof chips;
export const chipNames = Object.keys(chips) as Chip[];

/** What the list can be sorted by. */
export const sortKeys = ["state", "name", "last", "next", "cpu", "memory"] as const;
export type SortKey = (typeof sortKeys)[number];

/** Which units are shown, and in which order; all of it stands in the address. */
export interface UnitQuery {
  text: string;
  is: readonly Chip[];
  sort: SortKey;
  isDown: boolean;
}

/** Reads the query of an address; what is unknown in it doesn't count. */
export function readQuery(query: URLSearchParams): UnitQuery {
  const sort = query.get("sort") ?? "name";
  const key = sort.replace(/^-/, "");
  return {
    text: query.get("q") ?? "",
    is: (query.get("is") ?? "").split(",").filter((name): name is Chip => Object.hasOwn(chips, name)),
    sort: sortKeys.find((one) => one === key) ?? "name",
    isDown: sort.startsWith("-"),
  };
}

/** The chips after one was pressed; of two that shut each other out the newer counts. */
export function toggled(is: readonly Chip[], chip: Chip): Chip[] {
  if (is.includes(chip)) return is.filter((one) => one !== chip);
  const other = chip === "tasks" ? "services" : chip === "services" ? "tasks" : undefined;
  return [...is.filter((one) => one !== other), chip];
}

/** The units that a query lets through: every word is in the name, the group or the description. */
export function chooseUnits(all: readonly Unit[], { text, is }: Pick<UnitQuery, "text" | "is">): Unit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((unit) => {
    if (!is.every((chip) => chips[chip](unit))) return false;
    if (words.length === 0) return true;
    const place = `${unit.name}\n${unit.group}\n${unit.description}`.toLowerCase();
    return words.every((word) => place.includes(word));
  });
}

/** Units of one group; `name` is empty for those without one. */
export interface Group {
  name: string;
  units: Unit[];
}

/** Units by group, sorted within each; groups by name, and those without one at the end. */
export function groupUnits(
  all: readonly Unit[],
  { sort, isDown }: Pick<UnitQuery, "sort" | "isDown">,
): Group[] {
  const byName = new Map<string, Unit[]>();
  for (const unit of all) {
    const group = byName.get(unit.group);
    if (group === undefined) byName.set(unit.group, [unit]);
    else group.push(unit);
  }
  const direction = isDown ? -1 : 1;
  const names = [...byName.keys()].sort((a, b) => a === "" ? 1 : b === "" ? -1 : compare(a, b));
  return names.map((name) => ({
    name,
    units: byName.get(name)!.sort((a, b) => direction * compareBy(sort, a, b) || compare(a.name, b.name)),
  }));
}

const roles = ["bad", "warn", "accent", "neutral", "good", "muted"];

function compareBy(key: SortKey, a: Unit, b: Unit): number {
  if (key === "name") return compare(a.name, b.name);
  if (key === "state") return roles.indexOf(wordOfUnit(a).role) - roles.indexOf(wordOfUnit(b).role);
  // The next run soonest first, all else greatest first.
  if (key === "next") return timeOf(a.next_run_at, Infinity) - timeOf(b.next_run_at, Infinity) || 0;
  if (key === "last") return timeOf(b.last_run?.created_at, 0) - timeOf(a.last_run?.created_at, 0);
  if (key === "cpu") return (b.usage?.cpu_percent ?? -1) - (a.usage?.cpu_percent ?? -1);
  return (b.usage?.memory_bytes ?? -1) - (a.usage?.memory_bytes ?? -1);
}

function timeOf(time: string | undefined, otherwise: number): number {
  return time === undefined ? otherwise : Date.parse(time);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Rows in pieces, so that those far from what is seen need not be drawn. */
export function inPieces<T>(rows: readonly T[], size: number): T[][] {
  return Array.from(
    { length: Math.ceil(rows.length / size) },
    (_, i) => rows.slice(i * size, (i + 1) * size),
  );
}
