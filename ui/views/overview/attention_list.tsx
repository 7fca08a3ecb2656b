/// <reference lib="dom" />
import type { ComponentChildren } from "preact";
import { doToUnit, rerun } from "../../app/actions.ts";
import { addressOf, Link } from "../../app/router.tsx";
import { Action } from "../../parts/button.tsx";
import { openOnEnter } from "./row_keys.ts";
import { State } from "../../parts/mark.tsx";
import { Time } from "../../parts/times.tsx";
import type { Trouble } from "./attention.ts";

/** More than these are told by their number. */
const most = 12;

interface AttentionListProps {
  troubles: readonly Trouble[];
  onDismiss: (trouble: Trouble) => void;
  /** The last line of output of one. */
  lineOf: (trouble: Trouble) => ComponentChildren;
}

/** What somebody should look at, a row each, with what can be done. */
export function AttentionList({ troubles, onDismiss, lineOf }: AttentionListProps) {
  return (
    <section class="panel overview-attention" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul>
        {troubles.slice(0, most).map((trouble) => (
          <li
            key={trouble.key}
            data-row
            tabIndex={0}
            onKeyDown={openOnEnter(addressOf.unit(trouble.unit.name))}
          >
            <State word={trouble.word} />
            <div class="what">
              <Link href={addressOf.unit(trouble.unit.name)}>{trouble.unit.name}</Link>
              <span class="muted">
                <Time at={trouble.at} />
              </span>
            </div>
            <div class="line">{lineOf(trouble)}</div>
            <div class="acts">
              <TroubleActions trouble={trouble} onDismiss={onDismiss} />
            </div>
          </li>
        ))}
      </ul>
      {troubles.length <= most ? null : (
        <p class="rest">
          <Link href="/units?is=failing">and {troubles.length - most} more</Link>
        </p>
      )}
    </section>
  );
}

function TroubleActions(
  { trouble, onDismiss }: Pick<AttentionListProps, "onDismiss"> & { trouble: Trouble },
) {
  const { unit, run } = trouble;
  const { name } = unit;
  return (
    <>
      {run === undefined
        ? null
        : <Link class="button" href={addressOf.run(run.id)} aria-label={`Log of ${name}`}>Log</Link>}
      {unit.kind === "service"
        ? (
          <Action what={`restart ${name}`} onClick={() => void doToUnit("restart", name)}>
            Restart<span class="hidden">{name}</span>
          </Action>
        )
        : run === undefined || !unit.api_trigger
        ? null
        : (
          <Action what={`rerun ${run.id}`} onClick={() => void rerun(run)}>
            Rerun<span class="hidden">{name}</span>
          </Action>
        )}
      <button type="button" title="Until something new happens to it" onClick={() => onDismiss(trouble)}>
        Dismiss<span class="hidden">{name}</span>
      </button>
    </>
  );
}
