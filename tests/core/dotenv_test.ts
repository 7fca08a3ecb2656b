import assert from "node:assert/strict";
import fc from "fast-check";
import { parseDotenv } from "../../src/core/dotenv.ts";

function entries(text: string): Record<string, string> {
  const { entries, faults } = parseDotenv(text);
  assert.deepEqual(faults, [], text);
  return entries;
}

Deno.test("parseDotenv() reads plain, quoted and exported values", { permissions: "none" }, () => {
  const table: [line: string, value: string][] = [
    ["A=1", "1"],
    ["A=", ""],
    ["A = 1 ", "1"],
    ["  A=1", "1"],
    ["export A=1", "1"],
    ["export\tA=1", "1"],
    ["A=a b  c", "a b  c"],
    ["A=a=b==", "a=b=="],
    ["A=x # note", "x"],
    ["A=x#note", "x#note"],
    ["A=#note", "#note"],
    ["A= # note", ""],
    ["A='x # y' # note", "x # y"],
    ["A='a\\nb'", "a\\nb"],
    ["A=''", ""],
    ['A=""', ""],
    ['A="a\\nb\\r\\t\\"\\\\"', 'a\nb\r\t"\\'],
    ['A="a\\d$B ${C} `x`"', "a\\d$B ${C} `x`"],
    ['A="one\ntwo"', "one\ntwo"],
    ['A="one\n\n  two" # note', "one\n\n  two"],
    ["A=$HOME", "$HOME"],
    ['A=x"y"', 'x"y"'],
    ["A=it's", "it's"],
    ["A=%d\\n", "%d\\n"],
    ["A=日本", "日本"],
  ];
  for (const [line, value] of table) assert.deepEqual(entries(line), { A: value }, line);
});

Deno.test("parseDotenv() skips blank lines and comments, takes CRLF and a byte order mark", {
  permissions: "none",
}, () => {
  assert.deepEqual(entries('\uFEFFA=1\r\n\r\n  # note\r\nB="x\r\ny"\r\n'), { A: "1", B: "x\ny" });
});

Deno.test(
  "parseDotenv() lets a later line win and keeps strange names as names",
  { permissions: "none" },
  () => {
    assert.deepEqual(entries("A=1\nA=2"), { A: "2" });
    assert.deepEqual(Object.entries(entries("__proto__=1\nconstructor=2\nx.y-z=3")), [
      ["__proto__", "1"],
      ["constructor", "2"],
      ["x.y-z", "3"],
    ]);
  },
);

Deno.test(
  "parseDotenv() tells every bad line by its number and never its value",
  { permissions: "none" },
  () => {
    const { entries, faults } = parseDotenv(
      "A=1\nexport B\n2C=hunter2\nD='hunter2\nE='x' hunter2\nF=\"a\nb\" hunter2\n G H=hunter2\n=x\nI=9",
    );
    assert.deepEqual(faults.map(({ line }) => line), [2, 3, 4, 5, 6, 8, 9]);
    assert.ok(!JSON.stringify(faults).includes("hunter2"));
    assert.deepEqual(entries, { A: "1", I: "9" });
  },
);

Deno.test("parseDotenv() blames an unclosed double quote on the line that opens it, once", {
  permissions: "none",
}, () => {
  const { faults } = parseDotenv('A=1\nB="x\nnot a line\nalso not');
  assert.deepEqual(faults, [{ line: 2, reason: "the double quote is never closed" }]);
});

Deno.test("parseDotenv() refuses NUL in a value", { permissions: "none" }, () => {
  assert.deepEqual(parseDotenv("A=x\0y").faults.map(({ line }) => line), [1]);
});

Deno.test("parseDotenv() reads back any value in double quotes", { permissions: "none" }, () => {
  const value = fc.string({
    unit: fc.constantFrom("a", '"', "\\", "\n", "\r", "\t", "'", "#", "=", " ", "$", "é", "n"),
  });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const quote = (text: string): string =>
        `"${text.replace(/["\\]/g, "\\$&").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}"`;
      assert.deepEqual(entries(`A=${quote(a)}\nexport B=${quote(b)} # end`), { A: a, B: b });
    }),
    { seed: 41, numRuns: 2000 },
  );
});

Deno.test(
  "parseDotenv() never throws and never passes a bad line over in silence",
  { permissions: "none" },
  () => {
    const text = fc.array(
      fc.constantFrom("A", "=", '"', "'", "\\", "\n", "\r\n", "#", " ", "export ", "1", "é"),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const { entries, faults } = parseDotenv(parts.join(""));
        for (const key of Object.keys(entries)) assert.match(key, /^[A-Za-z_]/);
        for (const { line, reason } of faults) assert.ok(line >= 1 && reason !== "");
      }),
      { seed: 42, numRuns: 2000 },
    );
  },
);
