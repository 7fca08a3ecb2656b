import assert from "node:assert/strict";
import fc from "fast-check";
import { LineFramer, MAX_LINE, MAX_SPAN, type Span } from "../../../src/core/log/framer.ts";

const pure = { permissions: "none" } as const;
const encoder = new TextEncoder();

interface Piece {
  text: string;
  continued: boolean;
  joined: boolean;
}

/** Frames the chunks and takes the spans apart into lines, as latin-1 text. */
function frame(chunks: Uint8Array[], limits = { line: MAX_LINE, span: MAX_SPAN }): Piece[] {
  const framer = new LineFramer(limits);
  const pieces: Piece[] = [];
  const take = (span: Span): void => {
    const bytes = [...span.head, ...span.body];
    if (span.lines > 1) assert.ok(bytes.length <= limits.span, `a span of ${bytes.length} bytes`);
    const texts = bytes.map((b) => String.fromCharCode(b)).join("").split("\n");
    if (!span.joined) assert.equal(texts.pop(), "", "a span ends with its newline");
    assert.equal(texts.length, span.lines);
    texts.forEach((text, i) => {
      assert.ok(text.length <= limits.line, `a line of ${text.length} bytes`);
      pieces.push({
        text,
        continued: i === 0 && span.continued,
        joined: i === texts.length - 1 && span.joined,
      });
    });
  };
  for (const chunk of chunks) framer.push(chunk, take);
  framer.end(take);
  assert.equal(framer.partial.length, 0);
  return pieces;
}

Deno.test("LineFramer keeps lines and bytes whatever the chunks and limits", pure, () => {
  const chunk = fc.array(fc.oneof(fc.constant(10), fc.integer({ min: 97, max: 99 })), { maxLength: 60 })
    .map((bytes) => Uint8Array.from(bytes));
  const limits = fc.record({ line: fc.integer({ min: 1, max: 30 }), span: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), limits, (chunks, limits) => {
      const all = chunks.map((bytes) => String.fromCharCode(...bytes)).join("");
      const expected: Piece[] = [];
      const lines = all.split("\n");
      lines.forEach((line, i) => {
        const isLast = i === lines.length - 1;
        if (isLast && line === "") return;
        const count = Math.max(1, Math.ceil(line.length / limits.line));
        for (let k = 0; k < count; k++) {
          const text = line.slice(k * limits.line, (k + 1) * limits.line);
          expected.push({ text, continued: k > 0, joined: k < count - 1 || isLast });
        }
      });
      assert.deepEqual(frame(chunks, limits), expected);
    }),
    { seed: 2, numRuns: 800 },
  );
});

Deno.test("LineFramer takes a line of exactly 64 KiB as one, and splits a longer one", pure, () => {
  const whole = new Uint8Array(MAX_LINE + 1).fill(120);
  whole[MAX_LINE] = 10;
  assert.deepEqual(frame([whole]).map(({ text, joined }) => [text.length, joined]), [[MAX_LINE, false]]);
  const longer = new Uint8Array(MAX_LINE + 2).fill(120);
  longer[MAX_LINE + 1] = 10;
  assert.deepEqual(
    frame([longer]).map(({ text, continued, joined }) => [text.length, continued, joined]),
    [[MAX_LINE, false, true], [1, true, false]],
  );
});

Deno.test("LineFramer cuts long lines between characters, at any chunk border", pure, () => {
  const bytes = encoder.encode("ab" + "é€😀".repeat(9) + "\n");
  const limits = { line: 11, span: 12 };
  for (let border = 0; border <= bytes.length; border++) {
    const pieces = frame([bytes.slice(0, border), bytes.slice(border)], limits);
    const texts = pieces.map(({ text }) => {
      return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0)));
    });
    assert.equal(texts.join(""), "ab" + "é€😀".repeat(9));
  }
});

Deno.test("LineFramer cuts what isn't UTF-8 at the limit", pure, () => {
  const pieces = frame([new Uint8Array(25).fill(0x80)], { line: 10, span: 11 });
  assert.deepEqual(pieces.map(({ text }) => text.length), [10, 10, 5]);
});

Deno.test("LineFramer shows the unfinished line and whether it goes on", pure, () => {
  const framer = new LineFramer({ line: 4, span: 5 });
  framer.push(encoder.encode("one\ntw"), () => {});
  assert.deepEqual([framer.partial, framer.continued], [encoder.encode("tw"), false]);
  framer.push(encoder.encode("elve"), () => {});
  assert.deepEqual([framer.partial, framer.continued], [encoder.encode("ve"), true]);
});

Deno.test(
  "LineFramer.pushPlain() takes what push() takes, up to a span with a carriage return or escape",
  pure,
  () => {
    const chunk = fc.array(fc.constantFrom(10, 97, 98, 13), { maxLength: 300 }).map((list) =>
      Uint8Array.from(list)
    );
    const limits = fc.record({
      line: fc.integer({ min: 1, max: 30 }),
      span: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 4 }), limits, (chunks, limits) => {
        const whole: number[] = [];
        const parts: number[] = [];
        const to = (list: number[]) => ({ head, body, joined }: Span) =>
          void list.push(...head, ...body, ...(joined ? [0] : []));
        const [one, other] = [new LineFramer(limits), new LineFramer(limits)];
        for (const bytes of chunks) {
          one.push(bytes, to(whole));
          const taken = other.pushPlain(bytes, to(parts));
          assert.ok(!bytes.subarray(0, taken).includes(13));
          if (!bytes.includes(13)) assert.equal(taken, bytes.length);
          other.push(bytes.subarray(taken), to(parts));
        }
        assert.deepEqual([...parts, ...other.partial], [...whole, ...one.partial]);
      }),
      { seed: 4, numRuns: 800 },
    );
  },
);

Deno.test("LineFramer.takeBack() gives the unfinished line back, and goes on where it went on", pure, () => {
  const framer = new LineFramer({ line: 4, span: 5 });
  const spans: string[] = [];
  const take = ({ head, body, continued }: Span): void => {
    spans.push(new TextDecoder().decode(Uint8Array.from([...head, ...body])) + (continued ? "+" : ""));
  };
  framer.push(encoder.encode("one\nlonger"), take);
  assert.deepEqual(framer.takeBack(), encoder.encode("er"));
  assert.equal(framer.partial.length, 0);
  framer.push(encoder.encode("xy\nz\n"), take);
  assert.deepEqual(spans, ["one\n", "long", "xy\nz\n+"]);
});
