import assert from "node:assert/strict";
import { drawBytes } from "../../../src/core/log/draw.ts";
import { Effort } from "../../../src/core/log/effort.ts";
import { LineBytes } from "../../../src/core/log/line_bytes.ts";
import { NO_PEN, penAfter } from "../../../src/core/log/pen.ts";
import { RecentLines } from "../../../src/core/log/recent_lines.ts";
import { Region } from "../../../src/core/log/region.ts";
import { Terminal } from "../../../src/core/log/terminal.ts";
import { committed, TestTail, TestTerminal } from "./terminal_fixture.ts";

const pure = { permissions: "none" } as const;

/** Counts all that is spent. */
class Counted extends Effort {
  spent = 0;

  override spend(units: number): void {
    this.spent += units;
    super.spend(units);
  }
}

/** Units that it costs to draw a text, for each of its bytes; as far as it is drawn. */
function costOf(text: string): { drawn: number; perByte: number } {
  const effort = new Counted();
  const region = new Region(1, { commit: () => effort.spend(100), above: () => [] }, effort);
  const drawing = {
    region,
    effort,
    line: new LineBytes(region.row),
    isAlternate: false,
    isInText: false,
    hasDrawn: false,
    boundary: () => void region.rows.forEach((row) => row.text()),
    reset() {},
    showCursor() {},
  };
  const bytes = new TextEncoder().encode(text);
  const { at } = drawBytes(drawing, bytes, { from: 0, isClosed: true });
  return { drawn: at, perByte: effort.spent / at };
}

Deno.test("Terminal passes a line as it came that is too long to be redrawn", pure, () => {
  for (const length of [32_768, 49_151, 49_152, 50_000, 65_535, 65_536, 65_537, 100_000]) {
    for (const end of ["\ry", "\ry\n", "\r\r\r\n", "\b\b\x1b[2Ky\nnext\rN\n"]) {
      const written = "x".repeat(length) + end;
      const whole = committed(written);
      assert.equal(committed(...written.match(/[^]{1,4096}/g) ?? []), whole);
      if (length >= 49_152) {
        const [line, ...rest] = written.split("\n");
        assert.equal(whole.startsWith(line!), true, `${length} ${JSON.stringify(end)}`);
        assert.equal(
          whole.slice(line!.length),
          rest.length === 2 ? "\nNext\n" : rest.map(() => "\n").join(""),
        );
      }
    }
  }
});

/** What inserts, repeats and scrolls. */
const growing = [
  "\r\x1b[99999@x",
  "x\x1b[99999b\r",
  `e${"\u0301".repeat(60)}\x1b[999b\r`,
  "\x1b[H\x1b[99999L",
  "x\x1b[99999S",
  "\x1b[2;99r\x1b[99T\n\x1bM",
];

Deno.test("Terminal ends with rows that grow by a column each time they are drawn", pure, () => {
  for (
    const unit of [
      "\x1b[99999Cx\r",
      "\x1b[999Ax\x1b[999Bx",
      "\x1b[?1049hx\x1b[?1049ly",
      "\x1b[1Kx",
      ...growing,
    ]
  ) {
    const terminal = new TestTerminal().write("\r");
    const piece = unit.repeat(8000);
    for (let i = 0; i < 10; i++) terminal.write(piece, { wait: 1 });
    assert.ok(terminal.terminal.rows().length <= 200);
    assert.ok(terminal.end().text.length < 2 * 10 * piece.length, JSON.stringify(unit));
  }
});

Deno.test("Terminal draws at a cost that its bytes bound, and stops where they don't", pure, () => {
  const coloured = Array.from({ length: 400 }, (_, i) => `\x1b[3${i % 8}mx`).join("");
  const bar = "\r 50% [=====     ] downloading";
  // What is sane costs less than it earns, however long it goes on.
  for (const [unit, most] of [[bar, 1], ["\x1b[32mok\x1b[0m\x1b[K\r", 3], [`${coloured}\r`, 3]] as const) {
    const { drawn, perByte } = costOf(unit.repeat(Math.ceil(300_000 / unit.length)));
    assert.ok(drawn >= 299_990, `${JSON.stringify(unit.slice(0, 20))} stopped at ${drawn}`);
    if (unit === bar) continue;
    assert.ok(perByte < 3 * most, `${JSON.stringify(unit.slice(0, 20))} cost ${perByte} a byte`);
  }
});

