import assert from "node:assert/strict";
import { fuzz } from "./fuzz.ts";
import { targets } from "./targets.ts";

/** Seeds of each that take a few seconds; `deno task fuzz` plays more. */
const seeds: Record<string, number> = { framer: 150, journal: 100, mask: 250, regex: 150, terminal: 150 };

for (const target of Object.keys(targets)) {
  Deno.test(`fuzzing finds nothing: ${target}`, async () => {
    const { played, findings } = await fuzz(target, {
      from: 1,
      to: seeds[target] ?? 100,
      most: 1,
      isOver: () => false,
    });
    assert.deepEqual(findings, []);
    assert.ok(played > 0);
  });
}
