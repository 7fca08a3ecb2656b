import assert from "node:assert/strict";
import { visible, withoutControls } from "../../src/core/visible.ts";

const pure = { permissions: "none" } as const;
const hostile = "a\x1b]8;;x\x07b\u009d8;;file:///x\u009cc\u202ed\u2066e\u200ff\x7f\n";

Deno.test("visible() writes out what steers a terminal or turns the direction of writing", pure, () => {
  assert.equal(
    visible(hostile),
    "a\\u001b]8;;x\\u0007b\\u009d8;;file:///x\\u009cc\\u202ed\\u2066e\\u200ff\\u007f\\n",
  );
  assert.equal(visible(visible(hostile)), visible(hostile));
  assert.equal(visible("plain ä 中 עברית 😀"), "plain ä 中 עברית 😀");
});

Deno.test("withoutControls() leaves them out", pure, () => {
  assert.equal(withoutControls(hostile), "a]8;;xb8;;file:///xcdef");
});
