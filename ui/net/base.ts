/// <reference lib="dom" />

/** Where the page lies below its host, without the last slash: "" as a rule, `/svc` where a proxy puts it there. */
const base = baseOf(import.meta.url);

/** The same, by the address of one of the page's scripts, which lie in `assets` there. */
export function baseOf(script: string): string {
  return /^https?:\/\/[^/]+(.*)\/assets\/[^/]+$/.exec(script)?.[1] ?? "";
}

/** A path of the daemon (`/api/runs`, `/units`) as this page's browser has to ask for it. */
export function outside(path: string, below: string = base): string {
  return below + path;
}

/** The path of the daemon that an address of the browser's stands for. */
export function inside(pathname: string, below: string = base): string {
  if (pathname === below) return "/";
  return pathname.startsWith(`${below}/`) ? pathname.slice(below.length) : pathname;
}
