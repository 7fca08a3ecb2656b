import assert from "node:assert/strict";
import { settle } from "../support/fake_clock.ts";
import { makeEngine } from "../support/make_engine.ts";
import { second, task } from "../support/units.ts";

const api = { trigger: "api" } as const;

Deno.test("Each end of a run that its exit code does not explain is explained in its row", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "slow", timeout: 5 * second }),
      task({ name: "one", onOverlap: "skip" }),
      task({ name: "new", onOverlap: "terminate" }),
      task({ name: "full", queueMax: 1 }),
      task({ name: "asked" }),
    ],
  });
  const why = (id: string): string | undefined => t.engine.getRun(id).error;
  const slow = t.engine.run("slow", api).id;
  const one = t.engine.run("one", api).id;
  assert.equal(why(t.engine.run("one", api).id), `it was running at its limit already: ${one}`);
  const old = t.engine.run("new", api).id;
  const fresh = t.engine.run("new", api).id;
  for (let n = 0; n < 2; n++) t.engine.run("full", api);
  assert.equal(why(t.engine.run("full", api).id), "its queue is full: 1 of its runs wait already");
  const asked = t.engine.run("asked", api).id;
  t.engine.stopRun(asked);
  await t.clock.advance(30 * second);
  await settle();
  assert.equal(why(slow), "it was not done after 5.0 s");
  assert.equal(why(old), `a newer run took its place: ${fresh}`);
  assert.equal(why(asked), "it was stopped on request");
});
