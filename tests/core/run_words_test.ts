import assert from "node:assert/strict";
import {
  camelReason,
  camelReasons,
  camelTriggers,
  endReasons,
  snakeReason,
  snakeReasons,
  snakeTrigger,
  snakeTriggers,
  statusWord,
  triggersOf,
} from "../../src/core/run_words.ts";
import { parseStates } from "../../src/core/selector.ts";

const pure = { permissions: "none" } as const;

Deno.test("camelReason() and snakeReason() stay within the words of their spelling", pure, () => {
  assert.deepEqual(endReasons.map(camelReason).sort(), [...camelReasons].sort());
  assert.deepEqual([...new Set(endReasons.map(snakeReason))].sort(), [...snakeReasons].sort());
  assert.equal(camelReason("success"), "succeeded");
  assert.equal(snakeReason("unhealthy"), "failed");
});

Deno.test("snakeTrigger() folds the triggers that the snake_case form does not have", pure, () => {
  assert.deepEqual(camelTriggers.map(snakeTrigger), [
    "cron",
    "api",
    "api",
    "api",
    "cloud",
    "service",
    "startup",
    "api",
  ]);
});

Deno.test("triggersOf() finds with each word all that is shown under it", pure, () => {
  for (const word of snakeTriggers) {
    assert.deepEqual(
      triggersOf(word, "snake"),
      camelTriggers.filter((trigger) => snakeTrigger(trigger) === word).sort((a, b) => order(a) - order(b)),
    );
  }
  for (const word of camelTriggers) assert.deepEqual(triggersOf(word, "camel"), [word]);
  assert.equal(triggersOf("ui", "snake"), undefined);
  assert.equal(triggersOf("cloud", "camel"), undefined);
});

Deno.test(
  "statusWord() knows phases and the reasons of both spellings, and failed finds unhealthy",
  pure,
  () => {
    assert.deepEqual(statusWord("running"), { status: "running" });
    assert.deepEqual(statusWord("succeeded"), statusWord("success"));
    assert.deepEqual(statusWord("failed"), { reasons: ["failed", "unhealthy"] });
    assert.deepEqual(statusWord("unhealthy"), { reasons: ["unhealthy"] });
    for (const word of [...camelReasons, ...snakeReasons]) assert.ok(statusWord(word), word);
    for (const word of ["", "Success", "done", "constructor", "__proto__"]) {
      assert.equal(
        statusWord(word),
        undefined,
        word,
      );
    }
  },
);

Deno.test(
  "parseStates() reads a list with spaces and empty items, and names the first unknown word",
  pure,
  () => {
    assert.deepEqual(parseStates(" pending,, missed ,"), { statuses: ["pending"], reasons: ["missed"] });
    assert.deepEqual(parseStates("pending,nope,neither"), { unknown: "nope" });
    assert.deepEqual(parseStates(""), { statuses: [], reasons: [] });
  },
);

function order(trigger: string): number {
  return ["cron", "api", "ui", "cli", "hook", "station", "service", "startup"].indexOf(trigger);
}
