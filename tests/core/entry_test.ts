import assert from "node:assert/strict";
import { entryText, isShellName, storedVariables } from "../../src/core/entry.ts";

Deno.test(
  "storedVariables() leaves no name that a program on the way could know",
  { permissions: "none" },
  () => {
    const stored = storedVariables({ LD_PRELOAD: "/x.so", PATH: "/x", "spring.profile": "prod", A: "1" });
    assert.deepEqual(stored, {
      SVC_V_LD_PRELOAD: "/x.so",
      SVC_V_PATH: "/x",
      "spring.profile": "prod",
      SVC_V_A: "1",
    });
  },
);

Deno.test("entryText() holds names and no values", { permissions: "none" }, () => {
  const text = entryText({ TOKEN: "s3cret", UID: "5" }, ["PATH"]);
  assert.doesNotMatch(text, /s3cret/);
  assert.match(text, /^export TOKEN="\$SVC_V_TOKEN"; unset SVC_V_TOKEN$/m);
  assert.match(text, /^set -- "UID=\$SVC_V_UID" "\$@"$/m, "bash can't set it");
  assert.doesNotMatch(entryText({ TOKEN: "1" }, []), /"\$0"/, "no more programs than are needed");
});

Deno.test("isShellName() takes what POSIX calls a name", { permissions: "none" }, () => {
  assert.deepEqual(["A", "_a1", "a"].filter(isShellName).length, 3);
  assert.deepEqual(["1a", "a.b", "a-b", "", "ä", "BASH_FUNC_x%%"].filter(isShellName), []);
});
