import assert from "node:assert/strict";
import { committed, TestTerminal } from "./terminal_fixture.ts";

const pure = { permissions: "none" } as const;

const cases: Array<[what: string, written: string, lines: string]> = [
  ["a carriage return draws over", "12345\rab\n", "ab345\n"],
  ["a carriage return before a newline ends a line", "one\r\ntwo\r\n", "one\r\ntwo\r\n"],
  ["a backspace draws over", "12\b3\n", "13\n"],
  [
    "what erases behind the end of a line is no redraw",
    "\x1b[Kone\x1b[K\x1b[0J\n",
    "\x1b[Kone\x1b[K\x1b[0J\n",
  ],
  ["ESC[K erases to the end", "12345\rab\x1b[K\n", "ab\n"],
  ["ESC[1K erases through the cursor", "12345\x1b[3G\x1b[1K\n", "   45\n"],
  ["ESC[2K erases the row", "12345\x1b[2K\rab\n", "ab\n"],
  ["ESC[J erases what is below", "\r1\n2\n3\x1b[2A\x1b[J", "1\n"],
  ["ESC[2J begins anew", "\r1\n2\n3\x1b[H\x1b[2Jnew\n", "new\n"],
  ["ESC[2J without a move leaves no blank lines", "\r1\n2\n\x1b[2Jnew\n", "new\n"],
  ["ESC[2J in plain output takes nothing away", "text\x1b[2J\x1bcmore\n", "text\x1b[2J\x1bcmore\n"],
  ["ESC[H moves within the region", "\r1\n2\n3\x1b[2;2Hx\n", "1\n2x\n3"],
  ["ESC[E and ESC[F move by rows", "\r1\n2\x1b[Fone\x1b[Etwo\n", "one\ntwo\n"],
  ["ESC[C and ESC[D move by columns", "1\x1b[3C2\x1b[2D3\n", "1  32\n"],
  ["ESC[G moves to a column", "12345\x1b[2Gx\n", "1x345\n"],
  ["ESC 7 and ESC 8 keep the cursor", "\r12\x1b734\x1b8xy\n", "12xy\n"],
  ["ESC[s and ESC[u keep the cursor", "\r12\x1b[s34\x1b[uxy\n", "12xy\n"],
  ["ESC M moves up", "\r1\n\x1bMx\n", "x\n"],
  ["a tab moves to the next stop", "\r\tx\ra\tb\n", "a       b\n"],
  ["a tab that nothing was drawn over stays one", "x\r1\t2\n", "1\t2\n"],
  ["the alternate screen is not committed", "a\r\x1b[?1049h\x1b[Hgame\n\x1b[?1049lb\n", "b\n"],
  ["the alternate screen does not end with the run", "a\n\x1b[?47hgame\n", "a\n"],
  ["colours stay with what they colour", "1\r\x1b[32mok\x1b[0m done\n", "\x1b[32mok\x1b[0m done\n"],
  ["colours of what was drawn over end", "\x1b[31mabc\x1b[0m\rxy\n", "xy\x1b[31mc\x1b[0m\n"],
  [
    "titles and links leave their text",
    "1\r\x1b]0;t\x07\x1b]8;;http://x/\x1b\\link\x1b]8;;\x1b\\\n",
    "link\n",
  ],
  ["a title alone is no redraw", "\x1b]0;t\x07text\n", "\x1b]0;t\x07text\n"],
  ["device strings, modes and charsets do nothing", "1\r\x1bPq~\x1b\\\x1b[?25l\x1b(B2\n", "2\n"],
  ["broken sequences cost nothing else", "1\r\x1b[12\x01a\x1b]0;x\nb\n", "[12a]0;x\nb\n"],
  ["accents stay with their letter", "e\u0301x\x1b[Dy\n", "e\u0301y\n"],
  ["moves far to the right end somewhere", "\x1b[99999Cx\n", `${" ".repeat(999)}x\n`],
  ["a wide character takes two columns", "日本語\rdone\n", "done語\n"],
  [
    "a wide character of which a half is drawn over is gone",
    "日本語\x1b[2Gx\x1b[4Gy\n",
    " x y語\n",
  ],
  ["accents stay with a wide letter", "が\u3099x\rab\n", "abx\n"],
  ["a wide character takes two columns of a line that came whole, too", "日本\n\x1b[1Aab\n", "ab本\n"],
  ["ESC[X makes blanks", "abcdef\x1b[2G\x1b[3X\n", "a   ef\n"],
  ["ESC[X to the end leaves no blanks", "abc\r\x1b[3Xx\n", "x\n"],
  ["ESC[X makes blanks before the first letter", "\x1b[6Gx\x1b[2G\x1b[2Xy\n", " y   x\n"],
  ["ESC[P takes out", "abcdef\x1b[2G\x1b[3P\n", "aef\n"],
  ["ESC[P takes no half of a wide character", "a日本\x1b[3G\x1b[P\n", "a 本\n"],
  ["ESC[@ puts blanks in", "abc\x1b[2G\x1b[2@x\n", "ax bc\n"],
  ["ESC[@ moves no tab stops", "x\ra\tb\r\x1b[2@\n", "  a       b\n"],
  ["ESC[b repeats", "ab\x1b[3b\n", "abbbb\n"],
  ["ESC[b repeats wide characters with their accents", "が\u3099\x1b[b\n", "が\u3099が\u3099\n"],
  ["ESC[b repeats nothing but what came last", "ab\x1b[0m\x1b[3b\r\x1b[5b\n", "ab\n"],
  ["ESC[L puts rows in", "\ra\nb\x1b[1A\x1b[2Lx\n", "x\n\na\nb"],
  ["ESC[M takes rows out", "\ra\nb\nc\nd\x1b[3A\x1b[2M\n", "c\nd"],
  ["ESC[S lets rows go up", "\ra\nb\x1b[Sc\n", "a\nb\n c\n"],
  ["ESC[T lets rows go down", "\x1b[Ha\nb\x1b[Tc\n", "\nac\nb"],
  ["ESC[`, ESC[a and ESC[e move", "abc\x1b[2`x\x1b[ay\x1b[ez\n", "axcy\n    z\n"],
  [
    "ESC[r lets rows above a bar go up",
    "\x1b[H\x1b[1;3r\x1b[5HBAR\x1b[H1\n2\n3\n4\n5",
    "1\n2\n3\n4\n5\n\nBAR",
  ],
  ["ESC[r keeps what is above it", "\x1b[HTOP\x1b[2;4r\x1b[2H1\n2\n3\n4\n5", "TOP\n3\n4\n5"],
  ["ESC[r holds moves within it", "\x1b[Ha\x1b[2;4r\x1b[3H\x1b[9Ab\x1b[9Bc", "a\nb\n\n c"],
  [
    "ESC M at the top of what scrolls lets rows go down",
    "\x1b[2;4r\x1b[2H1\n2\n3\x1b[2H\x1bMx",
    "\nx\n1\n2\n",
  ],
  ["a bar that was erased leaves no line", "10%\r20%\r\x1b[K", ""],
  ["empty lines between stay", "\r1\n\n2\n", "1\n\n2\n"],
  ["a line with NUL passes as it came", "\r1\na\rb\0c\rd\n2\n", "1\na\rb\0c\rd\n2\n"],
  ["NUL before the redraw counts too", "a\0b\rc\nd\re\n", "a\0b\rc\ne\n"],
];

