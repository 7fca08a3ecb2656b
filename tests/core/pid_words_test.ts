import assert from "node:assert/strict";
import { pidWords } from "../../src/core/pid_words.ts";

Deno.test("pidWords() names a few, and counts the rest", { permissions: "none" }, () => {
  assert.equal(pidWords([{ pid: 7, name: "" }]), "pid 7");
  assert.equal(
    pidWords([{ pid: 7, name: "sleep" }, { pid: 8, name: "a\x1b[2J" }]),
    "pid 7 (sleep), pid 8 (a?[2J)",
  );
  const many = Array.from({ length: 2000 }, (_, n) => n + 1);
  assert.match(pidWords(many.map((pid) => ({ pid, name: "" }))), /^pid 1, .*, pid 20 and 1980 more$/);
  assert.doesNotMatch(pidWords(many.slice(0, 20).map((pid) => ({ pid, name: "" }))), /more/);
});
