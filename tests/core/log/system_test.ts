import assert from "node:assert/strict";
import {
  formatSystemLine,
  MAX_SYSTEM_TEXT,
  parseSystemLines,
  systemTexts,
} from "../../../src/core/log/system.ts";

const pure = { permissions: "none" } as const;

Deno.test("parseSystemLines() gives back what formatSystemLine() wrote", pure, () => {
  const lines = [
    { n: 3, at: 1_700_000_000_123, text: "SIGTERM sent, 10 s to end" },
    { n: 9, at: 0, text: "  größer als – " },
  ];
  const content = lines.map(formatSystemLine).join("");
  assert.deepEqual(parseSystemLines(content, { from: 0, to: Infinity }), lines);
});

Deno.test("parseSystemLines() passes over noise, foreign numbers and what goes backwards", pure, () => {
  const content = "5 1 five\nnoise\n\u0000\u0001\n4 1 four\n2 1 two\n7 x seven\n8 1 eight\n9 1 nine\n6 1";
  const found = parseSystemLines(content, { from: 4, to: 9 });
  assert.deepEqual(found.map(({ n, text }) => [n, text]), [[5, "five"], [8, "eight"]]);
});

Deno.test("systemTexts() makes one clean line of each, and shortens what is too long", pure, () => {
  assert.deepEqual(systemTexts("one\n\n  two\t\u001b[31m\r\n"), ["one", "two  [31m"]);
  const [long = ""] = systemTexts("x".repeat(9999));
  assert.equal(long.length, MAX_SYSTEM_TEXT);
  assert.ok(long.endsWith("x…"));
});
