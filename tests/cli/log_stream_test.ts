import assert from "node:assert/strict";
import fc from "fast-check";
import type { Client } from "../../src/cli/client.ts";
import { streamOf } from "../../src/cli/log_stream.ts";
import { Fault } from "../../src/fault.ts";

/** One connection: how many lines it gives, how many lines are dropped before them, where its text is cut. */
interface Connection {
  lines: number;
  dropped: number;
  piece: number;
  breaks: boolean;
}

/** A daemon whose connections end one after the other; the last one tells the end. */
function breakingLog(connections: readonly Connection[]) {
  let total = 0;
  let at = 0;
  const asked: number[] = [];
  const client: Pick<Client, "logStream"> = {
    logStream(_, { from }) {
      asked.push(from);
      const connection = connections[at++] ?? { lines: 0, dropped: 0, piece: 999, breaks: false };
      let text = ":\n\n";
      let next = from;
      if (connection.dropped > 0) {
        text += `event: dropped\ndata: {"after":${from - 1},"count":${connection.dropped}}\n\n`;
        next += connection.dropped;
      }
      for (let i = 0; i < connection.lines; i++, next++) {
        text +=
          `id: ${next}\nevent: line\ndata: {"n":${next},"ts":1,"stream":"stdout","text":"line ${next}"}\n\n`;
      }
      total = Math.max(total, next);
      // What is cut in the middle of an event did not come.
      if (connection.breaks) text += `id: ${next}\nevent: line\ndata: {"n":`;
      if (at > connections.length) {
        text += `event: done\ndata: {"final_line":${next - 1},"status":"ended"}\n\n`;
      }
      const pieces = text.match(new RegExp(`[^]{1,${connection.piece}}`, "g")) ?? [];
      const encoder = new TextEncoder();
      return Promise.resolve(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            const piece = pieces.shift();
            if (piece !== undefined) controller.enqueue(encoder.encode(piece));
            else if (connection.breaks) controller.error(new TypeError("connection reset"));
            else controller.close();
          },
        }),
      );
    },
  };
  return { client: client as Client, asked, total: () => total };
}

Deno.test("streamOf() gives each line once, in order, over connections that break", {
  permissions: "none",
}, async () => {
  const connection = fc.record({
    lines: fc.nat(5),
    dropped: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    piece: fc.integer({ min: 1, max: 200 }),
    breaks: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(connection, { maxLength: 2 }), async (connections) => {
      const { client, total } = breakingLog(connections);
      let next = 0;
      const feed = streamOf(client, "R1", { from: 0 });
      for (let step = await feed.next();; step = await feed.next()) {
        if (step.done) {
          assert.deepEqual(step.value, { next: total(), isDone: true });
          break;
        }
        next += step.value.dropped;
        for (const { n, text } of step.value.lines) {
          assert.equal(n, next++);
          assert.equal(text, `line ${n}`);
        }
      }
      assert.equal(next, total());
    }),
    { seed: 6, numRuns: 12 },
  );
});

Deno.test("streamOf() leaves it to pages where the daemon has no stream to give, and throws other failures", {
  permissions: "none",
}, async () => {
  const failing = (code: "unavailable" | "not_found" | "forbidden"): Client =>
    ({ logStream: () => Promise.reject(new Fault(code, "no")) }) as unknown as Client;
  for (const code of ["unavailable", "not_found"] as const) {
    const end = await streamOf(failing(code), "R1", { from: 7 }).next();
    assert.deepEqual(end, { done: true, value: { next: 7, isDone: false } });
  }
  await assert.rejects(streamOf(failing("forbidden"), "R1", { from: 7 }).next(), /no/);
});

Deno.test("streamOf() ends when its signal says so", { permissions: "none" }, async () => {
  const leaving = new AbortController();
  const client = {
    logStream: () =>
      new Promise((_, reject) =>
        leaving.signal.addEventListener("abort", () => reject(new Error("aborted")))
      ),
  } as unknown as Client;
  const end = streamOf(client, "R1", { from: 3, signal: leaving.signal }).next();
  leaving.abort();
  assert.deepEqual(await end, { done: true, value: { next: 3, isDone: true } });
});

Deno.test("streamOf() hands on what is being redrawn, the news of each piece together", {
  permissions: "none",
}, async () => {
  const region = (rows: string[] | null): string =>
    `event: region\ndata: ${JSON.stringify({ stream: "stdout", epoch: 0, rows })}\n\n`;
  const pieces = [region(["1%"]), region(["2%"]) + region(null), 'event: done\ndata: {"final_line":-1}\n\n'];
  const client = {
    logStream: () => Promise.resolve(ReadableStream.from(pieces.map((p) => new TextEncoder().encode(p)))),
  };
  const seen = [];
  for await (const { regions } of streamOf(client as unknown as Client, "x", { from: 0 })) seen.push(regions);
  assert.deepEqual(seen, [
    [{ stream: "stdout", rows: ["1%"] }],
    [{ stream: "stdout", rows: ["2%"] }, { stream: "stdout", rows: [] }],
  ]);
});
