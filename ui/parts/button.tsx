import type { ComponentChildren } from "preact";
import { busy } from "../app/actions.ts";

interface ActionProps {
  /** What it does, as in `busy`: it can't be pressed while that is under way. */
  what: string;
  onClick: () => void;
  children: ComponentChildren;
  class?: string;
  title?: string;
}

/** A button that does something to the daemon, and shows that it does. */
export function Action({ what, onClick, children, class: name, title }: ActionProps) {
  const isBusy = busy.value.has(what);
  return (
    <button type="button" class={name} title={title} aria-busy={isBusy} disabled={isBusy} onClick={onClick}>
      {children}
    </button>
  );
}
