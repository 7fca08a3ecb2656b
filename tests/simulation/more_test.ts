import assert from "node:assert/strict";
import { hunt } from "./hunt.ts";
import { play, scriptOf } from "./simulation.ts";

Deno.test("Engine keeps its promises whatever comes, and wherever it dies: seeds 2101 to 2135", async () => {
  for (let seed = 2101; seed <= 2135; seed++) assert.equal(await hunt(seed), undefined);
});

Deno.test("scriptOf() and play() are functions of the seed", async () => {
  const trace = async (seed: number): Promise<string> => {
    const lines: string[] = [];
    await play(scriptOf(seed), { trace: (line) => lines.push(line) });
    return lines.join("\n");
  };
  const first = await trace(7);
  assert.ok(first.length > 1000);
  assert.equal(await trace(7), first);
  assert.notEqual(await trace(8), first);
});
