/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { bindKeys } from "../app/keys.ts";
import { pathTo } from "../net/api.ts";
import { outside } from "../net/base.ts";
import { go, place } from "../app/router.tsx";
import { shownZone } from "../data/daemon.ts";
import type { Run } from "../data/runs.ts";
import { logTimes, logWrap } from "../data/settings.ts";
import { Empty, Failed, Skeleton } from "../parts/states.tsx";
import { copyLog } from "./copy.ts";
import { afterClick, hashOf, parseHash } from "./line_hash.ts";
import { LogBar } from "./log_bar.tsx";
import { keysOfLog, scrollByKey } from "./log_keys.ts";
import { LogMap } from "./log_map.tsx";
import { LogRows } from "./log_rows.tsx";
import { Text } from "./log_row.tsx";
import { droppedWords, emptyWords, newLinesWords } from "./log_words.ts";
import { OpenLog } from "./open_log.ts";
import { Rewind } from "./rewind.tsx";
import { useFullScreen } from "./full_screen.ts";

/** The log of a run as it is and as it comes, in a container that gives it a height. */
export function LogView({ run }: { run: Run }) {
  return <Opened key={run.id} run={run} />;
}

function Opened({ run }: { run: Run }) {
  const [, draw] = useState(0);
  const [rewound, rewind] = useState<number>();
  const log = useMemo(() => new OpenLog(run, () => draw((count) => count + 1)), []);
  const root = useRef<HTMLDivElement>(null);
  const full = useFullScreen(root);
  const { source, search, scroller } = log;
  const hash = place.value.hash;
  const isWrapped = logWrap.value === "on";
  const hasTimes = logTimes.value === "on";
  useEffect(() => () => log.close(), []);
  useEffect(() => void source.follow(run.status), [run.status]);
  useEffect(() => log.select(parseHash(hash)), [hash]);
  // What changes the heights of lines: those that were measured are true no more.
  useEffect(() => scroller.forgetHeights(), [isWrapped, hasTimes]);
  const handlers = {
    follow: () => scroller.isFollowing ? scroller.pause() : scroller.toEnd(),
    wrap: () => void (logWrap.value = isWrapped ? "off" : "on"),
    times: () => void (logTimes.value = hasTimes ? "off" : "on"),
    step: (step: 1 | -1) => log.stepHit(step),
    full: full.toggle,
    search: () => root.current?.querySelector<HTMLInputElement>("[data-filter]")?.focus(),
  };
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => bindKeys(keysOfLog(() => latest.current)), []);
  const toHash = (n: number, isShift: boolean): void =>
    go(hashOf(afterClick(log.selected, n, isShift)), { replace: true });
  const selected = log.selected;
  return (
    <div
      class={`log${full.isOverlaid ? " log-full" : ""}`}
      ref={root}
      onKeyDown={(event) => {
        if (event.key === "Escape" && full.isOverlaid) full.toggle();
        // The page's own key takes the first field there is, which may be another one.
        if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        root.current?.querySelector<HTMLInputElement>("[data-filter]")?.select();
      }}
    >
      <LogBar
        search={{ ...search, query: search.query, hits: search.hits.length }}
        isFollowing={scroller.isFollowing}
        isFinal={source.isFinal}
        isWrapped={isWrapped}
        hasTimes={hasTimes}
        isFull={full.isFull}
        selected={selected === undefined ? 0 : selected.to - selected.from + 1}
        download={outside(pathTo("/api/runs/:runId/log/raw", { runId: run.id }))}
        onFind={(query) => log.find(query)}
        onLines={(hash) => go(hash, { replace: true })}
        onStep={handlers.step}
        onFollow={source.isFinal ? () => scroller.toEnd() : handlers.follow}
        onWrap={handlers.wrap}
        onTimes={handlers.times}
        onCopy={() => void copyLog({ runId: run.id, selected, loaded: () => source.loaded() })}
        onFull={handlers.full}
      />
      <div class="log-body">
        <Body
          run={run}
          log={log}
          zone={hasTimes ? shownZone.value : undefined}
          isWrapped={isWrapped}
          onNumber={toHash}
          onRewind={rewind}
        />
      </div>
      {rewound === undefined ? null : <Rewind runId={run.id} n={rewound} onClose={() => rewind(undefined)} />}
    </div>
  );
}