Deno.test("Terminal draws as a terminal does", pure, () => {
  for (const [what, written, lines] of cases) assert.equal(committed(written), lines, what);
});

Deno.test("Terminal passes a line of invalid UTF-8 as it came, also when the rest comes later", pure, () => {
  const line = Uint8Array.of(97, 13, 98, 0xc3, 0x28, 13, 99, 10);
  const terminal = new TestTerminal();
  for (const byte of line) terminal.write(Uint8Array.of(byte), { wait: 300 });
  assert.deepEqual(terminal.end().bytes, line);
  const half = new TestTerminal().write("a\rb", Uint8Array.of(0xe2, 0x82)).end();
  assert.deepEqual(half.bytes, Uint8Array.of(97, 13, 98, 0xe2, 0x82));
});

Deno.test("Terminal takes what is longer than 4 KiB for text", pure, () => {
  const title = `\x1b]0;${"t".repeat(5000)}\x07`;
  assert.equal(committed(`a\r${title}b\n`), `]0;${"t".repeat(5000)}b\n`);
  assert.equal(committed(`${title}b\n`), `${title}b\n`);
});

Deno.test("Terminal goes on with a plain line where a row grows over 64 KiB", pure, () => {
  const terminal = new TestTerminal().write("1\n2\r", "x".repeat(100_000), "\ny\n").end();
  assert.equal(terminal.text, `1\n${"x".repeat(100_000)}\ny\n`);
  assert.ok(terminal.settled.every(({ bytes }) => bytes.length <= 65_536));
});

Deno.test("Terminal holds a bounded part of rows that are long and many", pure, () => {
  const terminal = new TestTerminal().write("\r");
  for (let i = 0; i < 100; i++) terminal.write(`${"x".repeat(30_000)}\n`);
  assert.ok(terminal.terminal.texts().join("").length < 300_000);
  assert.equal(terminal.end().text, `${"x".repeat(30_000)}\n`.repeat(100));
});

Deno.test("Terminal moves no columns in a row of many tabs", pure, () => {
  const terminal = new TestTerminal().write(`${"\t".repeat(16_000)}x\r\x1b[5@\x1b[P`);
  assert.equal(terminal.terminal.texts()[0]?.length, 16_001);
  const few = new TestTerminal().write(`${"\t".repeat(1000)}x\r\x1b[5@`);
  assert.equal(few.terminal.texts()[0]?.length, 8001);
});

Deno.test("Terminal bounds colours that are never reset", pure, () => {
  const colours = Array.from({ length: 5000 }, (_, i) => `\x1b[38;5;${i % 256}m`).join("");
  const text = committed(`1\r${colours}x\n`);
  assert.ok(text.length < 2048, `${text.length} characters`);
  assert.ok(text.startsWith("\x1b[0m\x1b[38;5;") && text.endsWith("\x1b[38;5;135mx\n"), text.slice(-40));
});
