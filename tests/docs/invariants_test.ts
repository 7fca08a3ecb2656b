import assert from "node:assert/strict";
import { planted } from "../simulation/planted.ts";
import { plantedKeepers } from "../simulation/planted_keepers.ts";

const root = new URL("../../", import.meta.url).pathname;

Deno.test("docs/invariants.md names each planted bug, under a model that there is", async () => {
  const text = await Deno.readTextFile(`${root}docs/invariants.md`);
  const named = [...text.matchAll(/^ {2}- "([^"]+)"$/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), [...planted, ...plantedKeepers].map(({ name }) => name).sort());
  const models = [...text.matchAll(/^## .*\(.*\)$/gm)].flatMap(([heading]) =>
    heading.match(/\w+_model\.ts/g) ?? []
  );
  assert.ok(models.length > 5);
  for (const model of models) assert.ok((await Deno.stat(`${root}tests/simulation/${model}`)).isFile);
});
