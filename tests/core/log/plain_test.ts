import assert from "node:assert/strict";
import { readable, withoutEscapes } from "../../../src/core/log/plain.ts";

const cases: [name: string, text: string, plain: string][] = [
  ["colours", "\x1b[1;31mred\x1b[0m and \x1b[38:5:12mblue\x1b[m", "red and blue"],
  ["movements", "a\x1b[2Kb\x1b[10;4Hc\x1b[?25l", "abc"],
  ["titles and links", "\x1b]0;title\x07x\x1b]8;;http://a/b\x1b\\link\x1b]8;;\x1b\\", "xlink"],
  ["short escapes and charsets", "\x1b7a\x1b(Bb\x1bc", "ab"],
  ["8-bit spellings", "a\x9b31mb\x9d0;t\x9cc", "abc"],
  ["sequences cut off at the end of a line", "a\x1b[31\nb\x1b]0;title\nc\x1b", "a\nb\nc"],
  ["text without any", "5 % [31m ünïcode\ttab", "5 % [31m ünïcode\ttab"],
];

for (const [name, text, plain] of cases) {
  Deno.test(`withoutEscapes() takes away ${name}`, { permissions: "none" }, () => {
    assert.equal(withoutEscapes(text), plain);
  });
}

Deno.test(
  "readable() takes out what would steer a terminal, and cuts what is long",
  { permissions: "none" },
  () => {
    assert.equal(readable(" \x1b[31mred\x1b[0m\r\x07 alert\t"), "red  alert");
    assert.equal([...readable("💥".repeat(1000))].length, 300);
  },
);
