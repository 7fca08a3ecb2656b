import assert from "node:assert/strict";
import { parseYaml } from "../../src/core/yaml.ts";

function valueOf(text: string): unknown {
  const read = parseYaml(text);
  return "fault" in read ? read.fault : read.value;
}

Deno.test("parseYaml() takes lines in brackets and quotes that stand further out, as libyaml does", () => {
  assert.deepEqual(valueOf('a:\n  b: [\n      "--a"\n  ]\n'), { a: { b: ["--a"] } });
  assert.deepEqual(valueOf("a:\n  b: {\n  x: 1,\n  y: 2\n  }\nc: 1\n"), { a: { b: { x: 1, y: 2 } }, c: 1 });
  assert.deepEqual(valueOf('a:\n  - [\n1,\n    "x\n  y"\n]\n'), { a: [[1, "x y"]] });
  assert.deepEqual(valueOf("a: 'x\n\ny'\nb: |\n  ]\n"), { a: "x\ny", b: "]\n" });
});

Deno.test("parseYaml() says where text is wrong by its own lines and columns", () => {
  assert.equal(valueOf("a: [\n1\n}\n"), "line 3, column 1: missed comma between flow collection entries");
  assert.match(String(valueOf("a:\n  b: [\n  1\n")), /^line \d+, column \d+: unexpected end/);
  assert.match(String(valueOf("a: 1\n b: 2\n")), /^line 2, column \d+: /);
});

Deno.test("parseYaml() gives back the text that it read, with the same lines", () => {
  const text = "a: [\n1,\n2\n]\n";
  const read = parseYaml(text);
  assert.ok("text" in read);
  assert.deepEqual(read.text.split("\n").map((line) => line.trim()), text.split("\n"));
  assert.deepEqual(parseYaml("a: 1\n"), { value: { a: 1 }, text: "a: 1\n" });
});
