import assert from "node:assert/strict";
import fc from "fast-check";
import { NaiveScreen } from "./naive_screen.ts";
import { committed, TestTerminal } from "./terminal_fixture.ts";

const pure = { permissions: "none" } as const;
const encoder = new TextEncoder();

const number = fc.integer({ min: 0, max: 12 });
/** What the terminal understands, most of it harmless. */
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "bc", "hello", "é", "x y", "100%") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("\r", "\n", "\b", "\t", "\r\n", "\x1b7", "\x1b8", "\x1b[s", "\x1b[u"),
  },
  { weight: 4, arbitrary: fc.tuple(number, fc.constantFrom(..."ABCDEFG")).map(([n, c]) => `\x1b[${n}${c}`) },
  { weight: 1, arbitrary: fc.tuple(number, number).map(([row, column]) => `\x1b[${row};${column}H`) },
  { weight: 2, arbitrary: fc.constantFrom("\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J") },
);
/** All that a process may write. */
const anything = fc.oneof(
  { weight: 6, arbitrary: operation },
  {
    weight: 2,
    arbitrary: fc.tuple(number, fc.constantFrom(..."XP@LMSTb`aer")).map(([n, c]) => `\x1b[${n}${c}`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "\x1b[31m",
      "\x1b[0m",
      "\x1b[1;38;5;200m",
      "\x1b[?25l",
      "\x1b[?25h",
      "日本",
      "\x1b[2;5r",
      "\x1b[?1049h",
      "\x1b[?1049l",
      "\x1b]0;title\x07",
      "\x1b]8;;http://a/\x1b\\",
      "\x1bP1q~\x1b\\",
      "\x1b(B",
      "\x1b[2J",
      "\x1bc",
      "\x1bM",
      "\x1b",
      "\x1b[",
      "\x1b[12",
      "\x1b]0;",
      "e\u0301",
      "\x07",
      "\x7f",
      "\u0085",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("\0", "\xff", "\xc3", "\xe2\x82") },
);

/** Characters up to U+00FF that stand for bytes alone are those that can't be UTF-8. */
function bytesOf(parts: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  for (const part of parts) {
    if (/^[\xc0-\xff\x82]+$/.test(part) && part !== "é") bytes.push(...[...part].map((c) => c.charCodeAt(0)));
    else bytes.push(...encoder.encode(part));
  }
  return Uint8Array.from(bytes);
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}

Deno.test("Terminal commits the same whatever the chunks", pure, () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anything, { maxLength: 25 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(0, 30, 300),
      (bursts, sizes, wait) => {
        const whole = new TestTerminal();
        const pieces = new TestTerminal();
        for (const burst of bursts) {
          const bytes = bytesOf(burst);
          whole.write(bytes, { wait });
          pieces.write(...cut(bytes, sizes), { wait });
        }
        assert.equal(pieces.end().text, whole.end().text);
        assert.deepEqual(
          pieces.settled.map(({ frames }) => frames),
          whole.settled.map(({ frames }) => frames),
        );
      },
    ),
    { seed: 11, numRuns: 3000 },
  );
});

Deno.test("Terminal takes any bytes", pure, () => {
  const special = fc.constantFrom(
    0,
    7,
    8,
    9,
    10,
    13,
    27,
    91,
    93,
    63,
    59,
    49,
    72,
    74,
    75,
    65,
    109,
    104,
    0xc3,
    0xff,
  );
  const bytes = fc.array(fc.oneof(special, fc.integer({ min: 0, max: 255 })), { maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 50 }), (bytes, size) => {
      committed(...cut(Uint8Array.from(bytes), [size]));
    }),
    { seed: 12, numRuns: 2000 },
  );
});

