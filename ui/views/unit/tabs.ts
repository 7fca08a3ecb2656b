import type { ComponentType } from "preact";
import type { Unit } from "../../data/units.ts";
import { DefinitionTab } from "./definition_tab.tsx";
import { DurationsTab } from "./durations_tab.tsx";
import { InstancesTab } from "./instances_tab.tsx";
import { RunsTab } from "./runs_tab.tsx";
import { ScheduleTab } from "./schedule_tab.tsx";

/** A side of a unit. */
export interface Tab {
  /** In the address; empty for the first one. */
  id: string;
  title: string;
  View: ComponentType<{ unit: Unit }>;
}

const runs: Tab = { id: "", title: "Runs", View: RunsTab };
const schedule: Tab = { id: "schedule", title: "Schedule", View: ScheduleTab };
const durations: Tab = { id: "durations", title: "Durations", View: DurationsTab };
const definition: Tab = { id: "definition", title: "Definition", View: DefinitionTab };
const instances: Tab = { id: "instances", title: "Instances", View: InstancesTab };

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
