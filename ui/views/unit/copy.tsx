/// <reference lib="dom" />
import { useState } from "preact/hooks";

/** A text to be taken along: as it stands, and a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [said, say] = useState("Copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      // Browsers give the clipboard to secure pages only.
      say("Select it to copy");
    }
    setTimeout(() => say("Copy"), 2000);
  };
  return (
    <div class="unit-copy">
      <pre tabIndex={0} role="region" aria-label={label}>{text}</pre>
      <button type="button" onClick={() => void copy()}>
        <span role="status">{said}</span>
        <span class="hidden">{label}</span>
      </button>
    </div>
  );
}
