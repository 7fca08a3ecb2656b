import type { ComponentChildren } from "preact";

/** A heading of a view, with what stands at its right. */
export function Heading({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="heading">
      <h1>{title}</h1>
      {children}
    </header>
  );
}
