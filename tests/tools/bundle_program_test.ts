import assert from "node:assert/strict";
import { bundleProgram, lateImports, lazyRequire, smallScript } from "../../tools/bundle_program.ts";

Deno.test("lazyRequire() makes the bundler's require() when it is wanted, and refuses one made otherwise", () => {
  const eager = [
    `import { createRequire as __deno_internal_createRequire } from "node:module";`,
    `var __require = __deno_internal_createRequire(import.meta.url);`,
    `console.log(1);`,
  ].join("\n");
  assert.equal(
    lazyRequire(eager),
    `var __require = (name) => process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);\nconsole.log(1);`,
  );
  assert.equal(lazyRequire("let $1 = `$&`;\n"), "let $1 = `$&`;\n");
  assert.throws(() => lazyRequire("const r = __deno_internal_createRequire(x);"), /in another way/);
});

Deno.test("lateImports() hides imports from Deno but for those of workers", () => {
  const text = `await import("./a-1.js");await import("./serve-2.js");await import("node:zlib")`;
  assert.equal(
    lateImports(text, "main.js"),
    `await import(""+"./a-1.js");await import("./serve-2.js");await import("node:zlib")`,
  );
  assert.equal(lateImports(text, "serve-2.js"), text);
  assert.equal(lateImports(text, "net_worker-3.js"), text);
});

Deno.test("smallScript() keeps what closes things, is plain ASCII and takes the form for production", async () => {
  const text =
    `{ using file = open(); read(file) }\nif (process.env.NODE_ENV !== "production") slow("\u00e9");`;
  const small = await smallScript(text, "x.js");
  assert.match(small, /using \w+=open\(\)/);
  assert.doesNotMatch(small, /slow/);
  assert.match(await smallScript(`say("\u00e9")`, "x.js"), /^say\("\\xe9"\);?$/);
});

Deno.test("bundleProgram() makes the same scripts in other folders", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-bundle-" });
  try {
    const first = await bundleIn(`${folder}/a`);
    const second = await bundleIn(`${folder}/another/and deeper`);
    assert.ok(Object.keys(first).length > 3, Object.keys(first).join(" "));
    assert.deepEqual(second, first);
    assert.doesNotMatch(JSON.stringify(first), /svc-bundle-/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Bundles a program with two late parts, what they share and a package; answers its scripts by name. */
async function bundleIn(folder: string): Promise<Record<string, string>> {
  const root = new URL("../../", import.meta.url);
  await Deno.mkdir(`${folder}/source`, { recursive: true });
  for (const name of ["deno.json", "deno.lock"]) {
    await Deno.copyFile(new URL(name, root), `${folder}/source/${name}`);
  }
  const files = {
    "main.ts": `console.log((await import("./one.ts")).one, (await import("./two.ts")).two);`,
    "one.ts": `import { both } from "./both.ts";\nexport const one = both("one");`,
    "two.ts": `import { both } from "./both.ts";\nexport const two = both("two");`,
    "both.ts":
      `import { parse } from "smol-toml";\nexport const both = (key: string) => parse(key + " = 1");`,
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/source/${name}`, text);
  }
  await bundleProgram(`${folder}/source`, `${folder}/program`);
  const names = [...Deno.readDirSync(`${folder}/program`)].map(({ name }) => name).sort();
  return Object.fromEntries(names.map((name) => [name, Deno.readTextFileSync(`${folder}/program/${name}`)]));
}
