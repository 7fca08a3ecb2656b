import assert from "node:assert/strict";
import { StreamCaps } from "../../src/core/stream_caps.ts";

Deno.test("StreamCaps counts by address, and takes more again when one is given back", {
  permissions: "none",
}, () => {
  const caps = new StreamCaps({ inAll: 10, perClient: 2 });
  const first = caps.take("a");
  assert.ok(first && caps.take("a"));
  assert.equal(caps.take("a"), undefined);
  assert.ok(caps.take("b"));
  first();
  first();
  assert.equal(caps.open, 2);
  assert.ok(caps.take("a"));
  assert.equal(caps.take("a"), undefined);
});

Deno.test("StreamCaps has a cap of all, which is the only one for clients without an address", {
  permissions: "none",
}, () => {
  const caps = new StreamCaps({ inAll: 4, perClient: 1 });
  const places = [caps.take(undefined), caps.take(undefined), caps.take(undefined), caps.take("a")];
  assert.ok(places.every((place) => place !== undefined));
  assert.equal(caps.take(undefined), undefined);
  assert.equal(caps.take("b"), undefined);
  for (const giveBack of places) giveBack?.();
  assert.equal(caps.open, 0);
  assert.ok(caps.take("a"));
});