Deno.test("Terminal passes what redraws nothing byte for byte", pure, () => {
  const plain = fc.constantFrom(
    "text",
    "\n",
    "\r\n",
    "\t",
    "é€",
    "\0",
    "\xff",
    "\x07",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b[K",
    "\x1b[?25h",
    "\x1b]0;title\x07",
    "\x1b(B",
    "\x1b[6n",
    "\x1b[9",
    "\n\x1b[",
  );
  fc.assert(
    fc.property(
      fc.array(plain, { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      (parts, sizes) => {
        const bytes = bytesOf([...parts, "\n"]);
        const terminal = new TestTerminal().write(...cut(bytes, sizes)).end();
        assert.deepEqual(terminal.bytes, bytes);
        assert.equal(terminal.settled.length, 0);
      },
    ),
    { seed: 13, numRuns: 2000 },
  );
});

Deno.test("Terminal agrees with a screen that is drawn in full", pure, () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const screen = new NaiveScreen();
      const kept: string[] = [];
      // Begins a region with room above, where no row is at the top.
      const all = ["\x1b[6B", "mark", "\r", ...operations];
      let row = 6;
      for (const one of all) {
        // deno-lint-ignore no-control-regex -- rows that come up above the region are another test's
        const up = /^\x1b\[(\d*)[AF]$/.exec(one);
        if ((up !== null && Math.max(1, Number(up[1])) > row) || row > 180) continue;
        for (const single of one === "\r\n" ? ["\r", "\n"] : [one]) screen.apply(single);
        row = screen.row;
        kept.push(one);
      }
      const lines = committed(kept.join("")).split("\n").map(shown);
      while (lines.at(-1) === "" && lines.length > screen.lines.length) lines.pop();
      assert.deepEqual(lines, screen.lines);
    }),
    { seed: 14, numRuns: 3000 },
  );
});

Deno.test("Terminal agrees with a screen where the cursor goes up over plain lines", pure, () => {
  const within = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("a\n", "bc\r\n", "hello\n", "\x1b[32mé\x1b[0m\n", "\n", "100%") },
    { weight: 1, arbitrary: fc.constantFrom("\r", "\b", "\x1b[K", "\x1b[2K", "\x1b[J", "\x1b[3G") },
    { weight: 2, arbitrary: fc.tuple(number, fc.constantFrom(..."ABEF")).map(([n, c]) => `\x1b[${n}${c}`) },
  );
  fc.assert(
    fc.property(fc.array(within, { maxLength: 60 }), fc.constantFrom(0, 1, 60), (operations, wait) => {
      const screen = new NaiveScreen();
      const terminal = new TestTerminal();
      for (const one of operations) {
        // deno-lint-ignore no-control-regex -- nothing is above the first line
        const up = /^\x1b\[(\d*)[AF]$/.exec(one);
        if (up !== null && Math.max(1, Number(up[1])) > screen.row) continue;
        for (const single of singles(one)) screen.apply(single);
        // With 60 ms between the operations some rows have settled: those that the cursor has left for good.
        terminal.write(one, { wait: up === null ? 0 : wait });
      }
      // deno-lint-ignore no-control-regex -- what passed as it came holds sequences
      const lines = terminal.end().text.replace(/\x1b\[[\d;]*[mKJG]/g, "").split("\n").map(shown);
      while (lines.at(-1) === "" && lines.length > screen.lines.length) lines.pop();
      assert.deepEqual(lines, screen.lines);
    }),
    { seed: 15, numRuns: 3000 },
  );
});

/** A text taken apart for a screen that knows no colours. */
function singles(operation: string): string[] {
  // deno-lint-ignore no-control-regex -- these are the operations
  return operation.replace(/\x1b\[\d+m/g, "").match(/\x1b\[\d*[A-Z]|[\r\n\b]|[^\r\n\b\x1b]+/g) ?? [];
}

/** A line as it looks: tabs as blanks, none at the end. */
function shown(line: string): string {
  let text = "";
  for (const char of line) text += char === "\t" ? " ".repeat(8 - [...text].length % 8) : char;
  return text.trimEnd();
}
