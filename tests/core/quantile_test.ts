import assert from "node:assert/strict";
import { quantile } from "../../src/core/quantile.ts";

Deno.test("quantile() is one of the values, and nothing where there is none", { permissions: "none" }, () => {
  const values = [1, 2, 3, 4];
  assert.deepEqual([0, 0.25, 0.26, 0.5, 0.95, 1].map((share) => quantile(values, share)), [1, 1, 2, 2, 4, 4]);
  assert.equal(quantile([], 0.5), undefined);
});
