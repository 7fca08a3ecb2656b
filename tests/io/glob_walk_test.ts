import assert from "node:assert/strict";
import { expandGlob, expandGlobs, mostEntries } from "../../src/io/glob_walk.ts";
import { inFolder, manyEntries, write } from "../support/folder.ts";

Deno.test("expandGlob() gives the regular files that match, sorted", () =>
  inFolder((folder) => {
    for (const name of ["b.toml", "a.toml", ".c.toml", "sub/d.toml", "sub/deep/e.toml", "x/[y]/f.toml"]) {
      write(`${folder}/${name}`, "");
    }
    Deno.symlinkSync(`${folder}/a.toml`, `${folder}/link.toml`);
    Deno.symlinkSync(folder, `${folder}/sub/loop`);
    Deno.symlinkSync(`${folder}/gone`, `${folder}/dangling.toml`);
    const found = (glob: string): string[] =>
      expandGlob(`${folder}/${glob}`).files.map((path) => path.slice(folder.length + 1));
    assert.deepEqual(found("*.toml"), ["a.toml", "b.toml", "link.toml"]);
    assert.deepEqual(found("**/*.toml"), [
      "a.toml",
      "b.toml",
      "link.toml",
      "sub/d.toml",
      "sub/deep/e.toml",
      "x/[y]/f.toml",
    ]);
    assert.deepEqual(found("{sub,gone}/*.toml"), ["sub/d.toml"]);
    assert.deepEqual(found("x/\\[y\\]/*"), ["x/[y]/f.toml"]);
    assert.deepEqual(found("gone/*"), []);
    assert.deepEqual(found("a.toml/*"), []);
    assert.deepEqual(found("s*b"), []);
  }));

Deno.test("expandGlob() goes round in no circle of links, and looks at each folder once", () =>
  inFolder((folder) => {
    write(`${folder}/a/b/x.toml`, "");
    for (const name of ["l1", "l2", "l3", "l4"]) Deno.symlinkSync(folder, `${folder}/a/${name}`);
    Deno.symlinkSync("self", `${folder}/self`);
    const { files, unfinished } = expandGlob(`${folder}/**/**/**/**/**/**/**/**/x.toml`);
    assert.deepEqual([files, unfinished], [[`${folder}/a/b/x.toml`], undefined]);
    const round = expandGlob(`${folder}/*${"/*/*".repeat(12)}/x.toml`);
    assert.match(round.unfinished ?? "", /^leads through more than 20000 files and folders: name /);
  }));

Deno.test("expandGlobs() leaves the thread to others while it walks, and stops at its bound", () =>
  inFolder(async (folder) => {
    manyEntries(`${folder}/many`);
    write(`${folder}/conf.d/a.toml`, "");
    let turns = 0;
    const timer = setInterval(() => turns++);
    const found = await expandGlobs([`${folder}/many/*/*/*.toml`, `${folder}/conf.d/*.toml`]);
    clearInterval(timer);
    assert.match(found.get(`${folder}/many/*/*/*.toml`)?.unfinished ?? "", /^leads through more than/);
    assert.deepEqual(found.get(`${folder}/conf.d/*.toml`), { files: [`${folder}/conf.d/a.toml`] });
    assert.ok(turns > 0, "a timer fires in between");
    assert.equal(mostEntries, 20_000);
  }));
