import assert from "node:assert/strict";
import { haltWord } from "../../src/core/daemon_state.ts";

Deno.test("haltWord() tells a trial from an end", () => {
  assert.equal(haltWord({ scheduling_active: true }), undefined);
  assert.equal(haltWord({ scheduling_active: false }), "stopping");
  assert.equal(haltWord({ scheduling_active: false, trial: { left_behind: 0 } }), "on trial");
});
