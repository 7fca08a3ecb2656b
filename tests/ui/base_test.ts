import assert from "node:assert/strict";
import { baseOf, inside, outside } from "../../ui/net/base.ts";

Deno.test("baseOf() tells below which path the page lies", () => {
  assert.equal(baseOf("https://example.com/assets/main.js"), "");
  assert.equal(baseOf("https://example.com/svc/assets/base-abc12345.js"), "/svc");
  assert.equal(baseOf("http://127.0.0.1:8420/a/assets/b/assets/main.js"), "/a/assets/b");
  assert.equal(baseOf("file:///srv/assets/main.js"), "");
});

Deno.test("inside() and outside() undo each other", () => {
  for (const below of ["", "/svc", "/a/b"]) {
    for (const path of ["/", "/units", "/units/web?tab=runs"]) {
      assert.equal(inside(outside(path, below), below), path);
    }
  }
  assert.equal(inside("/svc", "/svc"), "/");
  assert.equal(inside("/svcs/x", "/svc"), "/svcs/x");
});
