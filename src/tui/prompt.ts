import type { Effect } from "./effect.ts";
import { historyView } from "./items.ts";
import { type Prompt, type State, viewOf, withView } from "./state.ts";

/** The state after a key while a line is typed. A filter of units shows at once what it leaves; the others when they are done. */
export function pressInPrompt(
  state: State,
  prompt: Prompt,
  key: string,
): [state: State, effects: readonly Effect[]] {
  const { prompt: _, ...rest } = state;
  if (key === "esc") {
    return [prompt.for === "units" ? { ...rest, rail: { ...state.rail, filter: "" } } : rest, []];
  }
  if (key === "enter") return answerPrompt(rest, prompt);
  const text = edited(prompt.text, key);
  if (text === undefined) return [state, []];
  return [typedInPrompt(state, prompt, text), []];
}

/** The state once the line that is typed holds a text. */
export function typedInPrompt(state: State, prompt: Prompt, text: string): State {
  const typed = { ...state, prompt: { ...prompt, text } };
  return prompt.for === "units" ? { ...typed, rail: { ...state.rail, filter: text } } : typed;
}

function edited(text: string, key: string): string | undefined {
  if (key === "backspace") return [...text].slice(0, -1).join("");
  if (key === "ctrl-u") return "";
  if (key === "space") return `${text} `;
  return [...key].length === 1 ? text + key : undefined;
}

function answerPrompt(state: State, { for: what, text }: Prompt): [State, readonly Effect[]] {
  const view = viewOf(state);
  if (what === "history" && view.kind === "history") {
    return [withView(state, historyView(text.trim())), [{ do: "load" }]];
  }
  if (what === "log" && view.kind === "run") {
    const { hits: _, at: __, ...log } = view.log;
    const searched = withView(state, { ...view, log: { ...log, search: text } });
    if (text === "") return [searched, []];
    return [searched, [{ do: "search", id: view.id, unit: view.run?.task_name ?? "", text }]];
  }
  return [state, []];
}