Deno.test(
  "Terminal passes output as it comes while redraws cost more than they may, and says so once",
  pure,
  () => {
    for (
      const unit of ["\x1b[99999;99999Hx\n", "\x1b[999Ax\n", "\x1b[200;1Hx\x1bc", "\r\0\n", "\x1b[999;1H\n"]
    ) {
      const terminal = new TestTerminal();
      const piece = unit.repeat(5000);
      for (let i = 0; i < 20; i++) terminal.write(piece);
      assert.deepEqual(terminal.told.length, 1, JSON.stringify(unit));
      assert.ok(terminal.text.endsWith(piece.slice(0, -200)) || terminal.text.includes(piece), "as it came");
      terminal.write("\n", { wait: 1000 }, "10%\r20%\n");
      assert.ok(terminal.end().text.endsWith("\n20%\n"), "drawn again after a rest");
      assert.equal(terminal.told.length, 1);
    }
  },
);

Deno.test("Terminal passes all as it comes once it has failed to draw", pure, () => {
  let passed = "";
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const recent = new RecentLines(({ span }) => void (passed += decode(span.head) + decode(span.body)));
  const tail = new TestTail(recent);
  tail.takeBackLines = () => {
    throw new TypeError("planted");
  };
  const terminal = new Terminal(tail);
  terminal.push(new TextEncoder().encode("a\n\rb\x1b[5Ac\n"), 1);
  terminal.push(new TextEncoder().encode("d\re\n"), 2);
  terminal.tick(1000);
  terminal.end();
  recent.releaseAll();
  assert.equal(passed, "a\nb\n\rb\x1b[5Ac\nd\re\n");
  assert.equal(terminal.told.length, 1);
});

Deno.test(
  "Pen keeps the newest half of colours that are too many, and is the same for the usual ones",
  pure,
  () => {
    let pen = NO_PEN;
    for (let i = 0; i < 1000; i++) {
      pen = penAfter(pen, `\x1b[38;5;${i % 256}m`);
      assert.ok(pen.length <= 1024 && pen.length === pen.text.length);
    }
    assert.ok(pen.text.startsWith("\x1b[0m\x1b[38;5;"));
    assert.equal(
      penAfter(penAfter(NO_PEN, "\x1b[0m"), "\x1b[31m"),
      penAfter(penAfter(pen, "\x1b[0m"), "\x1b[31m"),
    );
  },
);

Deno.test("Terminal takes plain output at once, and what may be drawn over in small pieces", pure, () => {
  const size = 16_384;
  /** How many bytes, from a place on, are taken with it at once of a chunk of letters that has something else there. */
  const taken = (text: string, at: number): number => {
    const chunk = new Uint8Array(size).fill(120);
    chunk.set(new TextEncoder().encode(text), at);
    const { terminal } = new TestTerminal();
    let from = 0;
    while (from <= at) from += terminal.push(chunk.subarray(from), 1000);
    return from - at;
  };
  for (const at of [0, 1, 2, 3, 4, 5, 4095, 4096, size - 8, size - 7, size - 6, size - 5]) {
    for (const text of ["\x1b[A", "\r", "\b"]) {
      assert.ok(taken(text, at) <= 4096, `${JSON.stringify(text)} at ${at}: ${taken(text, at)}`);
    }
    // Colours and line ends draw over nothing.
    for (const text of ["\n", "\r\n", "\t", "\x1b[31m", "\f", "\x1a", "é"]) {
      assert.equal(taken(text, at), size - at, `${JSON.stringify(text)} at ${at}`);
    }
  }
});
