import assert from "node:assert/strict";
import { LinePrinter } from "../../src/cli/line_printer.ts";
import { styleOf } from "../../src/cli/style.ts";
import type { LogLineJson } from "../../src/http/schemas/run.ts";
import { memoryTerminal } from "./memory.ts";

const line = (text: string, own: Partial<LogLineJson> = {}): LogLineJson => ({
  n: 0,
  ts: Date.UTC(2027, 0, 15, 12),
  stream: "stdout",
  text,
  ...own,
});

const long = "x".repeat(64 * 1024);

Deno.test("LinePrinter keeps the streams apart and their bytes as they are in a pipe", {
  permissions: "none",
}, () => {
  const terminal = memoryTerminal();
  const { out, err, env } = terminal;
  const printer = new LinePrinter({ out, err, style: styleOf(err, env) });
  printer.print([
    line("a\x1b[2J\rb"),
    line("oops", { stream: "stderr" }),
    line("told", { stream: "system" }),
  ]);
  printer.end();
  assert.equal(terminal.stdout, "a\x1b[2J\rb\n");
  assert.equal(terminal.stderr, "oops\ntold\n");
});

Deno.test("LinePrinter makes output harmless on a terminal, and the daemon's lines italic", {
  permissions: "none",
}, () => {
  const terminal = memoryTerminal({ isTerminal: true });
  const { out, err, env } = terminal;
  const printer = new LinePrinter({ out, err, style: styleOf(err, env) });
  printer.print([line("1%\r2%"), line("\x1b[31mred\x1b[2J"), line("told", { stream: "system" })]);
  assert.equal(terminal.stdout, "2%\n\x1b[31mred\x1b[0m\n");
  assert.equal(terminal.stderr, "\x1b[3mtold\x1b[0m\n");
});

Deno.test("LinePrinter joins the parts of a line that was split, over pages too", {
  permissions: "none",
}, () => {
  const terminal = memoryTerminal();
  const { out, err, env } = terminal;
  const printer = new LinePrinter({ out, err, style: styleOf(err, env) });
  printer.print([line(long)]);
  printer.print([line(long, { continued: true }), line("rest", { continued: true }), line("next")]);
  printer.print([line(long)]);
  printer.end();
  assert.equal(terminal.stdout, `${long}${long}rest\nnext\n${long}\n`);
});

Deno.test("LinePrinter ends a long line that does not go on", { permissions: "none" }, () => {
  const terminal = memoryTerminal();
  const { out, env } = terminal;
  const printer = new LinePrinter({ out, err: out, style: styleOf(out, env) });
  printer.print([line(long), line("other", { stream: "stderr" }), line("part", { continued: true })]);
  assert.equal(terminal.stdout, `${long}\nother\npart\n`);
});

Deno.test("LinePrinter puts prefix and time before lines, and tells of lines that are gone", {
  permissions: "none",
}, () => {
  const terminal = memoryTerminal();
  const { out, env } = terminal;
  const style = styleOf(out, env);
  const printer = new LinePrinter({ out, err: out, style, prefix: "web | ", timestamps: true });
  printer.tellDropped(3);
  printer.print([line("up")]);
  assert.equal(
    terminal.stdout,
    "web | 3 lines were dropped: the log was full\nweb | 2027-01-15T12:00:00.000Z up\n",
  );
});

Deno.test("LinePrinter shows what is redrawn below the lines, and takes it back before the next", {
  permissions: "none",
}, () => {
  const terminal = memoryTerminal({ isTerminal: true, width: 10 });
  const { err, env } = terminal;
  const out = { ...terminal.out, takeBack: (lines: number) => void (terminal.stdout += `<${lines} back>`) };
  const printer = new LinePrinter({ out, err, style: styleOf(err, env), width: 10 });
  printer.print([line("first")], [{
    stream: "stdout",
    rows: ["\x1b[32m10%\x1b[0m of a long thing", "日本日本日本"],
  }]);
  printer.print([], [{ stream: "stdout", rows: ["20%"] }]);
  printer.print([]);
  printer.print([line("second")]);
  printer.print([], [{ stream: "stderr", rows: ["beside"] }]);
  printer.print([line("20%")], [{ stream: "stdout", rows: [] }]);
  printer.tellDropped(2);
  printer.print([], [{ stream: "stderr", rows: [] }]);
  printer.end();
  assert.equal(
    terminal.stdout,
    "first\n10% of a \n日本日本\n<2 back>20%\n<1 back>second\n20%\n<1 back>20%\nbeside\n" +
      "<2 back>20%\nbeside\n<1 back>",
  );
});

Deno.test(
  "LinePrinter leaves out what is redrawn where lines can't be taken back",
  { permissions: "none" },
  () => {
    const terminal = memoryTerminal();
    const { out, err, env } = terminal;
    const printer = new LinePrinter({ out, err, style: styleOf(err, env), width: 80 });
    printer.print([line("first")], [{ stream: "stdout", rows: ["10%"] }]);
    printer.end();
    assert.equal(terminal.stdout, "first\n");
  },
);
