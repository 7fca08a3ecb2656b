import assert from "node:assert/strict";
import fc from "fast-check";
import { foldCase, type LogMatcher, matcherOf } from "../../../src/core/log/search_query.ts";
import { formatCursor, parseCursor } from "../../../src/core/log/search_cursor.ts";

function matcher(text: string, own: { regex?: boolean; caseSensitive?: boolean } = {}): LogMatcher {
  const made = matcherOf({ text, regex: false, caseSensitive: false, ...own });
  if ("problem" in made) throw new RangeError(made.problem);
  return made.matcher;
}

Deno.test("matcherOf() takes upper and lower case alike, in all scripts, unless told otherwise", {
  permissions: "none",
}, () => {
  for (
    const [text, line] of [
      ["ERROR", "an error occurred"],
      ["strasse", "Hauptstraße 1"],
      ["οδος", "ΟΔΟΣ"],
      ["ΟΔΟΣ", "οδοσ"],
      ["привет", "ПРИВЕТ"],
      ["k", "5 \u212a"],
    ] as const
  ) {
    assert.ok(matcher(text).matches(line), `${text} in ${line}`);
    assert.ok(!matcher(text, { caseSensitive: true }).matches(line));
    assert.ok(matcher(line, { caseSensitive: true }).matches(`<${line}>`));
  }
  assert.ok(!matcher("error").matches("all is well"));
});

Deno.test(
  "matcherOf() sees a line as a person does, without terminal commands",
  { permissions: "none" },
  () => {
    const line = "\x1b[31mERR\x1b[0m\x1b[1mOR\x1b[0m: disk";
    assert.ok(matcher("error: disk").matches(line));
    assert.ok(matcher("^error", { regex: true }).matches(line));
    assert.ok(!matcher("31m").matches(line));
  },
);

Deno.test(
  "matcherOf() takes the wildcards of other languages as what they are",
  { permissions: "none" },
  () => {
    assert.ok(matcher("100%_*.[x]").matches("at 100%_*.[x] now"));
    assert.ok(!matcher("a%c").matches("abc"));
  },
);

Deno.test("matcherOf() runs regular expressions over the line, and says what is wrong with one", {
  permissions: "none",
}, () => {
  assert.ok(matcher("status=5\\d\\d$", { regex: true }).matches("GET / STATUS=503"));
  assert.ok(!matcher("STATUS=5", { regex: true, caseSensitive: true }).matches("status=503"));
  assert.deepEqual(matcherOf({ text: "a[", regex: true, caseSensitive: false }), {
    problem: "missing closing ]: `[`",
  });
  // It would take other engines longer than the universe has been there.
  assert.ok(!matcher("^(a+)+$", { regex: true }).matches("a".repeat(5000) + "!"));
});

Deno.test("mayMatch() never denies a text of which a line matches", { permissions: "none" }, () => {
  const letter = fc.constantFrom(..."aAßsS k\u212a\x1b[1m");
  const word = fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 4 }), fc.boolean(), (text, lines, caseSensitive) => {
      const made = matcher(text, { caseSensitive });
      const all = lines.join("\n");
      const { length } = new TextEncoder().encode(all);
      if (lines.some((line) => made.matches(line))) assert.ok(made.mayMatch?.(all, length));
    }),
    { seed: 9, numRuns: 500 },
  );
});

Deno.test("foldCase() changes nothing any more when it is applied again", { permissions: "none" }, () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const folded = foldCase(text);
      assert.equal(foldCase(folded), folded);
    }),
    { seed: 4, numRuns: 500 },
  );
});

Deno.test("parseCursor() reads what formatCursor() wrote, and nothing else", { permissions: "none" }, () => {
  const cursor = { createdAt: 1_795_827_095_787, runId: "01M8FT5P6ZC2GA1097XNE8DGGH", line: 123_456 };
  assert.deepEqual(parseCursor(formatCursor(cursor)), cursor);
  for (const text of ["", "a.b", "a.b.c.d", "a.../.c", "A.b.c", "zzzzzzzzzzz.b.c", "a.b.-1"]) {
    assert.equal(parseCursor(text), undefined);
  }
});
