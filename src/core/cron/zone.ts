/**
 * Time zones as tables of periods with one offset each. Times here are whole seconds: UTC seconds since
 * 1970 for instants, seconds east of UTC for offsets. No zone repeats a local time except across one
 * transition, so that the two periods beside a transition tell all about its gap or overlap.
 */

/** A zone's periods in order; they are found as far as they are asked for, so call `periodAt` first. */
export interface Zone {
  /** Canonical case, e.g. "Europe/Berlin". */
  readonly name: string;
  /** The UTC second at which each known period begins; the first is -Infinity. */
  readonly starts: readonly number[];
  /** The offset of each known period in seconds east of UTC. */
  readonly offsets: readonly number[];
  /** Index of the period that holds a UTC second; its end, if it has one, is then known as `starts[index + 1]`. */
  periodAt(second: number): number;
}

/** True when `name` is an IANA zone that this runtime knows, in any case; offsets such as "+02:00" are none. */
export function isTimeZone(name: string): boolean {
  return zones.has(name) || canonicalName(name) !== undefined;
}

/** The zone of an IANA name in any case, one object per zone; RangeError when this runtime knows none. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const canonical = canonicalName(name);
  if (canonical === undefined) throw new RangeError(`time zone ${JSON.stringify(name)} is unknown`);
  let zone = zones.get(canonical);
  if (zone === undefined) {
    zone = new PeriodTable(canonical);
    zones.set(canonical, zone);
  }
  return zone;
}

/** The zone's offset east of UTC at an instant (Unix ms), in ms. */
export function offsetAt(zone: Zone, at: number): number {
  return (zone.offsets[zone.periodAt(Math.floor(at / 1000))] ?? 0) * 1000;
}

/** By canonical name only: spellings in other cases are without number. */
const zones = new Map<string, Zone>();

/** Before the first transition of every zone. */
const DAWN = Date.UTC(1700, 0, 1);

/** Transitions are looked up this far ahead (8 years), so that a running daemon asks seldom. */
const AHEAD = 8 * 366 * 86_400;

function canonicalName(name: string): string | undefined {
  try {
    const found = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
    // Temporal also takes offsets and whole ISO texts; only a name comes back as what it was.
    return /^[a-z]/i.test(found) && found.toLowerCase() === name.toLowerCase() ? found : undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

class PeriodTable implements Zone {
  readonly name: string;
  readonly starts: number[] = [-Infinity];
  readonly offsets: number[];
  /** Instants before this UTC second are within periods whose end is known. */
  #sure = -Infinity;
  /** The period of the latest answer: the next question is mostly about the same one. */
  #recent = 0;

  constructor(name: string) {
    this.name = name;
    this.offsets = [secondsEast(Temporal.Instant.fromEpochMilliseconds(DAWN).toZonedDateTimeISO(name))];
  }

  periodAt(second: number): number {
    if (second >= this.#sure) this.#extend(second);
    const { starts } = this;
    const recent = this.#recent;
    if (second >= (starts[recent] ?? Infinity) && second < (starts[recent + 1] ?? Infinity)) return recent;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? Infinity) <= second) low = middle;
      else high = middle;
    }
    this.#recent = low;
    return low;
  }

  #extend(second: number): void {
    const latest = this.starts.at(-1) ?? -Infinity;
    let at = Temporal.Instant.fromEpochMilliseconds(latest === -Infinity ? DAWN : latest * 1000)
      .toZonedDateTimeISO(this.name);
    while (this.#sure <= second + AHEAD) {
      const next = at.getTimeZoneTransition("next");
      if (next === null) {
        this.#sure = Infinity;
        return;
      }
      at = next;
      const start = Math.floor(next.epochMilliseconds / 1000);
      this.starts.push(start);
      this.offsets.push(secondsEast(next));
      this.#sure = start;
    }
  }
}

function secondsEast(at: Temporal.ZonedDateTime): number {
  return Math.round(at.offsetNanoseconds / 1e9);
}
