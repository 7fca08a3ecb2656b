import assert from "node:assert/strict";
import { pending } from "../../../src/core/config/pending.ts";
import { load } from "./memory.ts";

const unitKeys: Record<string, string> = {
  notify: '["inapp"]',
  expect_every: '"1d"',
  warn_after: '"1h"',
  ping_url: '"https://x"',
};

const everything = [
  '[notify]\nretry_budget = "1m"',
  '[notifiers.n]\ntype = "slack"\nurl = "https://x"',
  '[compose.c]\nfile = "c.yaml"',
  ...["1", "2"].flatMap((n) => [
    `[tasks.t${n}]\nrun = "x"`,
    ...Object.entries(unitKeys).map(([key, raw]) => `${key} = ${raw}`),
  ]),
  '[[route]]\nnotify = ["n"]',
].join("\n");

Deno.test("warnOfPending() warns once of each key without effect, at its first place, with the count", {
  permissions: "none",
}, () => {
  const { errors, warnings } = load(everything);
  assert.deepEqual(errors, []);
  assert.equal(warnings.length, pending.size);
  for (const [id, sentence] of pending) {
    const key = id.split(".")[1] ?? id;
    const lines = everything.split("\n");
    const own = id.includes(".");
    const line = 1 +
      lines.findIndex((text) =>
        text.startsWith(own ? `${key} = ` : `[${key}`) || text.startsWith(`[[${key}`)
      );
    const warning = warnings.find((it) => it.line === line && it.message.includes(sentence));
    assert.ok(warning, id);
    assert.equal(warning.message.endsWith(" (used 2 times)"), id.startsWith("unit."), warning.message);
  }
});

Deno.test("warnOfPending() has nothing to say of keys that work", { permissions: "none" }, () => {
  assert.deepEqual(load('[tasks.t]\nrun = "x"\ncron = "@daily"\nretry_attempts = 1\n').warnings, []);
});
