import assert from "node:assert/strict";
import { committed, TestTerminal, type Written } from "./terminal_fixture.ts";

const pure = { permissions: "none" } as const;

Deno.test("Terminal commits a row when the cursor was not above it for 250 ms", pure, () => {
  const terminal = new TestTerminal().write("10%\r20%\n\r1%\r2%\n\r3", { wait: 249 });
  assert.equal(terminal.text, "");
  terminal.write({ wait: 250 });
  assert.equal(terminal.text, "20%\n2%\n");
});

Deno.test(
  "Terminal commits a row that the cursor has come back to when it was not above it for 2 s",
  pure,
  () => {
    const terminal = new TestTerminal().write("\r1\n\r2\n\r3", { wait: 200 }, "\x1b[2A\rone\x1b[1B");
    assert.equal(terminal.text, "");
    terminal.write({ wait: 1999 });
    assert.equal(terminal.text, "");
    terminal.write({ wait: 1 });
    assert.equal(terminal.text, "one\n");
    // Where the cursor rests nothing settles, and the rows above are lines by now.
    terminal.write({ wait: 5000 }, "\x1b[5A\rTWO");
    assert.equal(terminal.text, "one\n");
    assert.equal(terminal.end().text, "one\nTWO\n2\n3");
  },
);

Deno.test("Terminal is plain again when all rows have settled", pure, () => {
  const terminal = new TestTerminal().write("10%\r20%\n", { wait: 249 }, "held");
  assert.equal(terminal.text, "");
  terminal.write({ wait: 250 });
  assert.equal(terminal.text, "20%\n");
  assert.deepEqual(terminal.terminal.rows(), []);
  terminal.write(" back\nnext\n");
  assert.equal(terminal.terminal.dueAt, undefined);
  assert.equal(terminal.end().text, "20%\nheld back\nnext\n");
});

Deno.test("Terminal keeps the colours that are set while it becomes plain again", pure, () => {
  assert.equal(committed("1\r2\n\x1b[32m", { wait: 300 }, "green\x1b[0m\n"), "2\n\x1b[32mgreen\x1b[0m\n");
});

Deno.test("Terminal pushes the topmost row out of a region of more than 200", pure, () => {
  const terminal = new TestTerminal().write("\x1b[A");
  for (let i = 0; i < 230; i++) terminal.write(`${i}\n`);
  assert.equal(terminal.settled.length, 31);
  terminal.write("\x1b[999A\r\x1b[2Ktop");
  assert.equal(terminal.terminal.texts()[0], "top");
  assert.equal(terminal.terminal.texts().length, 199);
  assert.equal(
    terminal.end().text,
    Array.from({ length: 230 }, (_, i) => i === 31 ? "top\n" : `${i}\n`).join(""),
  );
});

Deno.test("Terminal draws over lines that came less than 250 ms before", pure, () => {
  for (const up of ["\x1b[2A", "\x1b[2F", "\x1b[1A\x1b[1A", "\r\x1b[2K\x1b[A\x1b[2K\x1b[A", "\x1bM\x1bM"]) {
    const terminal = new TestTerminal().write("before\na 1\nb 1\n", { wait: 249 }, `${up}a 2\nb 2\n`);
    assert.equal(terminal.end().text, "before\na 2\nb 2\n", JSON.stringify(up));
    assert.deepEqual(terminal.settled.flatMap(({ frames }) => frames), [["a 1", "b 1"]], JSON.stringify(up));
  }
});

Deno.test(
  "Terminal draws over lines that came less than 2 s before where the cursor was hidden",
  pure,
  () => {
    const lines = (...written: Written[]) => new TestTerminal().write(...written).end().text;
    assert.equal(lines("\x1b[?25la\nb\n", { wait: 1999 }, "\x1b[2Ac\nd\n"), "c\nd\n");
    assert.equal(lines("\x1b[?25la\nb\n", { wait: 2000 }, "\x1b[2Ac\nd\n"), "\x1b[?25la\nb\nc\nd\n");
    // Whatever comes of it in one piece.
    for (const [hide, show] of [["\x1b[?25l", "\x1b[?25h"], ["\x1b[?7;25l", "\x1b[?25;12h"]]) {
      const whole = lines(`${hide}a${show}\nb\n`, { wait: 300 }, "\x1b[2Ac\nd\n");
      assert.equal(whole, `${hide}a${show}\nb\nc\nd\n`);
      assert.equal(lines(hide!, "a", show!, "\nb\n", { wait: 300 }, "\x1b[2Ac\nd\n"), whole);
    }
    const bar = new TestTerminal().write("\x1b[?25l10%\r20%\n", { wait: 250 });
    assert.equal(bar.text, "20%\n", "a bar settles as it does else");
  },
);

