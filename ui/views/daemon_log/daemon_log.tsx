/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { place, setQuery } from "../../app/router.tsx";
import { Heading } from "../../parts/heading.tsx";
import { shownZone } from "../../data/daemon.ts";
import { followStream } from "../../log/follow_stream.ts";
import { pathTo } from "../../net/api.ts";
import { Empty, Failed, Skeleton } from "../../parts/states.tsx";
import { clockTime, wallTime } from "../../parts/times.tsx";
import { type DaemonLine, filterLines, type Level, levels, withLines } from "./daemon_line.ts";

/** What the daemon says of itself, as it says it. */
export default function DaemonLogPage() {
  const { lines, refused } = useDaemonLog();
  const { query } = place.value;
  const least = levels.find((level) => level === query.get("level")) ?? "trace";
  const text = query.get("q") ?? "";
  const [isFollowing, setFollowing] = useState(true);
  const shown = useMemo(() => filterLines(lines ?? [], { least, text }), [lines, least, text]);
  return (
    <div class="daemonlog-view">
      <Heading title="Daemon log">
        <LogFilter least={least} text={text} />
        <span class="fill" />
        <button
          type="button"
          aria-pressed={isFollowing}
          title="Keep the newest line in view"
          onClick={() => setFollowing(!isFollowing)}
        >
          Follow
        </button>
      </Heading>
      {refused !== undefined
        ? <Failed what="the daemon's log" why={`The daemon answered ${refused}.`} />
        : lines === undefined
        ? <Skeleton rows={10} />
        : (
          <Lines
            lines={shown}
            total={lines.length}
            zone={shownZone.value}
            isFollowing={isFollowing}
            onFollow={setFollowing}
          />
        )}
    </div>
  );
}

/** The newest lines, and those that come. */
function useDaemonLog(): { lines: readonly DaemonLine[] | undefined; refused: number | undefined } {
  const [lines, setLines] = useState<readonly DaemonLine[]>();
  const [refused, setRefused] = useState<number>();
  useEffect(() => {
    const closed = new AbortController();
    let waiting: string[] = [];
    let isAgain = false;
    let opened = 0;
    let frame: number | undefined;
    followStream(pathTo("/api/daemon/log/stream"), {
      signal: closed.signal,
      lastId: () => undefined,
      onOpen: (isOpen) => {
        if (isOpen && ++opened > 1) isAgain = true;
      },
      take: (events) => {
        for (const { name, data } of events) if (name === "line") waiting.push(JSON.parse(data).line);
        // A tab that isn't seen draws nothing, and keeps no more than it would show.
        waiting = waiting.slice(-2000);
        frame ??= requestAnimationFrame(() => {
          const came = waiting;
          const mayBeKnown = isAgain;
          waiting = [];
          frame = undefined;
          setLines((before) => withLines(before ?? [], came, { isAgain: mayBeKnown }));
        });
        return undefined;
      },
    }).then(setRefused);
    return () => {
      closed.abort();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, []);
  return { lines, refused };
}

/** Which lines are shown; it is kept in the address. */
export function LogFilter({ least, text }: { least: Level; text: string }) {
  return (
    <>
      <div class="chips" role="group" aria-label="From which level on">
        {levels.map((level, i) => (
          <button
            type="button"
            key={level}
            aria-pressed={level === least}
            onClick={() => setQuery({ level: i === 0 ? undefined : level })}
          >
            {i === 0 ? "all" : level === "error" ? "errors" : `${level} and up`}
          </button>
        ))}
      </div>
      <input
        type="text"
        data-filter
        class="daemonlog-filter"
        aria-label="Filter lines"
        placeholder="Filter lines"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => setQuery({ q: event.currentTarget.value })}
      />
    </>
  );
}

interface LinesProps {
  lines: readonly DaemonLine[];
  /** How many there are without the filter. */
  total: number;
  zone: string;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
}

/** The lines, the newest at the bottom. */
export function Lines({ lines, total, zone, isFollowing, onFollow }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || !isFollowing) return;
    current.scrollTop = current.scrollHeight;
    top.current = current.scrollTop;
  }, [lines, isFollowing]);
  if (lines.length === 0) {
    return total === 0
      ? <Empty title="Nothing was logged yet" />
      : <Empty title="No line fits the filter">{total} lines are hidden.</Empty>;
  }
  return (
    <div
      class="daemonlog-lines"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label="Lines of the daemon's log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        const isUp = scrollTop < top.current;
        top.current = scrollTop;
        const isAtEnd = scrollHeight - clientHeight - scrollTop < 4;
        if (isUp && !isAtEnd && isFollowing) onFollow(false);
        else if (!isUp && isAtEnd && !isFollowing) onFollow(true);
      }}
    >
      {rowsOf(lines, zone)}
    </div>
  );
}

const rows = new WeakMap<DaemonLine, { zone: string; row: ReturnType<typeof rowOf> }>();

/** Rows of lines; one that was drawn is the same node, which costs nothing to draw again. */
function rowsOf(lines: readonly DaemonLine[], zone: string) {
  return lines.map((line) => {
    const known = rows.get(line);
    if (known?.zone === zone) return known.row;
    const row = rowOf(line, zone);
    rows.set(line, { zone, row });
    return row;
  });
}

const marks: Readonly<Record<Level, string>> = {
  trace: "muted",
  debug: "muted",
  info: "muted",
  warn: "warn",
  error: "bad",
};

function rowOf({ id, at, level, message, values }: DaemonLine, zone: string) {
  return (
    <div class={`daemonlog-row daemonlog-${level}`} key={id}>
      {at === undefined
        ? null
        : (
          <time dateTime={new Date(at).toISOString()} title={wallTime(at, zone, { exact: true })}>
            {clockTime(at, zone)}
          </time>
        )}
      <b class={marks[level]}>{level}</b>
      <span>
        {message} <span class="muted">{values}</span>
      </span>
    </div>
  );
}
