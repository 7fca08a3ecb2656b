import assert from "node:assert/strict";
import fc from "fast-check";
import { printable, printableLine } from "../../src/cli/printable.ts";

Deno.test("printable() keeps colours and lets everything else go that commands a terminal", {
  permissions: "none",
}, () => {
  const shown: [text: string, safe: string][] = [
    ["plain ✓ text\twith tab\n", "plain ✓ text\twith tab\n"],
    ["\x1b[1;31mred\x1b[0m \x1b[38:5:4mblue\x1b[m", "\x1b[1;31mred\x1b[0m \x1b[38:5:4mblue\x1b[m"],
    ["a\x1b[2Jb\x1b[1;1Hc\x1b[?25ld", "abcd"],
    ["a\x1b]0;title\x07b\x1b]52;c;aGk=\x1b\\c", "abc"],
    ["a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^y\x07d", "abcd"],
    ["a\x1b(0b\x1bcc\x1b7d", "abcd"],
    ["bell\x07 back\x08 null\x00 del\x7f csi\x9b2J", "bell back null del csi2J"],
    ["cut \x1b[31", "cut "],
    ["cut \x1b", "cut "],
    ["\x1b]8;;unfinished\nnext line", "\nnext line"],
    ["\x1b[>4;2m \x1b[?1m", " "],
  ];
  for (const [text, safe] of shown) assert.equal(printable(text), safe, JSON.stringify(text));
});

Deno.test("printable() leaves no control character of any text but those of colours", {
  permissions: "none",
}, () => {
  const piece = fc.oneof(
    fc.constantFrom("\x1b", "[", "]", "31m", ";", "?", "\x9b", "\x07", "\\", "P", "\r", "\n", "x", "\x18"),
    fc.string(),
  );
  const text = fc.array(piece).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, (text) => {
      // deno-lint-ignore no-control-regex -- this is what must not be left
      const rest = printable(text).replace(/\x1b\[[0-9;:]*m/g, "");
      // deno-lint-ignore no-control-regex -- this is what must not be left
      assert.doesNotMatch(rest, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

Deno.test("printableLine() shows what a progress bar came to, and ends its colours", {
  permissions: "none",
}, () => {
  assert.equal(printableLine("10%\r50%\r100%"), "100%");
  assert.equal(printableLine("done\r"), "done");
  assert.equal(printableLine("\x1b[31mred"), "\x1b[31mred\x1b[0m");
  assert.equal(printableLine("\x1b[31mred\x1b[m"), "\x1b[31mred\x1b[m");
});

Deno.test("printable() turns no direction of writing", { permissions: "none" }, () => {
  assert.equal(printable("user\u202egnp.exe\u2066\u2069\u200e"), "usergnp.exe");
});
