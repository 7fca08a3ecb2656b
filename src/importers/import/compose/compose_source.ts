import { type Event, EVENT_ID, getScalarValue, parseEvents, type ScalarEvent } from "js-yaml";
import { parseYaml } from "../../../core/yaml.ts";
import { sizesOf } from "./expanded_size.ts";
import { variablesIn } from "./interpolate.ts";
import { faultsOf } from "./yaml_faults.ts";

/** A compose file as a value, and where its parts stand. */
export interface ComposeSource {
  value: unknown;
  /** The line (from 1) of what stands at a path of keys and numbers of items; 0 where it stands nowhere. */
  lineOf: (...path: string[]) => number;
  /** Tags that plain YAML does not have, and what they stand before. */
  tags: { tag: string; path: string[]; line: number }[];
  /** Variables that have no value unless somebody gives one, by the line that first names them. */
  needed: Map<string, number>;
}

/** Reads a compose file as svc's own loader does, with lines; the faults of broken YAML come with theirs. */
export function readComposeSource(source: string): ComposeSource | { line: number; fault: string } {
  // YAML calls this no document, people an empty file.
  const isEmpty = !/^[^\S\n]*[^\s#]/m.test(source);
  const parsed = isEmpty ? { value: null, text: source } : parseYaml(source);
  if ("fault" in parsed) return faultsOf(source);
  const { text } = parsed;
  const events = isEmpty ? [] : parseEvents(text, {});
  const { own, expanded } = sizesOf(events, text);
  if (expanded > MOST_VALUES && expanded > 10 * own) {
    return {
      line: 0,
      fault: `its aliases make more than ${MOST_VALUES} values of ${own}, which docker compose refuses`,
    };
  }
  const lines = createLines(text);
  const known = new Map<string, number>();
  const tags: ComposeSource["tags"] = [];
  const needed = new Map<string, number>();
  walk(events, {
    text,
    visit: ({ event, path, isKey, at }) => {
      const line = lines(at);
      if (isKey) {
        // What names a thing is where it stands, not what the name is followed by.
        if (!known.has(keyOf(path))) known.set(keyOf(path), line);
        return;
      }
      if (!known.has(keyOf(path))) known.set(keyOf(path), line);
      if (event.type === EVENT_ID.ALIAS) return;
      const tag = event.tagStart < 0 ? "" : text.slice(event.tagStart, event.tagEnd);
      if (tag !== "" && tag !== "!" && !tag.startsWith("!!") && !tag.startsWith("!<tag:yaml.org")) {
        tags.push({ tag, path, line });
      }
      if (event.type !== EVENT_ID.SCALAR) return;
      for (const name of variablesIn(getScalarValue(text, event))) {
        if (!needed.has(name)) needed.set(name, line);
      }
    },
  });
  return { value: parsed.value, lineOf: (...path) => known.get(keyOf(path)) ?? 0, tags, needed };
}

/** More is no configuration, but an attempt to fill the memory of who reads it. */
const MOST_VALUES = 1_000_000;

type NodeEvent = Extract<Event, { start: number }> | ScalarEvent | Extract<Event, { type: 5 }>;

interface Visited {
  event: NodeEvent;
  path: string[];
  isKey: boolean;
  /** Offset in the text. */
  at: number;
}

/** The nodes of a flat stream of events with the path of keys that leads to each. */
function walk(
  events: readonly Event[],
  { text, visit }: { text: string; visit: (visited: Visited) => void },
): void {
  const frames: { kind: "map" | "list" | "document"; expectsKey: boolean; key: string; items: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      frames.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      frames.push({ kind: "document", expectsKey: false, key: "", items: 0 });
      continue;
    }
    const frame = frames.at(-1);
    const isKey = frame?.kind === "map" && frame.expectsKey;
    if (frame?.kind === "list") frame.key = String(frame.items++);
    if (frame !== undefined && isKey) {
      frame.key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : "";
    }
    if (frame?.kind === "map") frame.expectsKey = !isKey;
    const path = frames.flatMap(({ kind, key }) => kind === "document" ? [] : [key]);
    visit({ event, path, isKey, at: offsetOf(event) });
    const kind = event.type === EVENT_ID.MAPPING ? "map" : "list";
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      frames.push({ kind, expectsKey: kind === "map", key: "", items: 0 });
    }
  }
}

function offsetOf(event: NodeEvent): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  const tag = event.tagStart;
  const own = event.type === EVENT_ID.SCALAR ? event.valueStart : event.start;
  return tag < 0 ? own : Math.min(tag, own);
}

function keyOf(path: readonly string[]): string {
  return path.join("\0");
}

/** The line (from 1) of an offset. */
function createLines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
