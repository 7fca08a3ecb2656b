import assert from "node:assert/strict";
import { argumentsOf, paramEnvironment, resolveParams } from "../../src/core/params.ts";
import type { Param } from "../../src/types.ts";
import { param } from "../support/units.ts";

const pure = { permissions: "none" } as const;

function values(params: Param[], given: Record<string, string | null> = {}): Record<string, string> {
  const settled = resolveParams(params, given);
  assert.ok("values" in settled, JSON.stringify(settled));
  return settled.values;
}

function problems(params: Param[], given: Record<string, string | null>): string[] {
  const settled = resolveParams(params, given);
  assert.ok("problems" in settled, JSON.stringify(settled));
  return settled.problems.map(({ location, message }) => `${location}: ${message}`);
}

const size = param({ kind: "option", key: "--size", default: "1", type: "number" });

Deno.test(
  "resolveParams() takes the default for an absent key, nothing for null, an empty text for an empty one",
  pure,
  () => {
    const a = param({ kind: "env", key: "A", default: "x" });
    assert.deepEqual(values([a]), { A: "x" });
    assert.deepEqual(values([a], { A: null }), {});
    assert.deepEqual(values([a], { A: "" }), { A: "" });
    assert.deepEqual(values([param({ kind: "env", key: "B" })]), {});
  },
);

Deno.test("resolveParams() takes a key without its dashes or its equals sign", pure, () => {
  assert.deepEqual(values([size], { size: "2" }), { "--size": "2" });
  assert.deepEqual(values([param({ kind: "option", key: "--out=" })], { out: "f" }), { "--out=": "f" });
  assert.deepEqual(values([param({ kind: "option", key: "--out=" })], { "--out": "f" }), { "--out=": "f" });
});

Deno.test("resolveParams() prefers the exact key", pure, () => {
  const params = [param({ kind: "option", key: "--v" }), param({ kind: "env", key: "v" })];
  assert.deepEqual(values(params, { v: "1" }), { v: "1" });
});

Deno.test("resolveParams() reports everything that is wrong, each with its place", pure, () => {
  const params = [
    param({ kind: "env", key: "A", required: true }),
    size,
    param({ kind: "flag", key: "-v" }),
    param({ kind: "arg", key: "mode", choices: ["fast", "slow"] }),
  ];
  assert.deepEqual(problems(params, { size: "big", v: "yes", mode: "fats", moed: "x" }), [
    'body.params.moed: unknown parameter "moed": did you mean "mode"?',
    'body.params.A: parameter "A" is required',
    'body.params.--size: parameter "--size" is a number, not "big"',
    'body.params.-v: flag "-v" is "true" or "false", not "yes"',
    'body.params.mode: parameter "mode" is one of "fast", "slow", not "fats"',
  ]);
  assert.deepEqual(problems(params, { A: null }), ['body.params.A: parameter "A" is required']);
  assert.deepEqual(problems([], { x: "1" }), ['body.params.x: unknown parameter "x": this task takes none']);
});

Deno.test("resolveParams() refuses a parameter that is given twice under two spellings", pure, () => {
  assert.match(problems([size], { size: "1", "--size": "2" }).join(), /given twice/);
});

Deno.test("resolveParams() takes an empty text for a required parameter", pure, () => {
  assert.deepEqual(values([param({ kind: "env", key: "A", required: true })], { A: "" }), { A: "" });
});

Deno.test("resolveParams() allows values beside the choices where allow_custom says so", pure, () => {
  assert.deepEqual(
    values([param({ kind: "env", key: "A", choices: ["x"], allowCustom: true })], { A: "y" }),
    { A: "y" },
  );
});

Deno.test("resolveParams() knows numbers", pure, () => {
  for (const good of ["0", "-1", "+2", "1.5", ".5", "1.", "1e3", "-2.5E-3"]) {
    assert.deepEqual(values([size], { size: good }), { "--size": good });
  }
  for (const bad of ["", " 1", "1 ", "0x10", "Infinity", "NaN", "1,5", "1e", "--1", "1\n"]) {
    assert.equal(problems([size], { size: bad }).length, 1, JSON.stringify(bad));
  }
});

Deno.test("resolveParams() refuses what no process can be given", pure, () => {
  assert.match(problems([param({ kind: "env", key: "A" })], { A: "a\0b" }).join(), /NUL/);
});

Deno.test("resolveParams() takes keys that are names of object members for what they are", pure, () => {
  for (const key of ["__proto__", "constructor", "toString"]) {
    assert.deepEqual(problems([size], JSON.parse(`{"${key}": "1"}`)).length, 1, key);
  }
});

Deno.test("parameters may be called as what every object has", pure, () => {
  for (const key of ["__proto__", "constructor", "toString"]) {
    const env = param({ kind: "env", key, default: "preset" });
    const given = values([env], JSON.parse(`{"${key}": "given"}`));
    assert.deepEqual(Object.entries(given), [[key, "given"]]);
    assert.deepEqual(Object.entries(paramEnvironment([env], given)), [[key, "given"]]);
    assert.deepEqual(argumentsOf([param({ kind: "arg", key })], given), ["given"]);
    assert.deepEqual(Object.entries(values([env])), [[key, "preset"]]);
    // Left out, it is nothing, and not what the object has.
    assert.deepEqual(argumentsOf([param({ kind: "arg", key })], {}), [], key);
    assert.deepEqual(Object.keys(paramEnvironment([param({ kind: "env", key })], {})), [], key);
  }
});

Deno.test("argumentsOf() lists words in order of declaration", pure, () => {
  const params = [
    param({ kind: "arg", key: "file" }),
    param({ kind: "option", key: "--size" }),
    param({ kind: "env", key: "A" }),
    param({ kind: "option", key: "--out=" }),
    param({ kind: "flag", key: "-v" }),
    param({ kind: "flag", key: "-q" }),
    param({ kind: "arg", key: "rest" }),
  ];
  const given = {
    rest: "$(rm -rf /) ; 'x'",
    "-q": "false",
    "-v": "true",
    "--out=": "a b",
    "--size": "",
    file: "f",
    A: "1",
  };
  assert.deepEqual(argumentsOf(params, given), ["f", "--size", "", "--out=a b", "-v", "$(rm -rf /) ; 'x'"]);
  assert.deepEqual(argumentsOf(params, {}), []);
  assert.deepEqual(paramEnvironment(params, given), { A: "1" });
});
