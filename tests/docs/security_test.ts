import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url);

Deno.test("each promise of docs/security.md names a test that there is", async () => {
  const text = (await Deno.readTextFile(new URL("docs/security.md", root))).replaceAll(/\s+/g, " ");
  const named = [...text.matchAll(/`(tests\/[\w/]+_test\.ts)` "([^"]+)"/g)];
  assert.ok(named.length > 20);
  for (const [, file = "", name = ""] of named) {
    const source = (await Deno.readTextFile(new URL(file, root))).replaceAll(/\s+/g, " ");
    assert.ok(source.includes(`"${name}"`), `${file} has no test "${name}"`);
  }
  const promises = text.split("## Who is let in")[0]!.split(/ - /).slice(1)
    .filter((item) => !item.startsWith("**Not promised**") && !item.startsWith("|"));
  for (const promise of promises) assert.match(promise, /_test\.ts`/, "a promise without a test");
});
