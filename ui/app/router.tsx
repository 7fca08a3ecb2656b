/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** Where the page is: a path, and the query that holds filters. */
export interface Place {
  path: string;
  query: URLSearchParams;
  /** With its `#`; empty when there is none. */
  hash: string;
}

export const place = signal<Place>(here());

function here(): Place {
  if (typeof location === "undefined") return { path: "/", query: new URLSearchParams(), hash: "" };
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash };
}

/** Goes to an address of the page. `replace`: the one before is forgotten, as for a filter that is being typed. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = here();
  if (!replace) scrollTo(0, 0);
}

/** Changes parts of the query; `undefined` and "" take one away. */
export function setQuery(changes: Record<string, string | undefined>, { replace = true } = {}): void {
  const { path, query, hash } = place.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(`${path}${text === "" ? "" : `?${text}`}${hash}`, { replace });
}

export function startRouter(): void {
  addEventListener("popstate", () => place.value = here());
  addEventListener("hashchange", () => place.value = here());
}

/** The addresses of the page. */
export const addressOf = {
  unit: (name: string, tab = ""): string =>
    `/units/${encodeURIComponent(name)}${tab === "" ? "" : `?tab=${tab}`}`,
  run: (id: string): string => `/runs/${encodeURIComponent(id)}`,
  runsOf: (unit: string): string => `/runs?task_name=${encodeURIComponent(unit)}`,
};

interface LinkProps {
  href: string;
  children?: ComponentChildren;
  class?: string;
  title?: string;
  tabIndex?: number;
  onClick?: (event: MouseEvent) => void;
  "aria-current"?: "page";
  "aria-label"?: string;
}

/** A link within the page: a plain click stays in it, all else is the browser's. */
export function Link({ href, onClick, ...rest }: LinkProps) {
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = event.button === 0 &&
          !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        go(href);
      }}
    />
  );
}