interface BodyProps {
  run: Run;
  log: OpenLog;
  zone: string | undefined;
  isWrapped: boolean;
  onNumber: (n: number, isShift: boolean) => void;
  onRewind: (n: number) => void;
}

function Body(props: BodyProps) {
  const { run, log: { source } } = props;
  if (source.state === "gone") {
    return <Empty title="The log is gone">The run was deleted.</Empty>;
  }
  if (source.state === "failed") {
    return <Failed what="the log" why={source.why} onRetry={() => void source.follow(run.status)} />;
  }
  if (source.state === "loading" && run.status !== "pending") return <Skeleton rows={8} />;
  if (source.end === source.first && source.regions.length === 0) {
    const { title, text } = emptyWords(run);
    return (
      <Empty title={title}>
        <p>{source.first > 0 ? `${droppedWords(source.first)}.` : text}</p>
      </Empty>
    );
  }
  return <Lines {...props} />;
}

/** The lines that are seen, and what is around them. */
function Lines({ log, zone, isWrapped, onNumber, onRewind }: BodyProps) {
  const { source, search, scroller } = log;
  const [box, spacer, block] = [
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLDivElement>(null),
  ];
  useLayoutEffect(
    () => scroller.attach({ box: box.current!, spacer: spacer.current!, block: block.current! }),
    [],
  );
  const { from, to } = log.window();
  useLayoutEffect(() => {
    scroller.drawn({ from });
    log.drawn(block.current);
  });
  const newLines = log.newLines();
  const digits = Math.max(3, String(source.end).length);
  return (
    <>
      {source.first > 0 ? <p class="log-dropped">{droppedWords(source.first)}</p> : null}
      <div class="log-view">
        <div
          class={`log-scroll ${isWrapped ? "log-wrapped" : "log-straight"}`}
          ref={box}
          tabIndex={0}
          role="region"
          aria-label="Lines of the log"
          style={{ "--log-digits": digits }}
          onKeyDown={(event) => scrollByKey(event, scroller)}
        >
          <div class="log-spacer" ref={spacer} />
          <div class="log-block" ref={block}>
            <LogRows log={log} from={from} to={to} zone={zone} onNumber={onNumber} onRewind={onRewind} />
          </div>
        </div>
        <LogMap
          first={source.first}
          end={source.end}
          seen={scroller.seen()}
          errors={source.errors}
          hits={search.hits}
          onJump={(n) => scroller.toLine(n)}
        />
        {newLines > 0
          ? (
            <button type="button" class="log-new primary" onClick={() => scroller.toEnd()}>
              {newLinesWords(newLines)}
            </button>
          )
          : null}
      </div>
      <Regions regions={source.regions} isWrapped={isWrapped} />
    </>
  );
}

/** What the process is redrawing at this moment. */
function Regions({ regions, isWrapped }: {
  regions: OpenLog["source"]["regions"];
  isWrapped: boolean;
}) {
  const rows = regions.flatMap(({ stream, rows }) => rows.map((text) => ({ stream, text })));
  if (rows.length === 0) return null;
  return (
    <div
      class={`log-region ${isWrapped ? "log-wrapped" : "log-straight"}`}
      role="group"
      aria-label="Being redrawn"
      tabIndex={0}
    >
      {rows.map(({ stream, text }, i) => (
        <div class={stream === "stderr" ? "log-row log-stderr" : "log-row"} key={i}>
          <span class="log-live" title="Being redrawn by the process" aria-hidden="true">◐</span>
          {stream === "stderr"
            ? <span class="log-bar" role="img" aria-label="stderr:" title="stderr" />
            : null}
          <span class="log-text">
            <Text text={text} />
          </span>
        </div>
      ))}
    </div>
  );
}
