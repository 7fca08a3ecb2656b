import assert from "node:assert/strict";
import plugin, { forbidden, forbiddenFloor, roomOf } from "./rooms.ts";

/** What the plugin says of a source at a path of the project. */
function found(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/p/${path}`, source).map(({ message }) => message);
}

Deno.test("roomOf() tells the room of a file, and that some files have none", () => {
  const rooms = {
    "/p/src/types.ts": "types",
    "/p/src/core/cron/next.ts": "core",
    "/p/src/io/store/runs.ts": "io",
    "/p/ui/main.tsx": "ui",
    "/p/main.ts": undefined,
    "/p/tests/core/heap_test.ts": undefined,
  };
  for (const [path, room] of Object.entries(rooms)) assert.equal(roomOf(path), room, path);
});

Deno.test("forbidden() knows which room may import which", () => {
  assert.match(forbidden("core", "/p/src/io/clock.ts")!, /may not import room "io"/);
  assert.match(forbidden("io", "/p/src/engine/engine.ts")!, /may not import room "engine"/);
  assert.match(forbidden("core", "node:path")!, /pure/);
  assert.match(forbidden("cli", "/p/src/http/app.ts")!, /import type/);
  assert.match(forbidden("http", "/p/src/engine/runs/runner.ts")!, /engine by its face/);
  assert.match(forbidden("attic", "/p/src/types.ts")!, /not in the plan/);
  assert.equal(forbidden("cli", "/p/src/http/app.ts", { typeOnly: true }), undefined);
  assert.equal(forbidden("engine", "/p/src/io/clock.ts"), undefined);
  assert.equal(forbidden("core", "/p/src/core/heap.ts"), undefined);
  assert.equal(forbidden("http", "/p/ui/dist/main.js"), undefined);
  assert.equal(forbidden("core", "smol-toml"), undefined);
});

Deno.test("forbiddenFloor() lets floors of the engine know what lies below them", () => {
  const at = (path: string) => `/p/src/engine/${path}.ts`;
  const why = (path: string, target: string, typeOnly = false) =>
    forbiddenFloor(at(path), at(target), { typeOnly });
  assert.match(why("runs/bulk", "upkeep/pruner")!, /"runs" may not import the floor "upkeep"/);
  assert.match(why("tasks/tasks", "services/services")!, /"tasks" may not import the floor "services"/);
  assert.match(why("upkeep/metrics", "unit_view")!, /above it/);
  assert.match(why("world", "runs/runner")!, /below the floors/);
  assert.match(why("attic/box", "runs/runner")!, /not in the plan/);
  assert.equal(why("upkeep/metrics", "unit_view", true), undefined);
  assert.equal(why("upkeep/pruner", "runs/bulk"), undefined);
  assert.equal(why("tasks/tasks", "bus"), undefined);
  assert.equal(why("tasks/tasks", "tasks/retries"), undefined);
  assert.equal(why("engine", "tasks/tasks"), undefined);
  assert.equal(forbiddenFloor(at("runs/runner"), "/p/src/core/heap.ts"), undefined);
});

Deno.test("the lint plugin finds what core must not do", () => {
  const found = (source: string): string[] =>
    Deno.lint.runPlugin(plugin, "/p/src/core/x.ts", source).map(({ message }) => message);
  assert.deepEqual(found("export const a = Deno.cwd();"), ["core is pure: no Deno"]);
  assert.deepEqual(found("setTimeout(() => {}, 1);"), ["core is pure: no setTimeout"]);
  assert.deepEqual(found("const a = Date.now();"), ["core is pure: the time comes in as a value"]);
  assert.deepEqual(found("const a = new Date();"), ["core is pure: the time comes in as a value"]);
  assert.deepEqual(found("const a = Math.random();"), ["core is pure: no randomness"]);
  assert.deepEqual(found("await f();"), ["core is pure: no await"]);
  assert.deepEqual(
    Deno.lint.runPlugin(plugin, "/p/src/importers/x.ts", "await f();").map(({ message }) => message),
    ["importers is pure: no await"],
  );
  assert.equal(found('import { x } from "../io/clock.ts";').length, 1);
  assert.equal(found('const m = import(`./${"a"}.ts`);').length, 1);
  assert.deepEqual(
    found('import { y } from "./y.ts"; export const d = new Date(0); const process = y; f(process);'),
    [],
  );
});

Deno.test("rooms/imports sees every form of an import, and follows relative paths", () => {
  const file = "src/core/deep/x.ts";
  const bad = [
    'import { systemClock } from "../../io/clock.ts";',
    'import type { Clock } from "../../io/clock.ts";',
    'export { systemClock } from "../../io/clock.ts";',
    'export * from "../../io/clock.ts";',
    'const it = import("../../io/clock.ts");',
    'import { readFileSync } from "node:fs";',
    "const it = import(name);",
  ];
  for (const source of bad) assert.equal(found(file, source).length, 1, source);
  assert.deepEqual(found(file, 'import { Heap } from "../heap.ts"; import fc from "fast-check";'), []);
  assert.deepEqual(found("tests/core/x_test.ts", bad[0]!), []);
});

Deno.test("the lint plugin lets other rooms do what core must not", () => {
  for (
    const source of ["Deno.cwd();", "Date.now();", "Math.random();", "async function f() { await g(); }"]
  ) {
    assert.equal(found("src/core/x.ts", source).length, 1, source);
    assert.deepEqual(found("src/io/x.ts", source), [], source);
  }
});
