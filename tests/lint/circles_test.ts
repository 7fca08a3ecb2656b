import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { walkFiles } from "../../tools/walk_files.ts";
import { circlesOf, importsOf } from "./circles.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

Deno.test("no files of the program or the page import each other in a circle", async () => {
  const graph = new Map<string, string[]>();
  for (const folder of ["src", "ui"]) {
    for (const path of await walkFiles(root + folder)) {
      if (!/\.tsx?$/.test(path) || path.includes("/dist/")) continue;
      const text = await Deno.readTextFile(path);
      graph.set(path, importsOf(text).map((name) => fileURLToPath(new URL(name, `file://${path}`))));
    }
  }
  assert.ok(graph.size > 500);
  assert.ok([...graph.values()].flat().length > 2000);
  assert.deepEqual(circlesOf(graph).map((circle) => circle.map((path) => path.slice(root.length))), []);
});

Deno.test("importsOf() finds every form of an import", () => {
  const text = `
import { a } from "./a.ts";
import type { B } from "../b.ts";
import {
  c,
} from "./c.ts";
import "./d.ts";
export { e } from "./e.ts";
export type * from "./f.ts";
const g = await import("./g.ts");
// import { no } from "./no.ts";
/** import { no } from "./no.ts"; */
import { h } from "npm";
`;
  assert.deepEqual(importsOf(text), ["./a.ts", "../b.ts", "./c.ts", "./d.ts", "./e.ts", "./f.ts", "./g.ts"]);
});

Deno.test("circlesOf() finds circles, and none where two ways lead to one file", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["d"]],
    ["c", ["d"]],
    ["d", []],
    ["e", ["f"]],
    ["f", ["g", "d"]],
    ["g", ["e"]],
    ["self", ["self"]],
  ]);
  assert.deepEqual(circlesOf(graph), [["e", "f", "g"], ["self"]]);
});
