/// <reference lib="dom" />
import type { KeyBinding } from "./keys.ts";
import { moveFocus } from "./keys.ts";
import { go } from "./router.tsx";
import { overlay } from "./shell.tsx";

/** Rows that `j` and `k` go through, wherever a view has them. */
const rows = "[data-row]";

/** The keys that mean the same in every view. */
export const pageKeys: readonly KeyBinding[] = [
  { keys: "g o", text: "overview", run: () => go("/") },
  { keys: "g u", text: "units", run: () => go("/units") },
  { keys: "g r", text: "runs", run: () => go("/runs") },
  { keys: "g t", text: "timeline", run: () => go("/timeline") },
  { keys: "g n", text: "notifications", run: () => go("/notifications") },
  { keys: "g l", text: "search logs", run: () => go("/search") },
  { keys: "g s", text: "system", run: () => go("/system") },
  { keys: "j", text: "next row", run: () => moveFocus(rows, 1) },
  { keys: "k", text: "row before", run: () => moveFocus(rows, -1) },
  { keys: "/", text: "filter, or search in a log", run: focusFilter },
  { keys: "?", text: "these keys", run: () => void (overlay.value = "help") },
];

/** The field that a view is filtered by. */
function focusFilter(): void {
  const field = document.querySelector<HTMLInputElement>("[data-filter]");
  if (field === null) overlay.value = "palette";
  else {
    field.focus();
    field.select();
  }
}
