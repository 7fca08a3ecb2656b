import assert from "node:assert/strict";
import { excerptOf } from "../../../ui/views/search/excerpt.ts";
import { Results, summaryOf } from "../../../ui/views/search/results.tsx";
import { askedBy, SearchForm } from "../../../ui/views/search/search.tsx";
import { after, type Found, groupHits } from "../../../ui/views/search/search_data.ts";
import { now } from "../../../ui/data/clock.ts";
import { runWith } from "../log/run_with.ts";
import { textOf } from "../text.ts";

const nothing = (): void => {};
const asked = { text: "refused", isRegex: false, isCaseSensitive: false, task: "" };
const ts = Date.parse("2027-01-15T12:00:00Z");
const hit = (run_id: string, n: number) => ({ run_id, n, stream: "stdout", text: `${n}: Refused`, ts });
const none: Found = { hits: [], runs: 0, isSearching: false, cursor: undefined, error: "" };

function shown(found: Partial<Found>, rest = {}): string {
  const whole = { ...none, ...found };
  return textOf(
    <Results
      asked={{ ...asked, ...rest }}
      found={whole}
      groups={groupHits(whole.hits)}
      runs={new Map([["A", runWith({ id: "A", end_reason: "success" })]])}
      onMore={nothing}
      onStop={nothing}
    />,
  );
}

Deno.test("askedBy() reads an address", () => {
  assert.deepEqual(askedBy(new URLSearchParams("q=a+b&regex=true&task=web")), {
    text: "a b",
    isRegex: true,
    isCaseSensitive: false,
    task: "web",
  });
});

Deno.test("SearchForm offers the units, also one that is gone", () => {
  assert.equal(
    textOf(<SearchForm asked={{ ...asked, task: "old" }} units={["a", "b"]} error="missing )" />),
    "[refused______] All units old a b [Case matters][Regular expression]\nmissing )",
  );
});

Deno.test("Results shows the hits of each run, and the way on", () => {
  now.value = ts + 60_000;
  const hits = [...Array.from({ length: 10 }, (_, n) => hit("A", n)), hit("B", 4)];
  assert.equal(
    shown({ hits, runs: 2, cursor: "x" }),
    `11 lines in 2 runs, 2 runs searched so far
[backup] ✓ ok 1 m ago A
${Array.from({ length: 8 }, (_, n) => `[Line ${n + 1}] ${n}: Refused`).join("\n")}
[2 more lines of this run]
[run] 1 m ago B
[Line 5] 4: Refused
[Search on]`,
  );
});

Deno.test("Results tells what can be searched, that nothing was found, and that it searches", () => {
  assert.match(shown({}, { text: "" }), /^Every line of every log that is kept\n/);
  assert.equal(
    shown({ runs: 12 }, { task: "web" }),
    "12 runs searched\nNothing found\nNo log of web that is kept has refused .",
  );
  assert.equal(shown({ isSearching: true }), "Searching …\n[Stop searching]");
  assert.equal(shown({ error: "missing )" }), "");
});

Deno.test("summaryOf() tells how far a search has come", () => {
  assert.equal(summaryOf({ ...none, runs: 40, cursor: "x" }, 0), "Nothing in the newest 40 runs");
  assert.equal(summaryOf({ ...none, runs: 40, isSearching: true }, 0), "Searching … 40 runs so far");
  assert.equal(
    summaryOf({ ...none, hits: [hit("A", 1)], runs: 1 }, 1),
    "1 line in 1 run, all of 1 run searched",
  );
});

Deno.test("after() goes on until there is a page of hits, or all is searched", () => {
  const answer = { hits: [hit("A", 1)], exhausted: false, scanned_runs: 3, next_cursor: "x" };
  const one = after({ ...none, isSearching: true }, answer, 2);
  assert.deepEqual([one.isSearching, one.runs, one.cursor], [true, 3, "x"]);
  const two = after(one, answer, 2);
  assert.deepEqual([two.isSearching, two.runs, two.hits.length], [false, 6, 2]);
  assert.deepEqual(after(one, { ...answer, hits: null, exhausted: true }, 2).cursor, undefined);
});

Deno.test("excerptOf() shows the part of a long line around its first hit", () => {
  assert.deepEqual(excerptOf("short", [[0, 5]]), { text: "short", ranges: [[0, 5]] });
  const line = `${"a".repeat(1000)}HIT${"b".repeat(1000)}`;
  const { text, ranges } = excerptOf(line, [[1000, 1003], [1900, 1903]]);
  assert.equal(text.length, 404);
  assert.equal(ranges.length, 1);
  assert.equal(text.slice(...ranges[0]!), "HIT");
  assert.ok(text.startsWith("… a") && text.endsWith("b …"));
});
