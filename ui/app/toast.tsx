import { signal } from "@preact/signals";

/** A short message at the edge of the page, with one thing that can be done. */
export interface Toast {
  id: number;
  text: string;
  role: "good" | "bad" | "neutral";
  action?: { label: string; run: () => void };
}

/** How long one stays, ms; those that say what went wrong stay for longer. */
const stays = { short: 4000, long: 10_000 };
const most = 4;
let lastId = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Says something; answers what takes it back. One with an action stays for 10 s. */
export function say(text: string, rest: Partial<Pick<Toast, "role" | "action">> = {}): () => void {
  const toast: Toast = { id: ++lastId, text, role: "neutral", ...rest };
  const drop = (): void => void (toasts.value = toasts.value.filter(({ id }) => id !== toast.id));
  toasts.value = [...toasts.value.slice(1 - most), toast];
  setTimeout(drop, toast.role === "bad" || toast.action !== undefined ? stays.long : stays.short);
  return drop;
}

/** Where messages appear. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, role, action }) => (
        <div class={`toast ${role}`} key={id}>
          <span>{text}</span>
          {action === undefined ? null : (
            <button
              type="button"
              class="link"
              onClick={() => {
                toasts.value = toasts.value.filter((other) => other.id !== id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
