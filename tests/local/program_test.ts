import assert from "node:assert/strict";
import { v8Flags } from "../../src/local/service/program.ts";

Deno.test("the program starts itself with the flags of V8 by which it is built, and by which it runs from source", () => {
  for (const [file, count] of [["compile.sh", 1], ["deno.json", 2]] as const) {
    const text = Deno.readTextFileSync(new URL(`../../${file}`, import.meta.url));
    const own = text.match(/--v8-flags=--max-[\w=,-]+/g) ?? [];
    assert.deepEqual(own, Array(count).fill(v8Flags), file);
  }
});
