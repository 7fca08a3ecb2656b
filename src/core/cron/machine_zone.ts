import { changesIn, parsePosixZone, type PosixZone } from "./posix_tz.ts";
import { isTimeZone, type Zone, zoneOf } from "./zone.ts";

/** The IANA zone that the clock of a machine's programs goes by, or why there is none. */
export type MachineZone =
  /** `isUnknown`: the C library doesn't know what the variable says either, and takes UTC. */
  | { zone: string; isUnknown?: true }
  | { why: string };

/** What the machine's zone is: a link into the zone data on most systems, else a copy of a file of it. */
const localTime = "/etc/localtime";

/** For so many years from now a zone must have the changes of a rule to stand for it. */
const years = 12;

/**
 * The zone that the C library takes a variable `TZ` for, as tzset(3) reads it: nothing, a name, `:NAME`, a file of the
 * zone data, or a rule of POSIX. Where the variable isn't there it is the machine's own, `system` by the
 * runtime; `target` tells where the links of a file lead. What the C library doesn't know is UTC to it, and so it is here.
 */
export function machineZone(
  tz: string | undefined,
  { system, year, target }: { system: string; year: number; target: (path: string) => string | undefined },
): MachineZone {
  if (tz === undefined) {
    // The runtime looks once, when it starts; the link tells what it is now.
    const linked = nameIn(target(localTime));
    return { zone: linked ?? (isTimeZone(system) ? system : "UTC") };
  }
  const text = tz.replace(/^:/, "");
  if (text === "") return { zone: "UTC" };
  if (text.startsWith("/")) return zoneOfFile(text, target);
  const name = text.replace(/^(?:posix|right)\//, "");
  if (isTimeZone(name)) return { zone: zoneOf(name).name };
  const rule = parsePosixZone(text);
  if (rule === undefined) return { zone: "UTC", isUnknown: true };
  // Old names, such as EST5EDT and CET, are zones of their own.
  const named = [text.split(",")[0]!, /^[A-Za-z]+/.exec(text)?.[0] ?? ""].filter(isTimeZone);
  const found = fixedZone(rule) ?? likeRule(rule, { year, named });
  if (found !== undefined) return { zone: found };
  return { why: `no time zone has the rule of TZ="${tz}"` };
}

function zoneOfFile(path: string, target: (path: string) => string | undefined): MachineZone {
  for (const place of [path, target(path)]) {
    const zone = nameIn(place);
    if (zone !== undefined) return { zone };
  }
  // Without the file it is UTC.
  return target(path) === undefined
    ? { zone: "UTC", isUnknown: true }
    : { why: `the file of TZ="${path}" has no zone's name` };
}

/** The zone that a file of the zone data is about, by its path. */
function nameIn(path: string | undefined): string | undefined {
  const name = /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(path ?? "")?.[1];
  if (name === undefined || !isTimeZone(name)) return undefined;
  return name === "Etc/UTC" ? "UTC" : zoneOf(name).name;
}

/** The zone without changes; there are some for whole hours. */
function fixedZone({ standard, daylight }: PosixZone): string | undefined {
  if (daylight !== undefined) return undefined;
  if (standard === 0) return "UTC";
  const hours = standard / 3600;
  const name = `Etc/GMT${hours < 0 ? "+" : "-"}${Math.abs(hours)}`;
  return isTimeZone(name) ? zoneOf(name).name : undefined;
}

function likeRule(rule: PosixZone, { year, named }: { year: number; named: string[] }): string | undefined {
  const changes = Array.from({ length: years }, (_, n) => changesIn(rule, year + n)).flat();
  // Without changes two moments of each year speak for it.
  const moments = changes.length > 0
    ? changes.flatMap((
      { at, offset },
      n,
    ) => [{ at, offset }, { at: (changes[n + 1]?.at ?? at + 1) - 1, offset }])
    : Array.from({ length: years * 2 }, (_, n) => ({
      at: Date.UTC(year, n * 6, 1) / 1000,
      offset: rule.standard,
    }));
  return [...named, ...Intl.supportedValuesOf("timeZone")].find((name) => {
    const zone = zoneOf(name);
    return moments.every(({ at, offset }) => offsetOf(zone, at) === offset);
  });
}

function offsetOf(zone: Zone, second: number): number | undefined {
  return zone.offsets[zone.periodAt(second)];
}
