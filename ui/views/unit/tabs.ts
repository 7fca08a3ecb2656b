import type { ComponentType } from "preact";
import type { Unit } from "../../data/units.ts";

/** A part of a unit's page, loaded when it is first shown. */
export interface Tab {
  /** In the address; empty for the first one. */
  id: string;
  title: string;
  load: () => Promise<{ default: ComponentType<{ unit: Unit }> }>;
}

const runs: Tab = { id: "", title: "Runs", load: () => import("./runs_tab.tsx") };
const schedule: Tab = { id: "schedule", title: "Schedule", load: () => import("./schedule_tab.tsx") };
const durations: Tab = { id: "durations", title: "Durations", load: () => import("./durations_tab.tsx") };
const definition: Tab = { id: "definition", title: "Definition", load: () => import("./definition_tab.tsx") };
const instances: Tab = { id: "instances", title: "Instances", load: () => import("./instances_tab.tsx") };

/** The tabs that a unit has. */
export function tabsOf({ kind }: Pick<Unit, "kind">): readonly [Tab, ...Tab[]] {
  return kind === "service"
    ? [runs, instances, durations, definition]
    : [runs, schedule, durations, definition];
}

/** The tab that an address names; the first for one that the unit does not have. */
export function tabOf(unit: Pick<Unit, "kind">, id: string | null): Tab {
  const tabs = tabsOf(unit);
  return tabs.find((tab) => tab.id === id) ?? tabs[0];
}
