import { relativeTime } from "../../core/time_words.ts";
import { refusingOf } from "../../cli/refusal_watch.ts";
import { msOf, troubleOf, wordOfRun } from "../../cli/unit_words.ts";
import { type Item, itemsOf } from "../items.ts";
import { bold, fit, type Row, rowWidth, type Span, span, wrap } from "../rows.ts";
import type { State } from "../state.ts";
import { type Body, heading, mark, plural, tookWords, when } from "./parts.ts";

/** The first view: how all is in a sentence, what needs attention, what runs, what comes. */
export function homeBody(state: State, { cursor }: { cursor: number }, width: number): Body {
  const items = itemsOf(state, { kind: "home", cursor });
  const rows: Row[] = [];
  let places: number[] = [];
  let before: Item["kind"] | undefined;
  for (const item of items) {
    if (item.kind !== before) {
      if (before !== undefined) rows.push([]);
      rows.push(heading(headings[item.kind]));
      before = item.kind;
    }
    places.push(rows.length);
    rows.push(itemRow(item, state, width));
  }
  const notes: Row[] = notesOf(state, width);
  rows.unshift(...notes);
  places = places.map((place) => place + notes.length);
  // What of the sentence does not fit goes on below.
  const [head = span(""), ...rest] = sentence(state);
  const whole: Row = [head, ...rest];
  if (rowWidth(whole) <= width) return bodyWith(whole, { rows, places, cursor });
  const more = wrap(rest.map(({ text }) => text).join("").trim(), width).map((line): Row => [span(line)]);
  const below = more.length + 1;
  return bodyWith([head], {
    rows: [...more, [], ...rows],
    places: places.map((place) => place + below),
    cursor,
  });
}

/** What concerns the daemon as a whole, with an empty row after each. */
function notesOf({ daemon, now }: State, width: number): Row[] {
  const refused = daemon === undefined ? undefined : refusingOf(daemon, now);
  return [
    ...(refused === undefined ? [] : [...wrap(refused, width).map((line): Row => [span(line, "bad")]), []]),
    ...(daemon?.config_stale
      ? [[span('The configuration on disk has changed: "R" puts it into force.', "warn")], []]
      : []),
  ];
}

function bodyWith(
  title: Row,
  { rows, places, cursor }: { rows: Row[]; places: readonly number[]; cursor: number },
): Body {
  const at = places[cursor];
  return { title, rows, items: places, ...(at === undefined ? {} : { at }) };
}

const headings: Record<Item["kind"], string> = {
  attention: "Needs attention",
  run: "Running now",
  next: "Up next",
  notice: "News",
};

/** Whether all is well, and what there is. */
export function sentence(state: State): Row {
  if (state.link === "loading") return [span("Asking the daemon ...", "muted")];
  const { units, running, now } = state;
  const attention = units.filter((unit) => troubleOf(unit) !== undefined).length;
  const tasks = units.filter(({ kind }) => kind === "task").length;
  const up = units.filter(({ service_state }) => service_state === "running").length;
  const services = new Set(units.filter(({ kind }) => kind === "service").map(({ name }) => name));
  const busy = running.filter(({ task_name }) => !services.has(task_name)).length;
  const next = units.filter(({ next_run_at }) => next_run_at !== undefined)
    .toSorted((a, b) => a.next_run_at! < b.next_run_at! ? -1 : 1)[0];
  const well = state.daemon?.refusing === undefined
    ? bold("All well.", "good")
    : bold("Nothing goes on.", "bad");
  const head: Span = attention === 0
    ? well
    : bold(`${attention} need${attention === 1 ? "s" : ""} attention.`, "bad");
  const soon = next === undefined
    ? ""
    : `, next: ${next.name} ${relativeTime(Date.parse(next.next_run_at!), now)}`;
  return [head, span(` ${plural(tasks, "task")}, ${plural(up, "service")} up, ${busy} running${soon}.`)];
}

function itemRow(item: Item, state: State, width: number): Row {
  const nameWidth = Math.max(8, Math.min(28, Math.floor(width * 0.4)));
  const name = (text: string): Span => span(`${fit(text, nameWidth, state.isAscii ? "..." : "…")}  `);
  switch (item.kind) {
    case "attention": {
      const word = troubleOf(item.unit)!;
      const at = msOf(item.unit.last_run?.end_at);
      return [
        span(" "),
        mark(word, state),
        span(" "),
        name(item.unit.name),
        span(`${word.text}  `, word.role),
        span(at === undefined ? "" : when(at, state), "muted"),
      ];
    }
    case "run": {
      const word = wordOfRun(item.run);
      const took = tookWords(item.run, state) ?? "";
      return [span(" "), mark(word, state), span(" "), name(item.run.task_name), span(`for ${took}`)];
    }
    case "next":
      return [
        span("   "),
        name(item.unit.name),
        span(relativeTime(Date.parse(item.unit.next_run_at!), state.now), "muted"),
      ];
    case "notice":
      return [span(item.notice.title)];
  }
}
