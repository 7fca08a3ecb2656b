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
