import assert from "node:assert/strict";
import { hunt } from "./hunt.ts";
import { seeds } from "./seeds.ts";

Deno.test("Engine keeps its promises under seeds that once found a bug", async () => {
  for (const seed of seeds) assert.equal(await hunt(seed), undefined);
});

Deno.test("Engine keeps its promises whatever comes, and wherever it dies: seeds 1001 to 1045", async () => {
  for (let seed = 1001; seed <= 1045; seed++) assert.equal(await hunt(seed), undefined);
});
