import { addressOf, Link } from "../../app/router.tsx";
import { now } from "../../data/clock.ts";
import { shownZone } from "../../data/daemon.ts";
import type { Unit } from "../../data/units.ts";
import { wallTime } from "../../parts/times.tsx";
import { nextUnits, untilWords } from "./sentence.ts";

/** The units that run next, the soonest first, in words. */
export function UpNext({ units }: { units: readonly Unit[] }) {
  const next = nextUnits(units, 10);
  if (next.length === 0) return <p class="body muted">Nothing is scheduled.</p>;
  return (
    <ul class="overview-next">
      {next.map(({ name, next_run_at }) => (
        <li key={name}>
          <Link href={addressOf.unit(name)}>{name}</Link>
          <Until at={Date.parse(next_run_at!)} />
        </li>
      ))}
    </ul>
  );
}

function Until({ at }: { at: number }) {
  return (
    <time
      class="muted number"
      dateTime={new Date(at).toISOString()}
      title={wallTime(at, shownZone.value, { exact: true })}
    >
      {untilWords(at - now.value)}
    </time>
  );
}
