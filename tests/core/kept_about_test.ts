import assert from "node:assert/strict";
import { readAbout, writeAbout } from "../../src/core/kept_about.ts";
import type { Unit } from "../../src/types.ts";
import { check, param, service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test(
  "readAbout() gives back the definition that writeAbout() put down, and what was masked",
  pure,
  () => {
    const units: Unit[] = [
      task({
        name: "t",
        secrets: { A: "secret" },
        params: [param({ kind: "env", key: "P" })],
        cron: "@daily",
      }),
      service({ name: "t", healthCheck: check({ kind: "run", run: "true" }), limits: { memory: 5 } }),
    ];
    for (const unit of units) {
      const about = { unit, masked: ["token"] };
      assert.deepEqual(readAbout(writeAbout(about), { name: "t", kind: unit.kind }), about);
    }
  },
);

Deno.test(
  "readAbout() believes no definition of another unit or kind, and none that lacks what a run depends on",
  pure,
  () => {
    const text = writeAbout({ unit: task({ name: "t" }), masked: [] });
    assert.equal(readAbout(text, { name: "u", kind: "task" }), undefined);
    assert.equal(readAbout(text, { name: "t", kind: "service" }), undefined);
    for (const broken of ["", "{", "null", "[]", '{"unit":[]}', '{"unit":{"kind":"task","name":"t"}}']) {
      assert.equal(readAbout(broken, { name: "t", kind: "task" }), undefined, broken);
    }
    for (const field of ["timeout", "stopSignal", "exitCodes", "secrets", "killStrays", "retryAttempts"]) {
      for (const value of [undefined, null, "x", 7, [], {}, true]) {
        const unit = { ...task({ name: "t" }), [field]: value } as Unit;
        const known = task({ name: "t" })[field as keyof Unit];
        const isSame = typeof value === typeof known && Array.isArray(value) === Array.isArray(known) &&
          value !== null;
        const read = readAbout(writeAbout({ unit, masked: [] }), { name: "t", kind: "task" });
        assert.equal(read !== undefined, isSame, `${field} ${JSON.stringify(value)}`);
      }
    }
  },
);

Deno.test("readAbout() gives a definition of an earlier version what it lacks", pure, () => {
  const { survive: _, ...unit } = task({ name: "t" });
  const text = JSON.stringify({ unit, masked: [1, "a"] });
  assert.deepEqual(readAbout(text, { name: "t", kind: "task" }), {
    unit: task({ name: "t" }),
    masked: ["a"],
  });
});
