import assert from "node:assert/strict";
import { shellWord } from "../../src/core/shell_word.ts";

Deno.test("shellWord() writes words as a shell takes them", { permissions: "none" }, () => {
  assert.deepEqual(["a=1", "a/b.c", "--x=1", "a b", "it's", "", "=x", "~", "$HOME"].map(shellWord), [
    "a=1",
    "a/b.c",
    "--x=1",
    "'a b'",
    "'it'\\''s'",
    "''",
    "'=x'",
    "'~'",
    "'$HOME'",
  ]);
});
