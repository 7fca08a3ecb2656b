import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { walkFiles } from "../../tools/walk_files.ts";
import { inFolder, write } from "./folder.ts";
import { gather } from "./gather.ts";
import { filesAtOnce, filesInMemory, inMemory, onTheMachine, secondHalf } from "./halves.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("inMemory has no right to start a program, to reach a network or to call a library", () => {
  assert.deepEqual(inMemory.args, ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"]);
});

Deno.test("Each test file is in one half: below a place that the second runs, or among those of the first", async () => {
  const first = await filesInMemory(root);
  const places = onTheMachine.args.slice(1);
  // What `deno test` takes for a file of tests where it is given a folder.
  const all = (await walkFiles(`${root}tests`)).map((path) => path.slice(root.length))
    .filter((file) => /[/_.]test\.(ts|tsx|mts|js|mjs|jsx)$/.test(file) && !file.startsWith("tests/corpus/"));
  const second = all.filter((file) => places.some((place) => file === place || file.startsWith(`${place}/`)));
  assert.deepEqual([...first, ...second].sort(), all.sort());
  assert.ok(first.length > 200 && second.length > 100);
  for (const place of places) assert.ok(second.some((file) => file.startsWith(place)), `${place} has tests`);
});

Deno.test("gather() makes modules of each folder, which import its files, twelve each at most", async () => {
  const many = Array.from({ length: 13 }, (_, i) => `tests/a/d/e${i}_test.ts`);
  await inFolder(async (to) => {
    const modules = await gather(["tests/a/b_test.ts", "tests/a/c_test.tsx", ...many], { root: "/p/", to });
    const names = ["a/all_0_test.ts", "a/d/all_0_test.ts", "a/d/all_12_test.ts"];
    assert.deepEqual(modules, names.map((name) => `${to}/tests/${name}`));
    const texts = modules.map((module) => Deno.readTextFileSync(module));
    assert.equal(texts[0], 'import "file:///p/tests/a/b_test.ts";\nimport "file:///p/tests/a/c_test.tsx";\n');
    const imported = texts.slice(1).join("").split("\n").slice(0, -1);
    assert.deepEqual(imported, many.map((file) => `import "file:///p/${file}";`));
    assert.equal(texts[2]!.split("\n").length, 2);
  });
});

Deno.test("gather() leaves a file by itself that has snapshots beside it", async () => {
  await inFolder(async (folder) => {
    write(`${folder}/tests/a/__snapshots__/b_test.ts.snap`, "");
    const modules = await gather(["tests/a/b_test.ts", "tests/a/c_test.ts"], {
      root: `${folder}/`,
      to: folder,
    });
    assert.deepEqual(modules, [`${folder}/tests/a/all_0_test.ts`, `${folder}/tests/a/b_test.ts`]);
    assert.doesNotMatch(Deno.readTextFileSync(modules[0]!), /b_test/);
  });
});

Deno.test("filesAtOnce() gives who waits a part of the time a neighbour more, and one processor one at least", () => {
  assert.deepEqual([1, 2, 4].map((processors) => filesAtOnce(onTheMachine, processors)), [1, 3, 6]);
  assert.deepEqual([1, 2, 4].map((processors) => filesAtOnce(inMemory, processors)), [1, 2, 4]);
});

Deno.test("secondHalf names what is there, and nothing twice", () => {
  for (const place of secondHalf) {
    assert.ok(Deno.statSync(root + place).isDirectory || place.includes("_test.ts"), place);
    const others = secondHalf.filter((other) => other !== place);
    assert.equal(others.length, secondHalf.length - 1, `${place} stands here twice`);
    assert.equal(others.find((other) => place.startsWith(`${other}/`)), undefined, place);
  }
});