Deno.test("Terminal can draw over lines for 2 s above those that were drawn over", pure, () => {
  const terminal = new TestTerminal().write("a\nb\nc\n", { wait: 200 }, "\x1b[1AC\n", { wait: 1000 });
  terminal.write("\x1b[3AA\n\x1b[2B").end();
  assert.equal(terminal.text, "A\nb\nC\n");
});

Deno.test("Terminal begins a row with a reset where the one above has left colours on", pure, () => {
  assert.equal(
    committed("\n\r\x1b[A\x1b[31mred\x1b[2;1H\x1b[0mplain\n"),
    "\x1b[31mred\n\x1b[0mplain\n",
  );
  // What is plain again begins with one, too: as soon as there is something.
  const left = "\r\n\x1b[A\x1b[31mred\x1b[2;1H\x1b[0m";
  assert.equal(committed(left, { wait: 3000 }), "\x1b[31mred\n");
  assert.equal(committed(left, { wait: 3000 }, "plain\n"), "\x1b[31mred\n\x1b[0mplain\n");
});

Deno.test("Terminal keeps the colours and the time of a line that it takes back", pure, () => {
  const terminal = new TestTerminal().write(
    "\x1b[32mgreen\x1b[0m\tx\n",
    { wait: 100 },
    "two\n\x1b[2A\x1b[2B",
  );
  assert.equal(terminal.end().text, "\x1b[32mgreen\x1b[0m\tx\ntwo\n");
  assert.deepEqual(terminal.settled.map(({ at }) => at), [1000, 1100]);
});

Deno.test("Terminal draws over no line that came earlier, or that no terminal could draw", pure, () => {
  assert.equal(committed("a\nb\n", { wait: 250 }, "c\n\x1b[2A\r\x1b[2KB\n\n"), "a\nb\nB\nc\n");
  for (const line of ["a\0", "\x1b]0;" + "x".repeat(5000), new Uint8Array([97, 0xff])]) {
    const terminal = new TestTerminal().write(line, "\nb\n", "\x1b[2A\r\x1b[2KB\n\n").end();
    const [first] = terminal.text.split("\n");
    assert.equal(first?.length, new TestTerminal().write(line).end().text.length);
    assert.equal(terminal.text.slice(first?.length), "\nB\nb\n");
  }
  // What a settled row left is a line for good.
  assert.equal(committed("\ra\nb\n", { wait: 260 }, "\x1b[1A\rB\n"), "a\nb\nB\n");
});

Deno.test(
  "Terminal samples frames 50 ms apart at the least, and hands them out with the first line",
  pure,
  () => {
    const terminal = new TestTerminal();
    for (let i = 0; i < 100; i++) terminal.write(`\r${i}`, { wait: 10 });
    terminal.write("\nunder").end();
    assert.equal(terminal.text, "99\nunder");
    const [first, second] = terminal.settled;
    assert.deepEqual(first?.frames.map(([row]) => Number(row)), Array.from({ length: 20 }, (_, i) => i * 5));
    assert.deepEqual(second?.frames, []);
    assert.equal(first?.at, 1990);
  },
);

Deno.test("Terminal keeps 200 frames at most, evenly spread", pure, () => {
  const terminal = new TestTerminal();
  for (let i = 0; i < 3000; i++) terminal.write(`\r${i}`, { wait: 50 });
  const frames = terminal.end().settled[0]!.frames.map(([row]) => Number(row));
  assert.ok(frames.length > 100 && frames.length <= 200, `${frames.length} frames`);
  const gaps = new Set(frames.slice(1).map((n, i) => n - frames[i]!));
  assert.deepEqual([...gaps].filter((gap) => gap > 32), []);
});

Deno.test("Terminal keeps whole frames of several rows", pure, () => {
  const terminal = new TestTerminal().write("\ra 1\nb 1\n", { wait: 100 }, "\x1b[2Aa 2\nb 2\n").end();
  assert.equal(terminal.text, "a 2\nb 2\n");
  assert.deepEqual(terminal.settled.map(({ frames }) => frames), [[["a 1", "b 1"]], []]);
});

Deno.test("Terminal.epoch counts the resets of the screen", pure, () => {
  const { terminal } = new TestTerminal().write("a\r", "b\x1b[2J", "c\x1bc", "\x1b[?1049hd\x1b[?1049l");
  assert.equal(terminal.epoch, 3);
});

Deno.test("Terminal goes on when the clock is set back", pure, () => {
  const terminal = new TestTerminal().write("a\rb\n");
  terminal.at -= 1_000_000;
  terminal.write("c\n", { wait: 300 });
  assert.equal(terminal.text, "b\nc\n");
});
