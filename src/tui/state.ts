import type { DaemonInfoJson } from "../http/schemas/daemon.ts";
import type { NoticeJson } from "../http/schemas/notice.ts";
import type { RunJson } from "../http/schemas/run.ts";
import type { SystemStatsJson } from "../http/schemas/system.ts";
import type { TaskResponseJson, TickJson } from "../http/schemas/unit.ts";
import type { Role } from "../core/words.ts";
import type { Effect } from "./effect.ts";
import type { LogWindow } from "./log_window.ts";
import type { ParamForm } from "./param_form.ts";

/** What the right side shows. `cursor` is the index of the row that Enter opens. */
export type View =
  | { kind: "home"; cursor: number }
  | {
    kind: "unit";
    name: string;
    cursor: number;
    /** Its last runs, newest first; undefined until they are known. */
    runs?: readonly RunJson[];
    ticks?: readonly TickJson[];
    marked: readonly string[];
  }
  | { kind: "run"; id: string; run?: RunJson; log: LogWindow }
  | {
    kind: "history";
    cursor: number;
    filter: string;
    runs?: readonly RunJson[];
    total: number;
    marked: readonly string[];
    isPaging: boolean;
  }
  | { kind: "notices"; cursor: number; items?: readonly NoticeJson[]; next: string }
  /** `up` is how many lines the bottom lies above the newest. */
  | { kind: "daemon log"; lines: readonly string[]; up: number }
  | { kind: "system"; stats?: SystemStatsJson; top: number };

/** Views that show runs in rows. */
export type RunsView = Extract<View, { kind: "unit" | "history" }>;

/** A question that is answered by one key; "y" brings the effects about. */
export interface Question {
  text: string;
  effects: readonly Effect[];
}

/** A line that is being typed. */
export interface Prompt {
  for: "units" | "log" | "history";
  text: string;
}

/** All that the screen is made from. */
export interface State {
  columns: number;
  rows: number;
  /** Unix ms. */
  now: number;
  timezone: string;
  isAscii: boolean;
  /** The view takes the whole width while it has the focus. */
  isZoomed: boolean;
  /** Lines of output that are too long go on below, instead of being cut. */
  isWrapped: boolean;
  /** Clicks and the wheel come here; else the terminal selects text with them. */
  hasMouse: boolean;
  /** Where the daemon is, for people. */
  place: string;
  link: "loading" | "live" | "away";
  daemon?: DaemonInfoJson;
  /** In the order of the rail. */
  units: readonly TaskResponseJson[];
  /** Runs that are running, oldest first. */
  running: readonly RunJson[];
  unread: number;
  /** The last is shown; the first is home. */
  views: readonly View[];
  focus: "rail" | "main";
  rail: {
    /** Name of the unit that the cursor stands on. */
    cursor?: string;
    filter: string;
    marked: readonly string[];
  };
  prompt?: Prompt;
  question?: Question;
  form?: ParamForm;
  /** First row of the help that is shown; undefined when help is closed. */
  help?: number;
  /** An address for a browser on another machine. */
  address?: string;
  message?: { text: string; role: Role; until: number };
  /** Runs whose deletion can be taken back until a time. */
  undo?: { ids: readonly string[]; until: number };
}

/** The state before anything is known. */
export function firstState(
  own: Pick<State, "columns" | "rows" | "now" | "timezone" | "isAscii" | "place">,
): State {
  return {
    ...own,
    isZoomed: false,
    isWrapped: false,
    hasMouse: true,
    link: "loading",
    units: [],
    running: [],
    unread: 0,
    views: [{ kind: "home", cursor: 0 }],
    focus: "rail",
    rail: { filter: "", marked: [] },
  };
}

/** The view that is shown. */
export function viewOf(state: State): View {
  return state.views.at(-1) ?? { kind: "home", cursor: 0 };
}

/** The state with another view in place of the one that is shown. */
export function withView(state: State, view: View): State {
  return { ...state, views: [...state.views.slice(0, -1), view] };
}

/** The state with what it says at the bottom for a few seconds. */
export function withMessage(state: State, text: string, role: Role = "neutral"): State {
  return { ...state, message: { text, role, until: state.now + (role === "bad" ? 10_000 : 4000) } };
}
