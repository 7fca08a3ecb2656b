import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inMemory, onTheMachine, secondHalf } from "./halves.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("inMemory has no right to start a program, to reach a network or to call a library", () => {
  const rights = inMemory.args.filter((arg) => !arg.startsWith("--ignore="));
  assert.deepEqual(rights, ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"]);
});

Deno.test("Each test is in one half: what the first ignores is what the second runs", () => {
  const ignored = inMemory.args.find((arg) => arg.startsWith("--ignore="))!.slice("--ignore=".length);
  assert.deepEqual(onTheMachine.args, ["-A", ...ignored.split(",")]);
});

Deno.test("secondHalf names what is there, and nothing twice", () => {
  for (const place of secondHalf) {
    assert.ok(Deno.statSync(root + place).isDirectory || place.includes("_test.ts"), place);
    const others = secondHalf.filter((other) => other !== place);
    assert.equal(others.length, secondHalf.length - 1, `${place} stands here twice`);
    assert.equal(others.find((other) => place.startsWith(`${other}/`)), undefined, place);
  }
});
