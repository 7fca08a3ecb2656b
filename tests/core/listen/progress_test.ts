import assert from "node:assert/strict";
import { isExpendable, type Patience, stalledAfter, verdict } from "../../../src/core/listen/progress.ts";

const patience: Patience = { header: 10, request: 60, idle: 75, write: 30 };

Deno.test("verdict() tells who is slow with a request, and cuts off who is idle or takes nothing", {
  permissions: "none",
}, () => {
  const cases = [
    ["fresh", 10, "refuse"],
    ["header", 10, "refuse"],
    ["body", 60, "refuse"],
    ["idle", 75, "cut"],
    ["send", 30, "cut"],
  ] as const;
  for (const [phase, limit, word] of cases) {
    const progress = { phase, since: 1000 };
    assert.equal(verdict(progress, { now: 1000 + limit - 1, patience }), "keep", phase);
    assert.equal(verdict(progress, { now: 1000 + limit, patience }), word, phase);
  }
});

Deno.test("verdict() lets the daemon take all its time", { permissions: "none" }, () => {
  assert.equal(verdict({ phase: "work", since: 0 }, { now: 1e9, patience }), "keep");
});

Deno.test(
  "isExpendable() is who only waits, and who has taken nothing for a while",
  { permissions: "none" },
  () => {
    for (const phase of ["fresh", "header", "body", "idle"] as const) {
      assert.ok(isExpendable({ phase, since: 0 }, 0), phase);
    }
    assert.ok(!isExpendable({ phase: "work", since: 0 }, 1e9));
    assert.ok(!isExpendable({ phase: "send", since: 0 }, stalledAfter - 1));
    assert.ok(isExpendable({ phase: "send", since: 0 }, stalledAfter));
  },
);
