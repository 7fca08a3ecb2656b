import type { Effect } from "./effect.ts";
import { pasteInForm } from "./param_form.ts";
import { typedInPrompt } from "./prompt.ts";
import type { State } from "./state.ts";

/** The state after a text was pasted: it goes where one types, and is nowhere taken for keys. */
export function paste(state: State, pasted: string): [State, readonly Effect[]] {
  const text = pasted.replace(/\r\n?/g, "\n");
  if (state.question !== undefined) return [state, []];
  if (state.form !== undefined) return [{ ...state, form: pasteInForm(state.form, text) }, []];
  if (state.prompt === undefined) return [state, []];
  // deno-lint-ignore no-control-regex -- none of these can be typed
  const line = text.trim().replace(/[\x00-\x1f\x7f]+/g, " ");
  return [typedInPrompt(state, state.prompt, state.prompt.text + line), []];
}
