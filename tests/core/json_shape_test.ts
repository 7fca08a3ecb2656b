import assert from "node:assert/strict";
import { brokenBound } from "../../src/core/json_shape.ts";

const pure = { permissions: "none" } as const;
const bounds = { depth: 3, members: 4, values: 5 };
const broken = (text: string): string | undefined => brokenBound(new TextEncoder().encode(text), bounds);

Deno.test("brokenBound() lets through what is within its bounds, and what is no JSON", pure, () => {
  for (
    const text of ["", "{}", "[[[1]]]", '{"a":1,"b":2,"c":3,"d":4}', "[1,2,3,4,5,6]", '"[[[[[[,,,,,,:::::"']
  ) {
    assert.equal(broken(text), undefined, text);
  }
  assert.equal(broken('["\\"[[[[[[", "\\\\"]'), undefined, "quotes and backslashes inside of texts");
  for (const text of ["]]]]", '"never ends [[[[[', "}{}{", '"\\']) {
    assert.equal(broken(text), undefined, text);
  }
});

Deno.test("brokenBound() says which bound is broken", pure, () => {
  assert.match(broken("[[[[")!, /more than 3 levels deep/);
  assert.match(broken('{"a":{"a":{"a":{}}}}')!, /levels deep/);
  assert.match(broken('{"a":1,"b":1,"c":1,"d":1,"e":1}')!, /more than 4 members/);
  assert.match(broken("[1,1,1,1,1,1,1]")!, /more than 5 values/);
});
