import assert from "node:assert/strict";
import { afterClick, hashOf, hashOfTyped, parseHash } from "../../../ui/log/line_hash.ts";
import { foundWords, LogBar } from "../../../ui/log/log_bar.tsx";
import { EmptyRow, LogRow } from "../../../ui/log/log_row.tsx";
import { droppedWords, emptyWords, newLinesWords } from "../../../ui/log/log_words.ts";
import { markedRows, pathOfRows } from "../../../ui/log/minimap.ts";
import { Frames } from "../../../ui/log/rewind.tsx";
import { textOf } from "../text.ts";
import { runWith } from "./run_with.ts";

const nothing = (): void => {};
const search = {
  query: { text: "", isRegex: false, isCaseSensitive: false },
  hits: 0,
  at: -1,
  isSearching: false,
  isCut: false,
  error: "",
};
const bar = {
  search,
  isFollowing: true,
  isFinal: false,
  isWrapped: true,
  hasTimes: false,
  isFull: false,
  selected: 0,
  download: "/raw",
  onFind: nothing,
  onLines: nothing,
  onStep: nothing,
  onFollow: nothing,
  onWrap: nothing,
  onTimes: nothing,
  onCopy: nothing,
  onFull: nothing,
};

Deno.test("LogBar shows what can be done with a log", () => {
  assert.equal(
    textOf(<LogBar {...bar} />),
    "[Search, or :120 for a line ______][Case matters][Regular expression]\n[Follow][Wrap][Times][Copy][Download][Full screen]",
  );
});

Deno.test("LogBar shows a search, and copies the lines that were chosen", () => {
  const found = { ...search, query: { ...search.query, text: "slow" }, hits: 12, at: 2 };
  assert.equal(
    textOf(<LogBar {...bar} search={found} isFinal selected={3} />),
    "[slow______][Case matters][Regular expression] 3 of 12 [Hit before][Next hit]\n" +
      "[End][Wrap][Times][Copy 3 lines][Download][Full screen]",
  );
});

Deno.test("foundWords() tells how a search stands", () => {
  const query = { ...search.query, text: "x" };
  const words = (rest: Partial<typeof search>): string => foundWords({ ...search, query, ...rest });
  assert.equal(foundWords(search), "");
  assert.equal(words({}), "nothing found");
  assert.equal(words({ isSearching: true }), "searching …");
  assert.equal(words({ isSearching: true, hits: 3 }), "3 lines …");
  assert.equal(words({ hits: 10_000, at: 0, isCut: true }), "1 of 10\u202f000+");
  assert.equal(words({ error: "missing closing )" }), "missing closing )");
});

const row = {
  marks: [],
  isCurrentHit: false,
  isSelected: false,
  zone: undefined,
  onNumber: nothing,
  onRewind: nothing,
};

Deno.test("LogRow shows a line with its number, its origin, and its time where that is wanted", () => {
  const line = { n: 119, ts: Date.UTC(2027, 0, 15, 12, 0, 1, 7), stream: "stdout", text: "a\x1b[31mb" };
  assert.equal(textOf(<LogRow {...row} line={line} />), "[Line 120] a b");
  assert.equal(
    textOf(<LogRow {...row} line={{ ...line, stream: "system" }} zone="Europe/Berlin" />),
    "[Line 120] 13:00:01.007 › a b",
  );
  assert.equal(
    textOf(<LogRow {...row} line={{ ...line, continued: true, frame_count: 4 }} />),
    "[Line 120] a b [Earlier states of line 120] ↳",
  );
  assert.equal(textOf(<EmptyRow n={119} height={18} />), "120");
});

Deno.test("Frames shows one of the earlier frames, and the way to the others", () => {
  assert.equal(
    textOf(<Frames frames={[["10%"], ["20%", "b"]]} at={1} onMove={nothing} />),
    "20%\nb\n[‹ Before][1______][Next ›] 2 of 2",
  );
});

Deno.test("emptyWords() says why there is nothing, and what will come", () => {
  const title = (run: Parameters<typeof runWith>[0]): string => emptyWords(runWith(run)).title;
  assert.equal(title({ status: "pending" }), "It waits for its turn");
  assert.equal(title({ status: "running" }), "No output yet");
  assert.equal(title({ status: "ended", end_reason: "success" }), "No output");
  assert.deepEqual(emptyWords(runWith({ status: "ended", exit_code: -1, end_reason: "queue_full" })), {
    title: "It never ran",
    text: "Its queue is full.",
  });
});

Deno.test("Counts are said in words", () => {
  assert.equal(newLinesWords(1), "1 new line ↓");
  assert.equal(newLinesWords(12_345), "12\u202f345 new lines ↓");
  assert.equal(droppedWords(1000), "1\u202f000 older lines were dropped");
});

Deno.test("An address names lines that count from 1", () => {
  assert.deepEqual(parseHash("#L120"), { from: 119, to: 119 });
  assert.deepEqual(parseHash("#L140-L120"), { from: 119, to: 139 });
  for (const hash of ["", "#", "#L0", "#L", "#L1x", "#Run"]) assert.equal(parseHash(hash), undefined, hash);
  assert.equal(hashOf({ from: 119, to: 139 }), "#L120-L140");
  assert.equal(hashOf({ from: 0, to: 0 }), "#L1");
  assert.deepEqual([":120", ":140-120 ", ":0", ":", "120"].map(hashOfTyped), [
    "#L120",
    "#L120-L140",
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("afterClick() chooses a line, or with shift all lines to it", () => {
  assert.deepEqual(afterClick(undefined, 5, true), { from: 5, to: 5 });
  assert.deepEqual(afterClick({ from: 3, to: 4 }, 9, true), { from: 3, to: 9 });
  assert.deepEqual(afterClick({ from: 3, to: 4 }, 1, true), { from: 1, to: 4 });
  assert.deepEqual(afterClick({ from: 3, to: 4 }, 9, false), { from: 9, to: 9 });
});

Deno.test("The map at the edge draws rows that follow each other as one", () => {
  const rows = markedRows([100, 101, 199, 50, 200], { first: 100, end: 200 }, 10);
  assert.deepEqual([...rows], [0, 9]);
  assert.equal(pathOfRows(new Set([4, 3, 8]), { x: 1, width: 4 }), "M1 3h4v2h-4zM1 8h4v1h-4z");
  assert.equal(markedRows([1], { first: 5, end: 5 }, 10).size, 0);
});
