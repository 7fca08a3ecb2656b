/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
  /** Its title is for those who hear the page only. */
  isTitleHidden?: boolean;
}

/** A modal dialog: Escape and a click beside it close it, and the focus goes back where it was. */
export function Dialog({ title, onClose, children, class: name = "", isTitleHidden = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog
      ref={ref}
      class={name}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="dialog">
        {isTitleHidden ? null : (
          <header>
            <h2>{title}</h2>
            <button type="button" class="icon" aria-label="Close" onClick={onClose}>✕</button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
