import assert from "node:assert/strict";
import { variablesIn, withFallbacks } from "../../../../src/importers/import/compose/interpolate.ts";

Deno.test("variablesIn() finds the names that have no fallback", () => {
  const texts: [text: string, names: string[]][] = [
    ["plain", []],
    ["$A/${B}", ["A", "B"]],
    ["${A:?say it} ${B?}", ["A", "B"]],
    ["${A:-x} ${B-x} ${C:+x} ${D+x} ${E-}", []],
    ["$$A $${B} $$$C", ["C"]],
    ["${A:-${B:-c}} ${A:-$B}", ["B"]],
    ["5$ and $(date)", []],
  ];
  for (const [text, names] of texts) assert.deepEqual(variablesIn(text), names, text);
});

Deno.test("withFallbacks() reads a text as compose does where no variable is set", () => {
  const texts: [text: string, plain: string | undefined][] = [
    ["always", "always"],
    ["${A:-always}", "always"],
    ["${A-}x${B:+y}", "x"],
    ["$$5 $${A:-b}", "$5 ${A:-b}"],
    ["${A}", undefined],
    ["on-failure:$N", undefined],
  ];
  for (const [text, plain] of texts) assert.equal(withFallbacks(text), plain, text);
});
