import { askDelete, askPause, askRerun, askRun, askStop } from "./actions.ts";
import type { Effect } from "./effect.ts";
import { historyView, itemsOf, targetRuns } from "./items.ts";
import { move, open } from "./moves.ts";
import { pressInForm } from "./param_form.ts";
import { pressInPrompt } from "./prompt.ts";
import { type Prompt, type State, type View, viewOf, withMessage, withView } from "./state.ts";
import { logHeight } from "./layout.ts";
import { toHit } from "./log_window.ts";
import { rewind } from "./rewind.ts";
import { railIndex, shownUnits } from "./units.ts";

/** What a key makes of the state, and what it brings about. */
export type Pressed = [state: State, effects: readonly Effect[]];

/** The state after a key. A key is a character, or a name such as "up", "enter", "esc", "ctrl-c". */
export function press(state: State, key: string): Pressed {
  if (key === "ctrl-c") return [state, [{ do: "quit" }]];
  if (state.question !== undefined) return answer(state, key);
  if (state.form !== undefined) return inForm(state, key);
  if (state.prompt !== undefined) return pressInPrompt(state, state.prompt, key);
  if (state.address !== undefined) {
    const { address: _, ...rest } = state;
    return [rest, []];
  }
  if (state.help !== undefined) return [inHelp(state, state.help, key), []];
  const moved = move(state, key);
  if (moved !== undefined) return moved;
  switch (key) {
    case "q":
      return [state, [{ do: "quit" }]];
    case "?":
      return [{ ...state, help: 0 }, []];
    case "enter":
      return open(state);
    case "esc":
      return [back(state), []];
    case "1":
      return show(state, { kind: "home", cursor: 0 });
    case "2":
      return show(state, historyView());
    case "3":
      return show(state, { kind: "notices", cursor: 0, next: "" });
    case "4":
      return show(state, { kind: "daemon log", lines: [], up: 0 });
    case "5":
      return show(state, { kind: "system", top: 0 });
    case "o":
      return [state, [{ do: "browse" }]];
    case "<":
    case ">":
      return rewind(state, key === "<" ? -1 : 1);
    case "z":
      return [{ ...state, focus: "main", isZoomed: !state.isZoomed }, []];
    case "w":
      return [{ ...state, isWrapped: !state.isWrapped }, []];
    case "c":
      return toggleMouse(state);
    case "/":
      return [withPrompt(state), []];
    case "R":
      return [state, [{ do: "reload", isDry: true }]];
    case "u":
      return undo(state);
    case "space":
      return [select(state), []];
    case "n":
    case "N":
      return hitOrNotices(state, key);
  }
  return act(state, key);
}

/** Keys that act on what is looked at. */
function act(state: State, key: string): Pressed {
  const view = viewOf(state);
  const isMain = state.focus === "main";
  switch (key) {
    case "r":
      if (isMain && view.kind === "run" && view.run !== undefined) return [askRerun(state, [view.run]), []];
      if (isMain && view.kind === "history") return [askRerun(state, targetRuns(view)), []];
      return [askRun(state), []];
    case "s":
      return [askStop(state), []];
    case "p":
      return [askPause(state), []];
    case "d":
      if (isMain && (view.kind === "history" || view.kind === "unit")) {
        return [askDelete(state, targetRuns(view)), []];
      }
      if (isMain && view.kind === "run" && view.run !== undefined) return [askDelete(state, [view.run]), []];
      return [state, []];
    case "m": {
      if (view.kind !== "notices") return [state, []];
      const item = view.items?.[view.cursor];
      if (item === undefined) return [state, []];
      return [state, [{ do: "mark notice", id: item.id, isRead: item.read_at === undefined }]];
    }
    case "M":
      return [state, view.kind === "notices" ? [{ do: "read all notices" }] : []];
  }
  return [state, []];
}

function answer(state: State, key: string): Pressed {
  const { question, ...rest } = state;
  if (key === "y" || key === "Y") {
    const isMarked = state.rail.marked.length > 0;
    const after = isMarked ? { ...rest, rail: { ...state.rail, marked: [] } } : rest;
    return [withoutMarks(after), question?.effects ?? []];
  }
  return [rest, []];
}

function withoutMarks(state: State): State {
  const view = viewOf(state);
  return view.kind === "history" || view.kind === "unit" ? withView(state, { ...view, marked: [] }) : state;
}

