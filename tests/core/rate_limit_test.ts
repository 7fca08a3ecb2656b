import assert from "node:assert/strict";
import fc from "fast-check";
import { RateLimit } from "../../src/core/rate_limit.ts";

const pure = { permissions: "none" } as const;

Deno.test("RateLimit.take() lets so many through in a window, and says when the next may come", pure, () => {
  const limit = new RateLimit({ limit: 2, window: 10_000 });
  assert.deepEqual([0, 1000, 2000].map((at) => limit.take("a", at)), [0, 0, 8]);
  assert.equal(limit.take("b", 2000), 0, "another key has its own window");
  assert.equal(limit.take("a", 9999), 1);
  assert.equal(limit.take("a", 10_000), 0, "the first one has left the window");
  assert.equal(limit.take("a", 10_999), 1);
  assert.equal(limit.take("a", 11_000), 0);
});

Deno.test("RateLimit.remaining() tells how many are left in the window", pure, () => {
  const limit = new RateLimit({ limit: 2, window: 1000 });
  assert.equal(limit.remaining("a", 0), 2);
  limit.take("a", 0);
  assert.equal(limit.remaining("a", 0), 1);
  limit.take("a", 500);
  limit.take("a", 600);
  assert.equal(limit.remaining("a", 600), 0);
  assert.equal(limit.remaining("a", 1200), 1);
});

Deno.test("RateLimit.take() does not count what it refuses", pure, () => {
  const limit = new RateLimit({ limit: 1, window: 1000 });
  assert.equal(limit.take("a", 0), 0);
  for (let at = 1; at < 1000; at += 100) assert.equal(limit.take("a", at), 1);
  assert.equal(limit.take("a", 1000), 0);
});

Deno.test(
  "RateLimit.count() counts past the limit, so that the window moves on with the newest",
  pure,
  () => {
    const limit = new RateLimit({ limit: 2, window: 1000 });
    for (const at of [0, 100, 900]) limit.count("a", at);
    assert.equal(limit.retryAfter("a", 1050), 1, "those at 100 and 900 are in the window");
    assert.equal(limit.retryAfter("a", 1100), 0);
  },
);

Deno.test("RateLimit forgets keys whose window is over, and the quietest beyond its size", pure, () => {
  const limit = new RateLimit({ limit: 1, window: 1000, maxKeys: 3 });
  for (const [at, key] of ["a", "b", "c", "d"].entries()) limit.count(key, at);
  assert.equal(limit.size, 3);
  assert.equal(limit.retryAfter("a", 4), 0, "the quietest was forgotten");
  assert.equal(limit.retryAfter("b", 4), 1);
  limit.count("e", 5000);
  assert.equal(limit.size, 1);
});

Deno.test(
  "RateLimit.take() never lets more than the limit into any window, nor refuses without need",
  pure,
  () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), gaps, (most, gaps) => {
        const limit = new RateLimit({ limit: most, window: 1000 });
        const taken: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const recent = taken.filter((at) => at + 1000 > now).length;
          const wait = limit.take("k", now);
          assert.equal(wait === 0, recent < most);
          if (wait === 0) taken.push(now);
          else assert.equal(limit.retryAfter("k", now + wait * 1000), 0, "who waits as told is let in");
        }
      }),
      { seed: 20270115, numRuns: 200 },
    );
  },
);
