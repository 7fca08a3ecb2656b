/// <reference lib="dom" />
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { inside, outside } from "../net/base.ts";

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
  return {
    path: inside(location.pathname),
    query: new URLSearchParams(location.search),
    hash: location.hash,
  };
}

/** Goes to an address of the page. `replace`: the one before is forgotten, as for a filter that is being typed. */
export function go(to: string, { replace = false } = {}): void {
  const address = to.startsWith("/") ? outside(to) : to;
  if (replace) history.replaceState(null, "", address);
  else {
    history.replaceState({ top: scroller().scrollTop }, "");
    history.pushState(null, "", address);
  }
  const { path } = place.value;
  place.value = here();
  if (place.value.path !== path) scrollTo(0, 0);
}

/** Changes that follow each other within so many ms are one step of the browser's history. */
const oneStep = 1000;
/** What is typed letter by letter is no step at all. */
const typed = new Set(["q", "search", "task_name"]);
let lastChange = -Infinity;

/** Changes parts of the query; `undefined` and "" take one away. The browser's Back undoes it. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const now = performance.now();
  const replace = now - lastChange < oneStep || Object.keys(changes).every((name) => typed.has(name));
  lastChange = now;
  const { path, query, hash } = place.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  go(`${path}${text === "" ? "" : `?${text}`}${hash}`, { replace });
}

/** What scrolls in a view: a list of its own, or the page. */
function scroller(): Element {
  return document.querySelector("[data-scroller]") ?? document.documentElement;
}

/** So long is waited for a view to be high enough to be scrolled to where it was, ms. */
const longestWait = 2000;

/** Scrolls to where a view was left, as soon as it is high enough. */
function scrollBack(top: number, until: number): void {
  const box = scroller();
  if (box.scrollHeight >= top + box.clientHeight) box.scrollTop = top;
  else if (performance.now() < until) requestAnimationFrame(() => scrollBack(top, until));
}

/** Follows the browser's own way through what was shown. */
export function startRouter(): void {
  // It is told from the first view, and would be sought from each.
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  icon?.setAttribute("href", icon.href);
  addEventListener("popstate", ({ state }) => {
    place.value = here();
    const top: unknown = state?.top;
    if (typeof top === "number" && top > 0) scrollBack(top, performance.now() + longestWait);
  });
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
      href={outside(href)}
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