function inForm(state: State, key: string): Pressed {
  const { form, ...rest } = state;
  if (form === undefined) return [state, []];
  const after = pressInForm(form, key);
  if (after === "closed") return [rest, []];
  if ("form" in after) return [{ ...state, form: after.form }, []];
  return [rest, [{ do: "run", name: form.task, params: after.values, isShown: true }]];
}

function inHelp(state: State, top: number, key: string): State {
  if (key === "down" || key === "j") return { ...state, help: top + 1 };
  if (key === "up" || key === "k") return { ...state, help: Math.max(0, top - 1) };
  const { help: _, ...rest } = state;
  return rest;
}

/** Home stays below whatever else is shown, so that Esc leads there. */
function show(state: State, view: View): Pressed {
  const home = state.views[0] ?? { kind: "home", cursor: 0 };
  return [
    { ...state, focus: "main", views: view.kind === "home" ? [view] : [home, view] },
    [{ do: "load" }],
  ];
}

/** One step back: out of earlier frames, a search, a selection, a filter, the view, then to the units. */
function back(state: State): State {
  const view = viewOf(state);
  if (state.focus === "rail") {
    if (state.rail.marked.length > 0) return { ...state, rail: { ...state.rail, marked: [] } };
    if (state.rail.filter !== "") return { ...state, rail: { ...state.rail, filter: "" } };
    return state;
  }
  if (view.kind === "run" && view.log.rewind !== undefined) {
    const { rewind: _, ...log } = view.log;
    return withView(state, { ...view, log });
  }
  if (view.kind === "run" && view.log.search !== "") {
    const { hits: _, at: __, ...log } = view.log;
    return withView(state, { ...view, log: { ...log, search: "" } });
  }
  if ((view.kind === "history" || view.kind === "unit") && view.marked.length > 0) {
    return withView(state, { ...view, marked: [] });
  }
  if (state.views.length > 1) {
    const views = state.views.slice(0, -1);
    return { ...state, views, focus: views.length === 1 ? "rail" : "main" };
  }
  return { ...state, focus: "rail" };
}

function withPrompt(state: State): State {
  const view = viewOf(state);
  const what: Prompt["for"] = state.focus === "rail"
    ? "units"
    : view.kind === "run"
    ? "log"
    : view.kind === "history"
    ? "history"
    : "units";
  const text = what === "units"
    ? state.rail.filter
    : view.kind === "history"
    ? view.filter
    : view.kind === "run"
    ? view.log.search
    : "";
  return { ...state, ...(what === "units" ? { focus: "rail" as const } : {}), prompt: { for: what, text } };
}

function toggleMouse(state: State): Pressed {
  const hasMouse = !state.hasMouse;
  const text = hasMouse
    ? "The mouse scrolls and selects rows."
    : 'The mouse selects text, as your terminal does it. "c" takes it back.';
  return [withMessage({ ...state, hasMouse }, text), [{ do: "mouse", isOn: hasMouse }]];
}

function undo(state: State): Pressed {
  const { undo: last, ...rest } = state;
  if (last === undefined || last.until < state.now) return [withMessage(rest, "Nothing to undo."), []];
  return [rest, [{ do: "restore", ids: last.ids }]];
}

function select(state: State): State {
  if (state.focus === "rail") {
    const shown = shownUnits(state);
    const at = railIndex(state);
    const name = shown[at]?.name;
    if (name === undefined) return state;
    const cursor = shown[Math.min(at + 1, shown.length - 1)]?.name ?? name;
    return { ...state, rail: { ...state.rail, marked: toggled(state.rail.marked, name), cursor } };
  }
  const view = viewOf(state);
  if (view.kind !== "history" && view.kind !== "unit") return state;
  const id = view.runs?.[view.cursor]?.id;
  if (id === undefined) return state;
  const cursor = Math.min(view.cursor + 1, itemsOf(state, view).length - 1);
  return withView(state, { ...view, marked: toggled(view.marked, id), cursor });
}

function toggled(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
}

function hitOrNotices(state: State, key: "n" | "N"): Pressed {
  const view = viewOf(state);
  if (state.focus !== "main" || view.kind !== "run" || view.log.search === "") {
    return key === "n" ? show(state, { kind: "notices", cursor: 0, next: "" }) : [state, []];
  }
  return [withView(state, { ...view, log: toHit(view.log, key === "n" ? 1 : -1, logHeight(state)) }), []];
}
