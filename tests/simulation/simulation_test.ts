import assert from "node:assert/strict";
import { hunt } from "./hunt.ts";
import { keptSeeds, seeds } from "./seeds.ts";

Deno.test("Engine keeps its promises under seeds that once found a bug", async () => {
  for (const seed of seeds) assert.equal(await hunt(seed, { keeps: false }), undefined);
});

Deno.test("Engine keeps its promises under seeds that once found a bug where runs outlive it", async () => {
  for (const seed of keptSeeds) assert.equal(await hunt(seed, { keeps: true }), undefined);
});

Deno.test("Engine keeps its promises whatever comes, and wherever it dies: seeds 1001 to 1045", async () => {
  for (let seed = 1001; seed <= 1045; seed++) assert.equal(await hunt(seed), undefined);
});
