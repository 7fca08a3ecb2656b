import assert from "node:assert/strict";
import fc from "fast-check";
import {
  anchorAt,
  contentHeight,
  endAnchor,
  type Lines,
  moveBy,
  positionOf,
  windowOf,
} from "../../../ui/log/scroll_map.ts";

const lines = (end: number, rest: Partial<Lines> = {}): Lines => ({
  first: 0,
  end,
  heightOf: () => 18,
  average: 18,
  viewport: 600,
  ...rest,
});

Deno.test("A short log has exact places, whatever the heights of its lines", () => {
  const log = lines(300, { heightOf: (n) => n % 3 === 0 ? 54 : 18 });
  assert.equal(contentHeight(log), 100 * 54 + 200 * 18);
  assert.equal(positionOf(log, { n: 4, offset: 5 }), 54 + 18 + 18 + 54 + 5);
  assert.deepEqual(anchorAt(log, 149), { n: 4, offset: 5 });
});

Deno.test("Five million lines fit into what a browser allows, exact at both ends", () => {
  const log = lines(5_000_000);
  const height = contentHeight(log);
  assert.ok(height < 9_000_000);
  assert.deepEqual(anchorAt(log, 180), { n: 10, offset: 0 });
  assert.deepEqual(anchorAt(log, height - 600), endAnchor(log));
  assert.equal(positionOf(log, endAnchor(log)), height - 600);
  assert.equal(anchorAt(log, height / 2).n, 2_500_000);
});

Deno.test("moveBy() goes by pixels, and not beyond the ends", () => {
  const log = lines(1000, { first: 100, heightOf: (n) => n === 500 ? 9000 : 18 });
  assert.deepEqual(moveBy(log, { n: 499, offset: 10 }, 100), { n: 500, offset: 92 });
  assert.deepEqual(moveBy(log, { n: 501, offset: 0 }, -8000), { n: 500, offset: 1000 });
  assert.deepEqual(moveBy(log, { n: 200, offset: 0 }, -1e6), { n: 100, offset: 0 });
  assert.deepEqual(moveBy(log, { n: 900, offset: 0 }, 1e6), endAnchor(log));
});

Deno.test("endAnchor() ends the last line with the view, and begins with the first where all is seen", () => {
  assert.deepEqual(endAnchor(lines(100)), { n: 66, offset: 12 });
  assert.deepEqual(endAnchor(lines(3)), { n: 0, offset: 0 });
  assert.deepEqual(endAnchor(lines(5, { first: 5 })), { n: 5, offset: 0 });
});

Deno.test("windowOf() holds what is seen and a bit more", () => {
  assert.deepEqual(windowOf(lines(1000), { n: 500, offset: 9 }, 180), { from: 490, to: 544 });
  assert.deepEqual(windowOf(lines(20), { n: 0, offset: 0 }, 180), { from: 0, to: 20 });
});

Deno.test("Places and anchors are each other's inverse, and in one order", () => {
  const end = fc.integer({ min: 1, max: 3_000_000 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(end, share, share, fc.integer({ min: 1, max: 7 }), (end, a, b, kind) => {
    const log = lines(end, { heightOf: (n) => 18 * (1 + n % kind), average: 9 * (kind + 1) });
    const most = Math.max(0, contentHeight(log) - log.viewport);
    const [low, high] = [Math.min(a, b) * most, Math.max(a, b) * most];
    const [one, two] = [anchorAt(log, low), anchorAt(log, high)];
    assert.ok(one.n < two.n || (one.n === two.n && one.offset <= two.offset + 1e-6));
    if (one.n < endAnchor(log).n) assert.ok(Math.abs(positionOf(log, one) - low) < 1, `${low}`);
  }));
});
