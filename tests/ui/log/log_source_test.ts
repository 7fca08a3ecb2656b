import assert from "node:assert/strict";
import { LogSource } from "../../../ui/log/log_source.ts";
import { type Answer, withApi } from "./fake_api.ts";

const path = "/api/runs/R/log";
const line = (n: number, rest = {}) => ({ n, ts: 0, stream: "stdout", text: `line ${n}`, ...rest });
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i));

function page(from: number, to: number, rest = {}): Answer {
  return {
    json: {
      lines: lines(from, to),
      first_available: 0,
      total_lines: to,
      truncated: false,
      finalized: false,
      ...rest,
    },
  };
}

Deno.test("LogSource reads the end of a log that is final, and what is wanted of the rest", async () => {
  const answer = (path: string): Answer => {
    const query = new URLSearchParams(path.split("?")[1]);
    const from = Number(query.get("from"));
    const start = from < 0 ? 5000 + from : from;
    return page(start, Math.min(5000, start + Number(query.get("limit"))), {
      total_lines: 5000,
      finalized: true,
    });
  };
  await withApi(answer, async (asked) => {
    const { promise: areRead, resolve } = Promise.withResolvers<void>();
    const source = new LogSource("R", () => {
      if (source.line(2990) !== undefined && source.line(3000) !== undefined) resolve();
    });
    await source.follow("ended");
    assert.deepEqual([source.state, source.end, source.isFinal], ["ready", 5000, true]);
    assert.equal(source.line(4999)?.text, "line 4999");
    source.want(2990, 3010, -1);
    await areRead;
    assert.equal(source.line(3000)?.text, "line 3000");
    assert.deepEqual(asked, [
      `${path}?from=-1000&limit=1000`,
      `${path}?from=2500&limit=500`,
      `${path}?from=3000&limit=500`,
    ]);
    source.want(2990, 3010, -1);
    assert.equal(asked.at(-1), `${path}?from=2000&limit=500`, "the next page in the direction of the scroll");
    source.close();
  });
});

Deno.test("LogSource goes on behind its last line when a stream breaks, until it is done", async () => {
  const streams: Answer[] = [
    { events: [["line", line(3)], ["region", { stream: "stderr", epoch: 0, rows: ["50%"] }]] },
    { events: [["line", line(4, { stream: "stderr" })], ["done", { final_line: 4, status: "ended" }]] },
  ];
  const seen: number[] = [];
  let region: readonly string[] | undefined;
  const source = new LogSource("R", () => region ??= source.regions[0]?.rows);
  source.onLine(({ n }) => seen.push(n));
  // Line 3 is unfinished in the page: its number is provisional.
  const first = page(0, 3, { lines: [...lines(0, 3), line(3, { text: "li" })] });
  await withApi((path) => path.endsWith("/stream") ? streams.shift()! : first, async (asked) => {
    await source.follow("running");
    assert.deepEqual(asked.slice(1), [`${path}/stream after 2`, `${path}/stream after 3`]);
  });
  assert.deepEqual(seen, [3, 4]);
  assert.deepEqual([source.end, source.isFinal, source.regions], [5, true, []]);
  assert.deepEqual(region, ["50%"]);
  assert.deepEqual([...source.errors], [4]);
  assert.equal(source.line(3)?.text, "line 3");
});

Deno.test("LogSource hears that lines were dropped, and that the run was deleted", async () => {
  const events: Answer = {
    events: [
      ["rotated", { first_available: 40 }],
      ["dropped", { after: 2, count: 37 }],
      ["line", line(40)],
      ["done", { final_line: 40, status: "deleted" }],
    ],
  };
  await withApi((path) => path.endsWith("/stream") ? events : page(0, 3), async () => {
    const source = new LogSource("R", () => {});
    await source.follow("running");
    assert.deepEqual([source.first, source.end, source.state], [40, 41, "gone"]);
  });
});

Deno.test("LogSource leaps to the end when lines come too fast", async () => {
  let streams = 0;
  const answer = (path: string): Answer => {
    if (!path.endsWith("/stream")) return streams === 0 ? page(0, 1) : page(89_000, 90_000);
    if (streams++ > 0) return { events: [["done", { final_line: 89_999, status: "ended" }]] };
    return { events: lines(1, 30_000).map((line) => ["line", line] as const) };
  };
  await withApi(answer, async (asked) => {
    const source = new LogSource("R", () => {});
    await source.follow("running");
    assert.deepEqual([source.end, source.isFinal, source.hasSkipped], [90_000, true, true]);
    assert.equal(source.line(89_999)?.n, 89_999);
    assert.equal(asked.at(-1), `${path}/stream after 89999`);
  });
});

Deno.test("LogSource tells a log that can't be read from one that is gone, and reads nothing for a run that waits", async () => {
  const answer = (status: number) => (): Answer => ({ json: { detail: "no" }, status });
  for (const [status, state] of [[404, "gone"], [500, "failed"]] as const) {
    await withApi(answer(status), async () => {
      const source = new LogSource("R", () => {});
      await source.follow("running");
      assert.deepEqual([source.state, source.why], [state, "no"]);
    });
  }
  await withApi(answer(500), async (asked) => {
    await new LogSource("R", () => {}).follow("pending");
    assert.deepEqual(asked, []);
  });
});
