import assert from "node:assert/strict";
import {
  addLive,
  addPage,
  inSight,
  missingFrom,
  mostLines,
  newLogWindow,
  scrollBy,
  scrollTo,
  toHit,
} from "../../src/tui/log_window.ts";

function lines(from: number, to: number) {
  return Array.from(
    { length: to - from },
    (_, i) => ({ n: from + i, ts: 0, stream: "stdout", text: `${from + i}` }),
  );
}

const numbers = (shown: readonly { n: number }[]): number[] => shown.map(({ n }) => n);

Deno.test("inSight() follows the end of a log as lines come", () => {
  let window = addPage(newLogWindow(), { lines: lines(0, 3), first: 0, total: 3 });
  assert.deepEqual(numbers(inSight(window, 2)), [1, 2]);
  window = addLive(window, { lines: lines(3, 5) });
  assert.deepEqual(numbers(inSight(window, 2)), [3, 4]);
});

Deno.test("takeLive() shows a line that comes twice once, and holds no more than it may", () => {
  let window = addPage(newLogWindow(), { lines: lines(0, 3), first: 0, total: 3 });
  window = addLive(window, { lines: lines(2, 4) });
  assert.deepEqual(numbers(window.lines), [0, 1, 2, 3]);
  window = addLive(window, { lines: lines(4, mostLines + 100) });
  assert.equal(window.lines.length, mostLines);
  assert.equal(window.total, mostLines + 100);
});

Deno.test("scrollBy() leaves the end and finds it again", () => {
  const window = addPage(newLogWindow(), { lines: lines(0, 100), first: 0, total: 100 });
  const up = scrollBy(window, -5, 10);
  assert.deepEqual([up.isFollowing, up.top], [false, 85]);
  assert.deepEqual(numbers(inSight(addLive(up, { lines: lines(100, 110) }), 10))[0], 85);
  assert.equal(scrollBy(up, 5, 10).isFollowing, true);
});

Deno.test("missingFrom() asks for the page above, and joins it", () => {
  const window = addPage(newLogWindow(), { lines: lines(9000, 10_000), first: 0, total: 10_000 });
  assert.equal(missingFrom(window, 10), undefined);
  const up = scrollTo(window, 8995, 10);
  assert.equal(missingFrom(up, 10), 8000);
  const joined = addPage({ ...up, isPaging: true }, { lines: lines(8000, 9000), first: 0, total: 10_000 });
  assert.equal(joined.isPaging, false);
  assert.deepEqual(numbers(inSight(joined, 10)), [
    8995,
    8996,
    8997,
    8998,
    8999,
    9000,
    9001,
    9002,
    9003,
    9004,
  ]);
});

Deno.test("missingFrom() goes to the first line of a long log at once, and back to its end", () => {
  const window = addPage(newLogWindow(), { lines: lines(99_000, 100_000), first: 0, total: 100_000 });
  const top = scrollTo(window, 0, 10);
  assert.equal(missingFrom(top, 10), 0);
  const there = addPage(top, { lines: lines(0, 1000), first: 0, total: 100_000 });
  assert.deepEqual(numbers(inSight(there, 3)), [0, 1, 2]);
  const end = scrollTo(there, Infinity, 10);
  assert.equal(end.isFollowing, true);
  assert.equal(missingFrom(end, 10), 99_790);
  // Live lines that don't join what is held only count.
  const counted = addLive(end, { lines: lines(100_000, 100_001) });
  assert.deepEqual([counted.total, counted.lines.length], [100_001, 1000]);
});

Deno.test("toHit() goes from hit to hit around the ends", () => {
  const window = {
    ...addPage(newLogWindow(), { lines: lines(0, 100), first: 0, total: 100 }),
    hits: [5, 50, 95],
  };
  const first = toHit(window, -1, 10);
  assert.equal(first.at, 95);
  assert.equal(toHit(first, -1, 10).at, 50);
  assert.equal(toHit(first, 1, 10).at, 5);
});
