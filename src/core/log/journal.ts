import type { IntakeState } from "./intake.ts";
import type { LogPolicy } from "./limits.ts";
import type { SpoolPosition, SpoolPositions } from "../spool_position.ts";
import type { OutputStream } from "./recent_lines.ts";

/**
 * What a run's output becomes lines by, in order. `position`: where what comes behind a chunk is to be had; `rest`: as many bytes as could be taken of what was left of a chunk;
 * `idle`: somebody wanted to read; `system`: the daemon's own words, masked. Times are Unix ms.
 */
export type JournalEntry =
  | { kind: OutputStream; bytes: Uint8Array; at: number; position?: SpoolPosition | undefined }
  | { kind: "rest"; stream: OutputStream; at: number }
  | { kind: "tick"; at: number }
  | { kind: "idle" }
  | { kind: "system"; text: string; at: number };

/** What the entries of a journal go on from; all lines before are on the disk. */
export interface JournalBase extends LogPolicy {
  /** When it was made, Unix ms. */
  at: number;
  /** Number of the next line. */
  next: number;
  /** Time of the last line, Unix ms. */
  storedAt: number;
  /** The log has reached its size. */
  isFull: boolean;
  /** Tells the secrets that are masked from others (`maskMark`); "": none are. */
  mask: string;
  /** When the next tick was to be, Unix ms. */
  tickAt?: number;
  intake: IntakeState;
  /** What was not taken yet of the chunks that came last, as base64. */
  rest: Partial<Record<OutputStream, string>>;
  /** Where what comes behind all that was read is to be had. */
  spooled?: SpoolPositions;
}

/** A journal as it was left. */
export interface Journal {
  base: JournalBase;
  entries: JournalEntry[];
  /** Bytes of output in it, about: those of the chunks, and what was held before them. */
  outputBytes: number;
}

/** A base of at most this many bytes, header included, is written in one step that the death of a process can't split. */
export const FRONT = 4096;
/** A larger file is none of ours. */
export const MOST_JOURNAL = 64 * 1024 * 1024;
/** How often a journal is tried before it is taken for what the daemon died of. */
export const MOST_TRIES = 3;
/** Bytes of an entry before its own; of one with a position, these follow them. */
const RECORD = 20;
const PLACE = 12;
/** Where the count of tries stands. */
export const TRIES_AT = 8;

const MAGIC = [0x73, 0x76, 0x63, 0x6a, 0x72, 0x6e, 0x01, 0x0a]; // "svcjrn", version 1, newline
const HEADER = 24;
const MARK = 0xa7;

const TRAILER = 4;
const KINDS = [
  "stdout",
  "stderr",
  "rest stdout",
  "rest stderr",
  "tick",
  "idle",
  "system",
  "placed stdout",
  "placed stderr",
] as const;
const NONE = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The front of a journal: entries follow it that have the same generation, which is another one for each front. */
export function encodeFront(base: JournalBase, generation: number): Uint8Array {
  const text = encoder.encode(JSON.stringify(base));
  const bytes = new Uint8Array(Math.max(FRONT, HEADER + text.length));
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(12, generation);
  view.setUint32(16, text.length);
  view.setUint32(20, checkOf(text, generation));
  bytes.set(text, HEADER);
  return bytes;
}

/** How many bytes an entry takes. */
export function sizeOfEntry(entry: JournalEntry): number {
  return headOf(entry) + payloadSize(entry) + TRAILER;
}

/** How many bytes stand before those of a chunk. */
export function headOf(entry: JournalEntry): number {
  return isPlaced(entry) ? RECORD + PLACE : RECORD;
}

/** Writes an entry to the beginning of a buffer that is large enough. */
export function encodeEntry(entry: JournalEntry, generation: number, buffer: Uint8Array): void {
  const payload = payloadOf(entry);
  encodeHeader(entry, { generation, length: payload.length }, buffer);
  buffer.set(payload, headOf(entry));
  encodeTrailer(generation, buffer, headOf(entry) + payload.length);
}

/** Writes what stands before the bytes of a chunk (`headOf`), and right behind it what stands behind them. */
export function encodeAround(
  entry: JournalEntry & { bytes: Uint8Array },
  generation: number,
  buffer: Uint8Array,
): void {
  encodeHeader(entry, { generation, length: entry.bytes.length }, buffer);
  encodeTrailer(generation, buffer, headOf(entry));
}

function encodeHeader(
  entry: JournalEntry,
  { generation, length }: { generation: number; length: number },
  buffer: Uint8Array,
): void {
  const view = new DataView(buffer.buffer, buffer.byteOffset, headOf(entry));
  view.setUint8(0, MARK);
  view.setUint8(1, KINDS.indexOf(kindOf(entry)));
  view.setUint16(2, 0);
  view.setUint32(4, generation);
  view.setUint32(8, length);
  view.setFloat64(12, entry.kind === "idle" ? 0 : entry.at);
  if (!isPlaced(entry)) return;
  view.setUint32(RECORD, entry.position.file);
  view.setFloat64(RECORD + 4, entry.position.offset);
}

function kindOf(entry: JournalEntry): typeof KINDS[number] {
  if (isPlaced(entry)) return `placed ${entry.kind}`;
  return entry.kind === "rest" ? `rest ${entry.stream}` : entry.kind;
}

