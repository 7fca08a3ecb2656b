import type { KeyPath } from "./report.ts";

/** Variables that are no secret wherever they are put in, and that programs can't do without. */
const common =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|PWD|TERM|HOST|HOSTNAME|TMPDIR|XDG_\w+)$/;

/** Whether a variable that stands in a secret place may be a secret itself. */
export function mayBeSecret(name: string): boolean {
  return !common.test(name);
}

/**
 * What a text says that nobody is shown, before anything is put into it: all of it in a secret place (secrets, tokens,
 * whatever a notifier has, ping addresses), and of the address of a health check its query, user and password.
 */
export function secretParts(path: KeyPath, text: string): string[] {
  if (path[0] === "notifiers") return [text];
  const inUnit = insideUnit(path) ?? [];
  const [key] = inUnit;
  if (key === "secrets" || key === "hook_tokens" || key === "ping_url") return [text];
  if (key !== "health_check" || inUnit[1] !== "http") return [];
  const [, user = ""] = /^[a-z]+:\/\/([^/?#]*)@/.exec(text) ?? [];
  const [query = ""] = /[?#].*/s.exec(text) ?? [];
  return [user, query];
}

/** The path inside of a unit, or of what stands for units; undefined for one that leads elsewhere. */
export function insideUnit(path: KeyPath): KeyPath | undefined {
  switch (path[0]) {
    case "defaults":
      return path.slice(1);
    case "tasks":
    case "services":
      return path.slice(2);
    case "compose":
      return path.slice(3);
    default:
      return undefined;
  }
}
