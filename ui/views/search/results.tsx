/// <reference lib="dom" />
import { useMemo, useState } from "preact/hooks";
import type { LogHitJson } from "../../../src/http/schemas/log.ts";
import { addressOf, Link } from "../../app/router.tsx";
import type { Run } from "../../data/runs.ts";
import { plainText } from "../../log/ansi.ts";
import { finderOf, type Ranges } from "../../log/hits.ts";
import { Text } from "../../log/log_row.tsx";
import { grouped } from "../../log/log_words.ts";
import { State, wordOfRun } from "../../parts/mark.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/times.tsx";
import { excerptOf } from "./excerpt.ts";
import { type Asked, type Found, type Group, mostHits } from "./search_data.ts";

/** So many hits of a run are shown at first. */
const few = 8;

interface ResultsProps {
  asked: Asked;
  found: Found;
  groups: readonly Group[];
  runs: ReadonlyMap<string, Run>;
  onMore: () => void;
  onStop: () => void;
}

/** What was found, by run. */
export function Results({ asked, found, groups, runs, onMore, onStop }: ResultsProps) {
  const { text, isRegex, isCaseSensitive } = asked;
  const find = useMemo(() => finderOf({ text, isRegex, isCaseSensitive }), [
    text,
    isRegex,
    isCaseSensitive,
  ]);
  if (text === "") return <Intro />;
  if (found.error !== "" && groups.length === 0) return null;
  const isNothing = groups.length === 0 && !found.isSearching;
  return (
    <>
      <p class="search-summary" role="status">{summaryOf(found, groups.length)}</p>
      {isNothing && found.cursor === undefined
        ? (
          <Empty title="Nothing found">
            <p>
              {asked.task === "" ? "No log that is kept" : `No log of ${asked.task} that is kept`} has{" "}
              <code>{text}</code>
              {isCaseSensitive ? ", upper and lower case told apart" : ""}.
            </p>
          </Empty>
        )
        : null}
      <ol class="search-groups">
        {groups.map((group) => (
          <HitGroup key={group.runId} group={group} run={runs.get(group.runId)} find={find} />
        ))}
      </ol>
      <div class="search-more">
        {found.isSearching
          ? <button type="button" onClick={onStop}>Stop searching</button>
          : <More found={found} onMore={onMore} />}
      </div>
    </>
  );
}

function More({ found, onMore }: { found: Found; onMore: () => void }) {
  if (found.cursor === undefined) return null;
  if (found.hits.length >= mostHits) {
    return <p class="muted">No more than {grouped(mostHits)} lines are shown: search for something rarer.</p>;
  }
  return <button type="button" onClick={onMore}>Search on</button>;
}

/** How far a search has come. */
export function summaryOf({ hits, runs, isSearching, cursor }: Found, groups: number): string {
  const lines = hits.length === 1 ? "1 line" : `${grouped(hits.length)} lines`;
  const inRuns = groups === 1 ? "1 run" : `${groups} runs`;
  const searched = runs === 1 ? "1 run" : `${grouped(runs)} runs`;
  if (isSearching) {
    return hits.length === 0
      ? `Searching … ${runs === 0 ? "" : `${searched} so far`}`.trim()
      : `${lines} in ${inRuns}, searching on …`;
  }
  const isAll = cursor === undefined;
  if (hits.length === 0) return isAll ? `${searched} searched` : `Nothing in the newest ${searched}`;
  return `${lines} in ${inRuns}, ${isAll ? `all of ${searched} searched` : `${searched} searched so far`}`;
}

/** What can be searched, before anything is. */
function Intro() {
  return (
    <Empty title="Every line of every log that is kept">
      <p>Newest runs come first. Colours and other escape sequences in a line don't count.</p>
      <p>
        As a regular expression: <code>timeout|refused</code>, <code>^GET .* 5\d\d</code>
      </p>
    </Empty>
  );
}

interface GroupProps {
  group: Group;
  run: Run | undefined;
  find: (line: string) => Ranges;
}

/** The hits in one run. */
export function HitGroup({ group, run, find }: GroupProps) {
  const [isAll, setAll] = useState(false);
  const { runId, at, hits } = group;
  const shown = isAll ? hits : hits.slice(0, few);
  const rest = hits.length - shown.length;
  return (
    <li class="search-group">
      <h2>
        <Link href={addressOf.run(runId)}>{run?.task_name ?? "run"}</Link>
        {run === undefined ? null : <State word={wordOfRun(run)} />}
        <span class="muted search-when">
          <Time at={at} />
        </span>
        <span class="muted mono search-id">{runId}</span>
      </h2>
      <ol class="search-hits">
        {shown.map((hit) => (
          <li key={hit.n}>
            <Hit hit={hit} find={find} />
          </li>
        ))}
      </ol>
      {rest === 0 ? null : (
        <button type="button" class="link search-rest" onClick={() => setAll(true)}>
          {rest === 1 ? "1 more line" : `${rest} more lines`} of this run
        </button>
      )}
    </li>
  );
}

function Hit({ hit, find }: { hit: LogHitJson; find: (line: string) => Ranges }) {
  const plain = plainText(hit.text);
  const { text, ranges } = excerptOf(plain, find(plain));
  return (
    <div class={hit.stream === "stderr" ? "search-hit search-stderr" : "search-hit"} data-row tabIndex={-1}>
      <Link href={`${addressOf.run(hit.run_id)}#L${hit.n + 1}`} aria-label={`Line ${hit.n + 1}`}>
        {hit.n + 1}
      </Link>
      <span class="search-text" title={hit.stream === "stderr" ? "stderr" : undefined}>
        <Text text={text} marks={ranges} />
      </span>
    </div>
  );
}
