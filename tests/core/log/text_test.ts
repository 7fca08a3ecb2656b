import assert from "node:assert/strict";
import { CONTINUED, type IndexRecord, JOINED, STDERR } from "../../../src/core/log/record.ts";
import { decodeLines, decodeText } from "../../../src/core/log/text.ts";

const pure = { permissions: "none" } as const;
const encoder = new TextEncoder();

function record(flags = 0): IndexRecord {
  return { line: 10, end: 0, at: 5, flags };
}

function texts(
  content: string | Uint8Array,
  options: { from?: number; limit?: number; flags?: number } = {},
) {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const { from = 10, limit = 100, flags = 0 } = options;
  return decodeLines(bytes, { record: record(flags), from, limit }).map((line) => [line.n, line.text]);
}

Deno.test("decodeText() shows NUL as a symbol and what isn't UTF-8 as U+FFFD", pure, () => {
  assert.equal(decodeText(Uint8Array.of(97, 0, 0xff, 0xc3, 98)), "a\u2400\ufffd\ufffdb");
  assert.equal(decodeText(encoder.encode("\ufeffa")), "\ufeffa");
});

Deno.test("decodeLines() numbers the lines of a chunk and gives a part of them", pure, () => {
  assert.deepEqual(texts("a\n\nc\n"), [[10, "a"], [11, ""], [12, "c"]]);
  assert.deepEqual(texts("a\n\nc\n", { from: 11, limit: 1 }), [[11, ""]]);
  assert.deepEqual(texts("a\n\nc\n", { from: 12 }), [[12, "c"]]);
  assert.deepEqual(texts("a\n\nc\n", { from: 13 }), []);
  assert.deepEqual(texts("a\n\nc\n", { limit: 0 }), []);
});

Deno.test("decodeLines() takes one carriage return before a newline as part of the line end", pure, () => {
  assert.deepEqual(texts("a\r\nb\r\r\n\rc\n"), [[10, "a"], [11, "b\r"], [12, "\rc"]]);
});

Deno.test(
  "decodeLines() keeps the carriage return before a newline that the process did not write",
  pure,
  () => {
    assert.deepEqual(texts("a\r\nb\r\n", { flags: JOINED }), [[10, "a"], [11, "b\r"]]);
    assert.deepEqual(texts("a\r\nb\r"), [[10, "a"], [11, "b\r"]]);
    assert.deepEqual(texts("a\r\nb\r\n", { flags: JOINED, limit: 1 }), [[10, "a"]]);
  },
);

Deno.test("decodeLines() marks the stream, and the first line that goes on from a piece before", pure, () => {
  const lines = decodeLines(encoder.encode("a\nb\n"), {
    record: record(STDERR | CONTINUED),
    from: 10,
    limit: 9,
  });
  assert.deepEqual(lines, [
    { n: 10, at: 5, stream: "stderr", text: "a", continued: true },
    { n: 11, at: 5, stream: "stderr", text: "b", continued: false },
  ]);
});
