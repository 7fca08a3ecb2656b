import assert from "node:assert/strict";
import { soak } from "../soak/soak.ts";

// It is short and shares its machine: only what grows fast can be seen here, `deno task soak` sees the rest.
Deno.test("a daemon under a mixed load loses and doubles no run, answers well, and does not swell", async () => {
  const { complaints, counts } = await soak({ seconds: 40, sampleEvery: 1, slack: 10 });
  assert.deepEqual(complaints, []);
  for (const [name, count] of Object.entries(counts)) {
    if (name !== "faults") assert.ok(count > 0, `there were no ${name}`);
  }
});
