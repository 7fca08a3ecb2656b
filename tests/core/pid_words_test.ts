import assert from "node:assert/strict";
import { pidWords } from "../../src/core/pid_words.ts";

Deno.test("pidWords() names a few, and counts the rest", { permissions: "none" }, () => {
  assert.equal(pidWords([7]), "pid 7");
  assert.equal(pidWords([7, 8]), "pid 7, pid 8");
  const many = Array.from({ length: 2000 }, (_, n) => n + 1);
  assert.match(pidWords(many), /^pid 1, .*, pid 20 and 1980 more$/);
  assert.doesNotMatch(pidWords(many.slice(0, 20)), /more/);
});
