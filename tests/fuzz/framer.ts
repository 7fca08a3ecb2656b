import assert from "node:assert/strict";
import { LineFramer, type Span } from "../../src/core/log/framer.ts";
import { Random } from "../simulation/random.ts";
import { bytesOf, cut, nearLimit } from "./pieces.ts";

/** Lines around all limits: no byte is lost or added, no piece too long, and the lines are the same whatever the chunks. */
export function fuzzFramer(seed: number): void {
  const random = new Random(seed);
  const line = random.pick([1, 64, 1000, 65_536]);
  const span = random.pick([1, 64, 4096, 65_537]);
  let chars = "";
  for (let i = random.below(60); i > 0; i--) {
    chars += random.weighted<() => string>([
      [4, () => "x".repeat(random.below(30))],
      [4, () => "\n".repeat(1 + random.below(3))],
      [1, () => "y".repeat(nearLimit(random, 70_000))],
      [
        1,
        () =>
          random.pick(["\xf0\x9f\x98\x80", "\xc3\xa9", "\xe2\x82\xac", "\x80", "\xff"]).repeat(
            random.below(50),
          ),
      ],
    ])();
  }
  const bytes = bytesOf(chars);
  const whole = framed([bytes], { line, span, isPlain: random.oneIn(2) });
  const pieces = framed(cut(random, bytes), { line, span, isPlain: random.oneIn(2) });
  assert.deepEqual(pieces.lines, whole.lines, "lines differ with the chunks");
  assert.equal(whole.all, chars, "bytes were lost or added");
  assert.ok(whole.lines.every(({ text }) => text.length <= line), "a piece is too long");
}

interface Line {
  text: string;
  continued: boolean;
}

function framed(
  chunks: Uint8Array[],
  { line, span, isPlain }: { line: number; span: number; isPlain: boolean },
): { lines: Line[]; all: string } {
  const framer = new LineFramer({ line, span });
  const lines: Line[] = [];
  let all = "";
  const take = ({ head, body, lines: count, continued, joined }: Span): void => {
    const text = [...head, ...body].map((byte) => String.fromCharCode(byte)).join("");
    all += text;
    const own = (joined ? text : text.slice(0, -1)).split("\n");
    assert.equal(own.length, count, "lines are miscounted");
    for (const [i, one] of own.entries()) lines.push({ text: one, continued: continued && i === 0 });
  };
  for (const chunk of chunks) {
    const at = isPlain ? framer.pushPlain(chunk, take) : 0;
    framer.push(chunk.subarray(at), take);
    assert.ok(framer.partial.length <= line + 1, "more is kept than a line");
  }
  framer.end(take);
  return { lines, all };
}
