import assert from "node:assert/strict";
import fc from "fast-check";
import { plainWord, shellCommand, shellSigns, splitWords } from "../../../src/importers/import/words.ts";
import { received } from "./stub.ts";

function split(text: string): (string | undefined)[] {
  const found = splitWords(text);
  assert.ok("words" in found, JSON.stringify(found));
  return found.words.map(plainWord);
}

Deno.test("splitWords() splits as a POSIX shell does, and does nothing else", () => {
  assert.deepEqual(split(`a  "b c"'d e'f\tg`), ["a", "b cd ef", "g"]);
  assert.deepEqual(split(`"" '' \\" "\\"\\\\\\n" a\\ b`), ["", "", '"', `"\\\\n`, "a b"]);
  assert.deepEqual(split("$HOME `id` * ~ # x | y"), ["$HOME", "`id`", "*", "~", "#", "x", "|", "y"]);
  assert.deepEqual(split("  "), []);
});

Deno.test("splitWords() says which quote is never closed", () => {
  assert.deepEqual(splitWords(`a "b`), { fault: "its double quote is never closed" });
  assert.deepEqual(splitWords(`a 'b"`), { fault: "its single quote is never closed" });
  assert.deepEqual(splitWords("a \\"), { fault: "it ends in a backslash" });
});

Deno.test(
  "shellCommand() makes a script that hands on the very words",
  { permissions: { run: ["/bin/sh"] } },
  () => {
    const word = fc.string({ unit: fc.constantFrom(..."ab '\"\\$`*?[]{}~#=&|;<>()!%\n\tä") });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        assert.deepEqual(received(`exec ${shellCommand(words.map((one) => [one]))}`), words);
      }),
      { numRuns: 40, seed: 4 },
    );
  },
);

Deno.test("shellCommand() keeps a shell from taking the program for a word or a variable of its own", () => {
  assert.equal(shellCommand([["if"], ["x"]]), "''if x");
  assert.equal(shellCommand([["A=1"], ["x"]]), "''A=1 x");
  assert.equal(shellCommand([["A=", { shell: "$X", isQuoted: true }]]), `''A="$X"`);
  assert.deepEqual(received(`exec ${shellCommand([["while"], ["x"]])}`), ["while", "x"]);
});

Deno.test("shellSigns() finds what means something to a shell only", () => {
  const found = splitWords("a && b | c > d 2>&1 e&f '&&'");
  assert.ok("words" in found);
  assert.deepEqual(shellSigns(found.words), ["&&", "|", ">", "2>&1"]);
});
