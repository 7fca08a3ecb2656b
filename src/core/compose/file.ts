import { nearest } from "../nearest.ts";
import { isTable, type Table } from "../config/source.ts";
import { readSignal } from "../signals.ts";
import { withBases } from "./extends.ts";

/** A service of a container-compose file, as far as it decides how svc treats it. */
export interface ComposeService {
  name: string;
  /** Keys of `[services.NAME]` that the file speaks of too. */
  settings: Table;
  /** Names of services of the same file. */
  dependsOn: string[];
  /** Keys of `[services.NAME]` of which the file speaks in a way that svc does not follow, and how. */
  unread: Record<string, string>;
}

/** Names that a message lists. */
const mostNames = 20;

/** What a compose file gives, or why it gives nothing. */
export type ComposeReading =
  | { services: ComposeService[]; project: string | undefined; notes: string[] }
  | { fault: string };

/**
 * The services of a parsed compose file that are to be taken: those that are named, else all that no profile, or one
 * that is switched on, has. What the file includes from elsewhere is not followed.
 */
export function readComposeFile(
  document: unknown,
  { wanted, profiles }: { wanted: readonly string[] | undefined; profiles: readonly string[] },
): ComposeReading {
  if (!isTable(document) || !isTable(document["services"])) return { fault: 'it has no "services"' };
  const all = document["services"];
  const isOpen = ["include"].some((key) => document[key] !== undefined);
  const unknown = (wanted ?? []).filter((name) => !Object.hasOwn(all, name));
  const [first] = unknown;
  if (first !== undefined && !isOpen) {
    const known = Object.keys(all);
    const near = nearest(first, known);
    const others = known.length <= mostNames ? "" : ` and ${known.length - mostNames} more`;
    const hint = near === undefined
      ? `it has ${known.slice(0, mostNames).join(", ")}${others}`
      : `did you mean "${near}"?`;
    return { fault: `it has no service "${first}": ${hint}` };
  }
  const names = wanted ?? Object.keys(all).filter((name) => isSwitchedOn(all[name], profiles));
  const notes = isOpen ? ['"include" is not followed: name such services in "services" to take them'] : [];
  const services = names.map((name): ComposeService => {
    const { service, unknown } = withBases(name, all);
    return { name, ...settingsOf(service, unknown), dependsOn: dependenciesOf(service) };
  });
  const project = document["name"];
  return { services, project: typeof project === "string" ? project : undefined, notes };
}

function isSwitchedOn(service: unknown, profiles: readonly string[]): boolean {
  const own = isTable(service) ? service["profiles"] : undefined;
  return !Array.isArray(own) || own.length === 0 || own.some((profile) => profiles.includes(textOf(profile)));
}

/** Restart policies of compose, and ours. */
const restarts = new Map<unknown, string>([
  ["no", "never"],
  [false, "never"],
  ["always", "always"],
  ["unless-stopped", "always"],
]);

function settingsOf(
  service: Table,
  unknown: string | undefined,
): Pick<ComposeService, "settings" | "unread"> {
  const settings: Table = {};
  const unread: Record<string, string> = {};
  const { restart, stop_grace_period: grace, stop_signal: signal } = service;
  const extended = unknown === undefined ? undefined : '"extends" is not followed';
  if (restart === undefined || restart === null) {
    if (extended !== undefined) unread["restart"] = extended;
  } else {
    const policy = typeof restart === "string" && restart.startsWith("on-failure")
      ? "on_failure"
      : restarts.get(restart);
    if (policy !== undefined) settings["restart"] = policy;
    else unread["restart"] = `restart "${textOf(restart)}" is none that can be read`;
  }
  if (typeof grace === "string" && /^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/.test(grace)) {
    settings["graceful_stop"] = grace;
  } else if (grace !== undefined && grace !== null) {
    unread["graceful_stop"] = `stop_grace_period "${textOf(grace)}" is none that can be read`;
  } else if (extended !== undefined) unread["graceful_stop"] = extended;
  const sent = signal === undefined || signal === null ? undefined : textOf(signal);
  if (sent === undefined) {
    if (extended !== undefined) unread["stop_signal"] = extended;
  } else if (sent.includes("$")) unread["stop_signal"] = `stop_signal "${sent}" is none that can be read`;
  else {
    const read = readSignal(sent);
    // A wrong one is told by whoever reads the settings.
    settings["stop_signal"] = "name" in read ? read.name : sent;
  }
  return { settings, unread };
}

/** The short form is a list, the long one a map. */
function dependenciesOf(service: Table): string[] {
  const own = service["depends_on"];
  if (Array.isArray(own)) return own.map(textOf);
  return isTable(own) ? Object.keys(own) : [];
}

/** Lists and maps are no names, and as text they can be larger than any memory where aliases make them. */
function textOf(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
