import assert from "node:assert/strict";
import fc from "fast-check";
import { ansiSpans, plainText } from "../../../ui/log/ansi.ts";

const esc = "\x1b[";

Deno.test("ansiSpans() leaves a plain text in one piece", () => {
  assert.deepEqual(ansiSpans("a\tb"), [{ text: "a\tb" }]);
  assert.deepEqual(ansiSpans(""), []);
});

Deno.test("ansiSpans() reads the palette, its bright half and grounds, until they are taken back", () => {
  assert.deepEqual(ansiSpans(`${esc}31mred${esc}97;44mboth${esc}39mground${esc}49mnone`), [
    { text: "red", fg: 1 },
    { text: "both", fg: 15, bg: 4 },
    { text: "ground", bg: 4 },
    { text: "none" },
  ]);
  assert.deepEqual(ansiSpans(`${esc}103ma${esc}mb`), [{ text: "a", bg: 11 }, { text: "b" }]);
});

Deno.test("ansiSpans() reads 256 and true colours in either spelling", () => {
  assert.deepEqual(ansiSpans(`${esc}38;5;9ma${esc}38;5;208mb${esc}48;5;244mc`), [
    { text: "a", fg: 9 },
    { text: "b", fg: [255, 135, 0] },
    { text: "c", fg: [255, 135, 0], bg: [128, 128, 128] },
  ]);
  assert.deepEqual(ansiSpans(`${esc}1;38;2;1;2;3;4ma`), [
    { text: "a", isBold: true, fg: [1, 2, 3], isUnderlined: true },
  ]);
  assert.deepEqual(ansiSpans(`${esc}38:2::1:2:3ma`), [{ text: "a", fg: [1, 2, 3] }]);
  assert.deepEqual(ansiSpans(`${esc}38;5;999ma${esc}38;2;300;0;0mb`), [{ text: "a" }, { text: "b" }]);
});

Deno.test("ansiSpans() reads styles, and what ends each", () => {
  assert.deepEqual(ansiSpans(`${esc}1;2;3;4;7;9ma${esc}22;23;24;27;29mb`), [
    {
      text: "a",
      isBold: true,
      isDim: true,
      isItalic: true,
      isUnderlined: true,
      isInverse: true,
      isStruck: true,
    },
    {
      text: "b",
      isBold: false,
      isDim: false,
      isItalic: false,
      isUnderlined: false,
      isInverse: false,
      isStruck: false,
    },
  ]);
});

Deno.test("ansiSpans() leaves other sequences and control characters out", () => {
  const text = `a${esc}2Kb${esc}?25lc\x1b]0;title\x07d\x1b(Be\x1bPq\x1b\\f\x00g\rh`;
  assert.equal(ansiSpans(text).map(({ text }) => text).join(""), "abcdefgh");
  assert.equal(plainText(text), "abcdefgh");
});

Deno.test("ansiSpans() makes links of web addresses, without the punctuation of their sentence", () => {
  assert.deepEqual(ansiSpans("see https://a.example/x?y=1, (http://b.example/w_(z)) and ftp://c"), [
    { text: "see " },
    { text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" },
    { text: ", (" },
    { text: "http://b.example/w_(z)", href: "http://b.example/w_(z)" },
    { text: ") and ftp://c" },
  ]);
});

Deno.test("ansiSpans() follows OSC 8 to the web only", () => {
  assert.deepEqual(ansiSpans("\x1b]8;id=1;https://a.example/\x1b\\here\x1b]8;;\x1b\\ there"), [
    { text: "here", href: "https://a.example/" },
    { text: " there" },
  ]);
  for (const address of ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://"]) {
    assert.deepEqual(ansiSpans(`\x1b]8;;${address}\x07x\x1b]8;;\x07`), [{ text: "x" }]);
  }
});

Deno.test("ansiSpans() gives the plain text of any line, and never an escape", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("\x1b", "\x1b[", "31m", "\x1b]8;;", "\x07", "http://", "\x9b", ";"),
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const line = pieces.join("");
    const text = ansiSpans(line).map(({ text }) => text).join("");
    assert.equal(text, plainText(line));
    assert.ok(!text.includes("\x1b"));
  }));
});
