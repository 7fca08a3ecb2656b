import assert from "node:assert/strict";
import plugin from "./promises.ts";

function found(source: string, path = "src/engine/x.ts"): string[] {
  return Deno.lint.runPlugin(plugin, `/p/${path}`, source).map(({ message }) => message.split(":")[0]!);
}

Deno.test("the lint plugin finds promises whose rejection nobody hears of", () => {
  const message = "nobody hears of a rejection";
  for (
    const source of [
      "child.status.then((status) => exited(status));",
      "void promise.then(f);",
      "Promise.all(pipes).then(f).finally(g);",
      "clock.after(5, () => void promise.then(f));",
      "promise.finally(f);",
    ]
  ) assert.deepEqual(found(source), [message], source);
  for (
    const source of [
      "promise.then(f, g);",
      "promise.then(f).catch(g);",
      "void promise.then(f, g).finally(h);",
      "const later = promise.then(f);",
      "async function a() { await promise.then(f); }",
    ]
  ) assert.deepEqual(found(source), [], source);
  assert.deepEqual(found("promise.then(f);", "src/cli/x.ts"), []);
  assert.deepEqual(found("promise.then(f);", "tests/engine/x.ts"), []);
});

Deno.test("the lint plugin finds async functions that are called and forgotten", () => {
  const fails = "async function look() { await ask(); }";
  const safe = "async function look() { let x = 1; try { await ask(); } catch (e) { say(e); } }";
  assert.deepEqual(found(`${fails} look();`), ["look() is async"]);
  assert.deepEqual(found(`${fails} void look();`), ["nobody hears when look() fails"]);
  assert.deepEqual(found(`${safe} look();`), ["look() is async"]);
  for (
    const source of [
      `${safe} void look();`,
      `${fails} void look().catch(say);`,
      `${fails} const it = look();`,
    ]
  ) {
    assert.deepEqual(found(source), [], source);
  }
  const method = (body: string): string => `class A { async #look() { await ask(); } start() { ${body} } }`;
  assert.deepEqual(found(method("this.#look();")), ["#look() is async"]);
  assert.deepEqual(found(method("after(5, () => void this.#look());")), ["nobody hears when #look() fails"]);
  assert.deepEqual(found(method("return void this.#look();")), ["nobody hears when #look() fails"]);
  assert.deepEqual(found(method("void this.#look().catch(reportError);")), []);
});