function isPlaced(
  entry: JournalEntry,
): entry is JournalEntry & { kind: OutputStream; position: SpoolPosition } {
  return "position" in entry && entry.position !== undefined;
}

/** What stood here before is of another generation: where this is missing, the entry is torn. */
function encodeTrailer(generation: number, buffer: Uint8Array, at: number): void {
  new DataView(buffer.buffer, buffer.byteOffset + at, TRAILER).setUint32(0, ~generation >>> 0);
}

/** What a journal holds, without a torn end; why it can't be told, for one that is foreign or damaged. */
export function decodeJournal(bytes: Uint8Array): Journal | string {
  if (bytes.length < FRONT || MAGIC.some((byte, i) => bytes[i] !== byte)) return "its file is no journal";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const generation = view.getUint32(12);
  const length = view.getUint32(16);
  const text = bytes.subarray(HEADER, HEADER + length);
  if (text.length < length || view.getUint32(20) !== checkOf(text, generation)) {
    return "the journal is damaged";
  }
  if (bytes[TRIES_AT]! >= MOST_TRIES) return `daemons have died ${MOST_TRIES} times of reading the journal`;
  const base = parseBase(decoder.decode(text));
  if (base === undefined) return "the journal can't be read";
  const entries: JournalEntry[] = [];
  let outputBytes = heldIn(base);
  for (let at = Math.max(FRONT, HEADER + length);;) {
    const entry = entryAt(view, at, generation);
    if (entry === undefined) break;
    entries.push(entry);
    at += sizeOfEntry(entry);
    if ("bytes" in entry) outputBytes += entry.bytes.length;
  }
  return { base, entries, outputBytes };
}

/** About how many bytes of output a base holds. */
function heldIn({ rest, intake: { outputs, mask } }: JournalBase): number {
  const { recent, stdout, stderr } = outputs;
  const texts = [...Object.values(rest), ...recent.held.map(({ bytes }) => bytes)];
  let cells = 0;
  for (const { tail, terminal } of [stdout, stderr]) {
    texts.push(tail.kept, terminal.held);
    for (const { raw = "", cells: { length } } of terminal.live?.region.rows ?? []) {
      texts.push(raw);
      cells += length;
    }
  }
  for (const { held, between } of mask === undefined ? [] : [mask.stdout, mask.stderr]) {
    texts.push(held, between);
  }
  return texts.reduce((sum, base64) => sum + Math.floor(base64.replace(/=+$/, "").length * 3 / 4), cells);
}

/** The entry at a place; undefined where there is none, or not as a whole. */
function entryAt(view: DataView, at: number, generation: number): JournalEntry | undefined {
  if (at + RECORD + TRAILER > view.byteLength) return undefined;
  if (view.getUint8(at) !== MARK || view.getUint32(at + 4) !== generation) return undefined;
  const length = view.getUint32(at + 8);
  const kind = KINDS[view.getUint8(at + 1)];
  const head = kind === "placed stdout" || kind === "placed stderr" ? RECORD + PLACE : RECORD;
  const end = at + head + length;
  if (end + TRAILER > view.byteLength || view.getUint32(end) !== ~generation >>> 0) return undefined;
  const payload = new Uint8Array(view.buffer, view.byteOffset + at + head, length);
  const time = view.getFloat64(at + 12);
  switch (kind) {
    case "stdout":
    case "stderr":
      return { kind, bytes: payload, at: time };
    case "placed stdout":
    case "placed stderr": {
      const position = { file: view.getUint32(at + RECORD), offset: view.getFloat64(at + RECORD + 4) };
      return { kind: kind === "placed stdout" ? "stdout" : "stderr", bytes: payload, at: time, position };
    }
    case "rest stdout":
    case "rest stderr":
      return { kind: "rest", stream: kind === "rest stdout" ? "stdout" : "stderr", at: time };
    case "tick":
      return { kind, at: time };
    case "idle":
      return { kind };
    case "system":
      return { kind, text: decoder.decode(payload), at: time };
    default:
      return undefined;
  }
}

function payloadOf(entry: JournalEntry): Uint8Array {
  if ("bytes" in entry) return entry.bytes;
  return entry.kind === "system" ? encoder.encode(entry.text) : NONE;
}

function payloadSize(entry: JournalEntry): number {
  return payloadOf(entry).length;
}

function parseBase(text: string): JournalBase | undefined {
  try {
    const base: unknown = JSON.parse(text);
    return isBase(base) ? base : undefined;
  } catch {
    return undefined;
  }
}

/** Where what comes behind all that a journal holds is to be had. */
export function positionsIn({ base, entries }: Journal): SpoolPositions {
  const found: SpoolPositions = { ...base.spooled };
  for (const entry of entries) if (isPlaced(entry)) found[entry.kind] = entry.position;
  return found;
}

/** What is inside was written by us and is whole, as its check says. */
function isBase(value: unknown): value is JournalBase {
  return typeof value === "object" && value !== null && "next" in value && "intake" in value &&
    "rest" in value && typeof value.next === "number";
}

function checkOf(bytes: Uint8Array, generation: number): number {
  let sum = generation ^ 0x5a5a5a5a;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}
