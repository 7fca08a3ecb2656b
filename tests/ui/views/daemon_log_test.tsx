import assert from "node:assert/strict";
import {
  type DaemonLine,
  filterLines,
  mostLines,
  parseLine,
  withLines,
} from "../../../ui/views/daemon_log/daemon_line.ts";
import { Lines, LogFilter } from "../../../ui/views/daemon_log/daemon_log.tsx";
import { textOf } from "../text.ts";

const at = Date.parse("2026-11-28T05:55:32.146Z");
const texts = [
  "2026-11-28T05:55:32.146Z info  ready url=http://127.0.0.1:8420 units=7",
  '{"time":"2026-11-28T05:55:32.146Z","level":"warn","message":"slow disk","ms":42,"why":"a b"}',
  "no time at all",
];

Deno.test("parseLine() takes lines of text and of JSON apart, and keeps all others", () => {
  assert.deepEqual(texts.map((text) => ({ ...parseLine(text, 1), raw: "" })), [
    { id: 1, raw: "", at, level: "info", message: "ready", values: "url=http://127.0.0.1:8420 units=7" },
    { id: 1, raw: "", at, level: "warn", message: "slow disk", values: 'ms=42 why="a b"' },
    { id: 1, raw: "", level: "info", message: "no time at all", values: "" },
  ]);
  assert.equal(parseLine("{broken", 1).message, "{broken");
});

Deno.test("filterLines() shows lines from a level on that have a text", () => {
  const lines = withLines([], texts, { isAgain: false });
  const found = (filter: Parameters<typeof filterLines>[1]): number[] =>
    filterLines(lines, filter).map(({ id }) => id);
  assert.deepEqual(found({ least: "debug", text: "" }), [1, 2, 3]);
  assert.deepEqual(found({ least: "warn", text: "" }), [2]);
  const trace = parseLine("2027-01-15T12:00:00.000Z trace step of a run after=ended", 9);
  assert.deepEqual([trace.level, trace.message, trace.values], ["trace", "step of a run", "after=ended"]);
  assert.deepEqual(filterLines([trace], { least: "debug", text: "" }), []);
  assert.deepEqual(found({ least: "debug", text: "READY" }), [1]);
});

Deno.test("withLines() keeps a bounded number, and takes no line twice when a stream begins anew", () => {
  const lines = withLines([], Array.from({ length: 2500 }, (_, n) => `line ${n}`), { isAgain: false });
  assert.equal(lines.length, mostLines);
  assert.equal(withLines(lines, ["line 2498", "line 2499"], { isAgain: true }), lines);
  assert.deepEqual(withLines(lines, ["line 2499", "new"], { isAgain: true }).at(-1)?.raw, "new");
});

Deno.test("The daemon's log shows times on the wall clock of the zone, levels and values", () => {
  const view = (lines: readonly DaemonLine[]): string =>
    textOf(<Lines lines={lines} total={3} zone="Europe/Berlin" isFollowing onFollow={() => {}} />);
  assert.equal(
    view(withLines([], texts, { isAgain: false })),
    `06:55:32 info ready url=http://127.0.0.1:8420 units=7
06:55:32 warn slow disk ms=42 why="a b"
info no time at all`,
  );
  assert.equal(view([]), "No line fits the filter\n3 lines are hidden.");
  assert.equal(
    textOf(<LogFilter least="warn" text="x" />),
    "[all][debug and up][info and up][warn and up][errors]\n[x______]",
  );
});
