import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "smol-toml";
import { substitute } from "../../../src/core/config/substitute.ts";
import { Template } from "../../../src/importers/import/imported.ts";
import { tomlKey, tomlString, writeUnits } from "../../../src/importers/import/toml.ts";

const hard = fc.stringMatching(/^['"\\\n\r\t ${}#abn\0é\u0085]{0,12}$/);

Deno.test("tomlString() is read as the very text", () => {
  fc.assert(fc.property(fc.oneof(hard, fc.string({ unit: "grapheme" })), (text) => {
    assert.deepEqual(Object.entries(parse(`a = ${tomlString(text)}\nb = 1\n`)), [["a", text], ["b", 1]]);
  }));
});

Deno.test("tomlString() takes the form that is easiest to read", () => {
  assert.equal(tomlString("plain"), '"plain"');
  assert.equal(tomlString('say "hi" \\o'), `'say "hi" \\o'`);
  assert.equal(tomlString(`it's "here"`), `'''it's "here"'''`);
  assert.equal(tomlString("a\nb\n"), "'''\na\nb\n'''");
  assert.equal(tomlString("'''\n\"\"\"\\"), '"""\n\'\'\'\n\\"\\"\\"\\\\"""');
});

Deno.test("tomlKey() is read as the very key", () => {
  fc.assert(fc.property(hard, (key) => {
    assert.deepEqual(Object.keys(parse(`${tomlKey(key)} = 1\n`)), [key]);
  }));
});

Deno.test("writeUnits() keeps all text but scripts and templates from being substituted", () => {
  const { text } = writeUnits([{
    kind: "service",
    name: "web",
    settings: {
      run: "echo ${A}",
      description: "costs ${A} and $${B}",
      health_check: { run: "probe ${A}" },
      env: { run: "${A}", LIST: new Template("${HOME:-/}") },
    },
  }]);
  const { services: { web } } = parse(text) as { services: { web: Record<string, Record<string, string>> } };
  assert.equal(web["run"], "echo ${A}");
  assert.equal(web["health_check"]?.["run"], "probe ${A}");
  assert.equal(web["env"]?.["LIST"], "${HOME:-/}");
  const lookup = { env: { A: "wrong" }, readText: () => "wrong" };
  assert.deepEqual(substitute(String(web["description"]), lookup), { text: "costs ${A} and $${B}" });
  assert.deepEqual(substitute(web["env"]?.["run"] ?? "", lookup), { text: "${A}" });
});

Deno.test("writeUnits() writes tables below the keys of a unit, and tells the lines of each unit", () => {
  const { text, lines } = writeUnits([
    {
      kind: "task",
      name: "a.b",
      settings: {
        env: { "A": "1" },
        cron: "@daily",
        exit_codes: [0, 2],
        nothing: undefined,
        params: [{ arg: "FILE", required: true }, { flag: "--all" }],
      },
    },
    { kind: "service", name: "c", settings: { run: "x\ny" } },
  ], { head: ["From\nsomewhere"], remarks: ({ name }) => [`about ${name}`] });
  assert.equal(
    text,
    `# From somewhere

# about a.b
[tasks."a.b"]
cron = "@daily"
exit_codes = [0, 2]

[tasks."a.b".env]
A = "1"

[[tasks."a.b".params]]
arg = "FILE"
required = true

[[tasks."a.b".params]]
flag = "--all"

# about c
[services.c]
run = '''
x
y'''
`,
  );
  assert.deepEqual([...lines], [["a.b", { from: 4, to: 16 }], ["c", { from: 19, to: 22 }]]);
});

Deno.test("writeUnits() writes a compose table with one for each service below it", () => {
  const { text, lines } = writeUnits([{
    kind: "compose",
    name: "shop",
    services: ["shop.web", "shop.run"],
    settings: { file: "/srv/${x}/compose.yaml", run: { restart: "never" }, "a b": { instances: 2 } },
  }]);
  assert.equal(
    text,
    '[compose.shop]\nfile = "/srv/$${x}/compose.yaml"\n\n[compose.shop.run]\nrestart = "never"\n\n' +
      '[compose.shop."a b"]\ninstances = 2\n',
  );
  assert.deepEqual([...lines], [["shop", { from: 1, to: 8 }]]);
});
