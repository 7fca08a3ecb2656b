import assert from "node:assert/strict";
import { readIni } from "../../../../src/importers/import/supervisord/ini.ts";

function read(text: string): Record<string, Record<string, string>> {
  const { sections } = readIni([{ path: "/f", text }]);
  return Object.fromEntries(
    [...sections].map((
      [name, { keys }],
    ) => [name, Object.fromEntries([...keys].map(([key, { text }]) => [key, text]))]),
  );
}

Deno.test("readIni() cuts remarks behind a blank only, within quotes too", () => {
  assert.deepEqual(read(`[a]\nx=1 ; r\ny="2 # r"\nz=3;4#5\n; r\n  # r\nu=;all\n`), {
    a: { x: "1", y: '"2', z: "3;4#5", u: ";all" },
  });
});

Deno.test("readIni() goes on with a value that stands further in, over remarks and empty lines", () => {
  assert.deepEqual(read("[a]\nx=1\n  2\n; r\n\n\t3\ny=4\n"), { a: { x: "1\n2\n\n3", y: "4" } });
});

Deno.test("readIni() joins sections of one name, key by key, and ignores the case of keys", () => {
  const { sections } = readIni([{ path: "/f", text: "[a]\nX=1\ny=2\n[b]\n[a]\nx : 3\n" }, {
    path: "/g",
    text: "[a]\nz=4\n",
  }]);
  const a = sections.get("a")!;
  assert.deepEqual([...a.keys].map(([key, { text, file, line }]) => [key, text, file, line]), [
    ["x", "3", "/f", 6],
    ["y", "2", "/f", 3],
    ["z", "4", "/g", 2],
  ]);
  assert.deepEqual([a.line, a.again], [1, [5, 1]]);
});

Deno.test("readIni() tells of lines that are no keys, and of what stands in front of all sections", () => {
  const { sections } = readIni([{ path: "/f", text: "[a]\nx=1\nnonsense\n=2\n" }]);
  assert.deepEqual(sections.get("a")?.faults.map(({ line }) => line), [3, 4]);
  assert.deepEqual(readIni([{ path: "/f", text: "\n; r\nx=1\n[a]\n" }]).stray, { file: "/f", line: 3 });
});
