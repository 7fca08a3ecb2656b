import assert from "node:assert/strict";
import { parseToml } from "../../../src/core/config/source.ts";

Deno.test("parseToml() says where a quote may be missing", { permissions: "none" }, () => {
  const told = (text: string) => {
    const parsed = parseToml(text);
    return "message" in parsed ? `${parsed.line}: ${parsed.message}` : "valid";
  };
  const missing = "2: not valid TOML: the string does not end on this line: a quote may be missing";
  assert.equal(told('[tasks.ok]\nrun = "true\ncron = "* * * * *"\n'), missing);
  assert.equal(told("[tasks.ok]\nrun = 'true\r\ncron = 1\n"), missing);
  assert.equal(
    told('[tasks.ok]\nrun = "true'),
    "2: not valid TOML: the string has no end: a closing quote may be missing",
  );
  assert.match(
    told('[tasks.ok]\nrun = true"\n'),
    /^2: not valid TOML: .*: a quote may be missing on this line$/,
  );
  for (const text of ['run = "a\u0001b"\n', "run = true true\n", 'run = "a" "b"\n', "run =\n"]) {
    assert.match(told(text), /^1: not valid TOML: /);
    assert.doesNotMatch(told(text), /quote/, text);
  }
});
