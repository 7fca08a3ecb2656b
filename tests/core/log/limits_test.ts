import assert from "node:assert/strict";
import { MAX_LINE, MAX_SPAN } from "../../../src/core/log/framer.ts";
import { limitsOf, MAX_SEGMENT } from "../../../src/core/log/limits.ts";

const pure = { permissions: "none" } as const;
const MB = 1024 * 1024;

Deno.test("limitsOf() makes segments of an eighth of the cap, within bounds", pure, () => {
  assert.equal(limitsOf({ maxSize: 100 * MB, onFull: "drop_old" }).segment, 100 * MB / 8);
  assert.equal(limitsOf({ maxSize: 10_000 * MB, onFull: "drop_old" }).segment, MAX_SEGMENT);
  assert.equal(limitsOf({ maxSize: 0, onFull: "drop_new" }).segment, MAX_SEGMENT);
  assert.equal(limitsOf({ maxSize: 0, onFull: "drop_new" }).total, Infinity);
});

Deno.test("limitsOf() keeps room for the note only where one will be written", pure, () => {
  assert.equal(limitsOf({ maxSize: MB, onFull: "drop_old" }).total, MB);
  assert.equal(limitsOf({ maxSize: MB, onFull: "drop_new" }).total, MB - 512);
  assert.equal(limitsOf({ maxSize: 800, onFull: "kill_task" }).total, 700);
});

Deno.test("limitsOf() splits lines at 64 KiB, unless the cap itself is smaller", pure, () => {
  const usual = limitsOf({ maxSize: MB, onFull: "drop_old" });
  assert.deepEqual([usual.line, usual.span], [MAX_LINE, MAX_SPAN]);
  const small = limitsOf({ maxSize: 8000, onFull: "drop_old" });
  assert.ok(small.line < 8000 && small.line > 7900);
  assert.ok(small.span < 1000);
});
