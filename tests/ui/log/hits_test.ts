import assert from "node:assert/strict";
import fc from "fast-check";
import { ansiSpans, plainText } from "../../../ui/log/ansi.ts";
import { finderOf, indexFrom, markRanges, testerOf } from "../../../ui/log/hits.ts";

const query = (text: string, rest = {}) => ({ text, isRegex: false, isCaseSensitive: false, ...rest });

Deno.test("finderOf() finds all places of a text, letter case aside unless it matters", () => {
  assert.deepEqual(finderOf(query("a.b"))("A.b aXb a.B"), [[0, 3], [8, 11]]);
  assert.deepEqual(finderOf(query("ä", { isCaseSensitive: true }))("Ää"), [[1, 2]]);
  assert.deepEqual(finderOf(query("straße"))("STRAßE"), [[0, 6]]);
});

Deno.test("finderOf() marks the whole line where the browser can't tell, or might take for ever", () => {
  for (const text of ["(?i)a", "(a+)+$", "(a|b)*c", "a*b*c*d", "("]) {
    assert.deepEqual(finderOf(query(text, { isRegex: true }))("aab"), [[0, 3]], text);
  }
  assert.deepEqual(finderOf(query("[ab]+", { isRegex: true }))("xaab"), [[1, 4]]);
  assert.equal(testerOf(query("(a+)+$", { isRegex: true })), undefined);
  assert.equal(testerOf(query("b$", { isRegex: true }))?.("ab"), true);
});

Deno.test("markRanges() marks what is found, across pieces of different looks", () => {
  const spans = ansiSpans("co\x1b[31mnnec\x1b[0mtion");
  assert.deepEqual(markRanges(spans, [[1, 7], [9, 10]]), [
    { text: "c" },
    { text: "o", isHit: true },
    { text: "nnec", fg: 1, isHit: true },
    { text: "t", isHit: true },
    { text: "io" },
    { text: "n", isHit: true },
  ]);
});

Deno.test("markRanges() loses no character", () => {
  fc.assert(fc.property(fc.string(), fc.string({ minLength: 1, maxLength: 2 }), (line, text) => {
    const ranges = finderOf(query(text))(plainText(line));
    const marked = markRanges(ansiSpans(line), ranges);
    assert.equal(marked.map((span) => span.text).join(""), plainText(line));
    const length = marked.filter(({ isHit }) => isHit).reduce((sum, span) => sum + span.text.length, 0);
    assert.equal(length, ranges.reduce((sum, [from, to]) => sum + to - from, 0));
  }));
});

Deno.test("indexFrom() finds the first that is not below", () => {
  assert.deepEqual([0, 2, 3, 9, 10].map((n) => indexFrom([2, 4, 9], n)), [0, 0, 1, 2, 3]);
});
