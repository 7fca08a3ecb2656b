/// <reference lib="dom" />
import type { VNode } from "preact";
import type { LogLineJson } from "../../src/http/schemas/run.ts";
import { clockTime, wallTime } from "../parts/times.tsx";
import { ansiSpans, type Span } from "./ansi.ts";
import { markRanges, type Ranges } from "./hits.ts";
import { spanStyle } from "./span_style.ts";

interface RowProps {
  line: LogLineJson;
  /** What was searched for, in the line's plain text. */
  marks: Ranges;
  isCurrentHit: boolean;
  isSelected: boolean;
  /** Time is shown, in this zone. */
  zone: string | undefined;
  onNumber: (n: number, event: MouseEvent) => void;
  onRewind: (n: number) => void;
}

/** A line of a log. */
export function LogRow(props: RowProps) {
  const { line, marks, isCurrentHit, isSelected, zone, onNumber, onRewind } = props;
  const { n, stream, text, ts, continued, frame_count: frames = 0 } = line;
  const names = ["log-row"];
  if (stream === "stderr") names.push("log-stderr");
  if (stream === "system") names.push("log-system");
  if (isSelected) names.push("log-selected");
  if (isCurrentHit) names.push("log-current");
  return (
    <div class={names.join(" ")} data-n={n}>
      <a
        class="log-number"
        href={`#L${n + 1}`}
        tabIndex={-1}
        aria-label={`Line ${n + 1}`}
        onMouseDown={(event) => {
          // Else the browser would select the text up to here.
          if (event.shiftKey) event.preventDefault();
        }}
        onClick={(event) => onNumber(n, event)}
      >
        {n + 1}
      </a>
      {zone === undefined ? null : <LineTime at={ts} zone={zone} />}
      {markOf(line)}
      <span class="log-text">
        <Text text={text} marks={marks} />
      </span>
      {frames === 0 ? null : (
        <button
          type="button"
          class="log-rewind"
          title={`${frames} earlier ${frames === 1 ? "state" : "states"} of this line`}
          aria-label={`Earlier states of line ${n + 1}`}
          onClick={() => onRewind(n)}
        >
          ⟲
        </button>
      )}
      {continued ? <span class="log-continued" title="The line goes on from the one above">↳</span> : null}
    </div>
  );
}

/** A line that has not been read yet. `height` in pixels. */
export function EmptyRow({ n, height }: { n: number; height: number }): VNode {
  return (
    <div class="log-row log-awaited" style={{ height: `${height}px` }}>
      <span class="log-number">{n + 1}</span>
      <span class="log-bone" />
    </div>
  );
}

/** What tells where a line comes from, for those who don't see its colour. */
function markOf({ stream }: LogLineJson) {
  if (stream === "stderr") {
    return <span class="log-bar" role="img" aria-label="stderr:" title="stderr" />;
  }
  if (stream === "system") {
    return (
      <span class="log-origin" role="img" aria-label="svc says:" title="From svc, not the process">›</span>
    );
  }
  return null;
}

function LineTime({ at, zone }: { at: number; zone: string }) {
  const ms = String(at % 1000).padStart(3, "0");
  return (
    <time
      class="log-time"
      dateTime={new Date(at).toISOString()}
      onPointerEnter={(event) => event.currentTarget.title = wallTime(at, zone, { exact: true })}
    >
      {clockTime(at, zone)}.{ms}
    </time>
  );
}

/** A text as a terminal would show it, with links, and with what was searched for. */
export function Text({ text, marks = [] }: { text: string; marks?: Ranges }) {
  const spans = ansiSpans(text);
  return (
    <>
      {(marks.length === 0 ? spans : markRanges(spans, marks)).map(piece)}
      {spans.at(-1)?.href === undefined ? null : <span class="log-away" aria-hidden="true">↗</span>}
    </>
  );
}

function piece(span: Span, key: number) {
  const look = spanStyle(span);
  if (span.href !== undefined) {
    const { class: name = "", ...rest } = look;
    return (
      <a
        key={key}
        class={`log-link ${name}`}
        {...rest}
        href={span.href}
        title={span.text === span.href ? undefined : span.href}
        target="_blank"
        rel="noreferrer noopener"
      >
        {span.text}
      </a>
    );
  }
  if (look.class === undefined && look.style === undefined) return span.text;
  return span.isHit
    ? <mark key={key} {...look}>{span.text}</mark>
    : <span key={key} {...look}>{span.text}</span>;
}
