import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url).pathname;

/** Whether a file defines a function, or a class with a method, of this name. */
function defines(source: string, name: string): boolean {
  const [first = "", method] = name.split(".");
  if (method === undefined) return new RegExp(`^(export )?(async )?function ${first}\\b`, "m").test(source);
  const at = source.search(new RegExp(`^export class ${first}\\b`, "m"));
  return at >= 0 &&
    new RegExp(`^  (static |override )*(async )?${method.replace("#", "\\#")}[(<]`, "m").test(
      source.slice(at),
    );
}

Deno.test("The tour names functions that are there, ten at most for each path", async () => {
  const text = await Deno.readTextFile(`${root}docs/tour.md`);
  const missing: string[] = [];
  for (const path of text.split(/^## /m).slice(1)) {
    const steps = [...path.matchAll(/`([\w.#]+)` \((src\/[\w/]+\.ts)\)/g)];
    assert.ok(steps.length >= 5, path);
    assert.ok([...path.matchAll(/^\d+\. /gm)].length <= 10, path);
    for (const [, name, file] of steps) {
      const source = await Deno.readTextFile(root + file).catch(() => "");
      if (!defines(source, name!)) missing.push(`${file}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});
