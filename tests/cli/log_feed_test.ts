import assert from "node:assert/strict";
import fc from "fast-check";
import type { Client } from "../../src/cli/client.ts";
import { Fault } from "../../src/fault.ts";
import { feedOf, type FeedStart } from "../../src/cli/log_feed.ts";
import type { FeedPart } from "../../src/cli/log_stream.ts";
import type { LogLineJson, LogPageJson } from "../../src/http/schemas/run.ts";

/** What happens to a log between two questions for it. */
interface Step {
  /** Lines that come, and unfinished ones that are shown after them. */
  grows: number;
  begun: number;
  /** Oldest lines that go. */
  drops: number;
  /** The most lines that a page holds, whatever was asked for. */
  most: number;
}

const line = (n: number, text = `line ${n}`): LogLineJson => ({ n, ts: n, stream: "stdout", text });

/** A log that is told by pages alone. */
type PagedLog = Pick<Client, "log" | "logStream">;

/** A log that changes by one step before each question, and is final after the last. */
function growingLog(steps: readonly Step[]): { client: PagedLog; total: () => number } {
  let total = 0;
  let first = 0;
  let at = 0;
  const client: PagedLog = {
    logStream: () => Promise.reject(new Fault("unavailable", "too many open streams")),
    log(_: string, query: { from?: number; limit: number }): Promise<LogPageJson> {
      const step = steps[at++];
      total += step?.grows ?? 0;
      first = Math.min(total, first + (step?.drops ?? 0));
      const from = query.from ?? 0;
      const start = Math.max(first, from < 0 ? total + from : from);
      const end = Math.min(total, start + Math.min(query.limit, step?.most ?? Infinity));
      const lines = Array.from({ length: Math.max(0, end - start) }, (_, i) => line(start + i));
      const begun = end < total ? 0 : step?.begun ?? 0;
      for (let i = 0; i < begun; i++) lines.push(line(total + i, "begun"));
      return Promise.resolve({
        lines,
        first_available: first,
        total_lines: total,
        truncated: first > 0,
        finalized: step === undefined,
      });
    },
  };
  return { client, total: () => total };
}

async function read(
  client: PagedLog,
  options: { start?: FeedStart; follow: boolean },
): Promise<FeedPart[]> {
  const parts: FeedPart[] = [];
  const feed = feedOf(client as Client, "R1", { start: options.start ?? {}, follow: options.follow });
  for await (const part of feed) parts.push(part);
  return parts;
}

Deno.test("feedOf() gives each line once, in order, and counts those that went unseen", {
  permissions: "none",
}, async () => {
  const step = fc.record({
    grows: fc.nat(6),
    begun: fc.nat(2),
    drops: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(8) }),
    most: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const { client, total } = growingLog(steps);
      const parts = await read(client, { follow: true });
      let next = 0;
      for (const { lines, dropped } of parts) {
        next += dropped;
        for (const { n, text } of lines) {
          assert.equal(n, next++);
          assert.notEqual(text, "begun");
        }
      }
      assert.equal(next, total());
    }),
    { seed: 11, numRuns: 60 },
  );
});

Deno.test("feedOf() shows unfinished lines at the end of a log that is not followed", {
  permissions: "none",
}, async () => {
  const { client } = growingLog([{ grows: 2, begun: 1, drops: 0, most: 10 }]);
  const parts = await read(client, { follow: false });
  assert.deepEqual(parts.flatMap(({ lines }) => lines.map(({ text }) => text)), [
    "line 0",
    "line 1",
    "begun",
  ]);
});

Deno.test("feedOf() begins a number of lines before the end", { permissions: "none" }, async () => {
  for (const tail of [0, 1, 3, 9]) {
    const { client } = growingLog([{ grows: 5, begun: 0, drops: 0, most: 10 }]);
    const parts = await read(client, { start: { tail }, follow: false });
    const numbers = parts.flatMap(({ lines }) => lines.map(({ n }) => n));
    assert.deepEqual(numbers, [0, 1, 2, 3, 4].slice(Math.max(0, 5 - tail)));
    assert.ok(parts.every(({ dropped }) => dropped === 0));
  }
});
