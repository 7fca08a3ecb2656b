const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the wall clock of a zone is ahead of UTC at a time, ms. `at`: Unix ms. */
export function offsetAt(at: number, zone: string): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** What the wall clock of a zone shows, in ms as if it were UTC. */
export function wallOf(at: number, zone: string): number {
  return at + offsetAt(at, zone);
}

/** When the wall clock of a zone shows something; a time that it skips is moved on, one that comes twice is the first. */
export function instantOf(wall: number, zone: string): number {
  const before = wall - offsetAt(wall - 86_400_000, zone);
  if (wallOf(before, zone) === wall) return before;
  const after = wall - offsetAt(wall + 86_400_000, zone);
  return wallOf(after, zone) === wall ? after : before;
}

/** A time as a field for date and time takes it, `2026-11-25T14:03`; empty for none. */
export function fieldOf(time: string | null, zone: string): string {
  const at = Date.parse(time ?? "");
  // A field takes years of four digits.
  const isOdd = Number.isNaN(at) || at < 0 || at >= Date.parse("9999-01-01T00:00:00Z");
  return isOdd ? "" : new Date(wallOf(at, zone)).toISOString().slice(0, 16);
}

/** The time of such a field, RFC 3339; undefined for an empty one. */
export function timeOfField(field: string, zone: string): string | undefined {
  const wall = Date.parse(`${field}Z`);
  return Number.isNaN(wall) ? undefined : new Date(instantOf(wall, zone)).toISOString();
}
