import assert from "node:assert/strict";
import fc from "fast-check";
import { type SearchJob, searchLogs, type SearchOutcome } from "../../../src/io/logs/search.ts";
import { workerSearcher } from "../../../src/io/logs/searcher.ts";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

function job(text: string, own: Partial<SearchJob> = {}): SearchJob {
  return {
    runs: [{ unit: UNIT, id: RUN, isLive: false, from: 0 }],
    query: { text, regex: false, caseSensitive: false },
    limit: 1000,
    budget: Infinity,
    ...own,
  };
}

/** Searches to the end of the generator; each step takes a ms. */
function search(logs: TestLogs, asked: SearchJob): SearchOutcome {
  let now = 0;
  const steps = searchLogs(asked, { root: `${logs.root}/logs`, now: () => now });
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
    now++;
  }
}

/** Hits of all pages, and how many pages there were. */
function searchOn(logs: TestLogs, asked: SearchJob): { numbers: number[]; pages: number } {
  const numbers: number[] = [];
  let { runs } = asked;
  for (let pages = 1;; pages++) {
    const { hits, next } = search(logs, { ...asked, runs });
    numbers.push(...hits.map(({ line }) => line.n));
    if (next === undefined) return { numbers, pages };
    runs = runs.slice(next.run).map((run, i) => i === 0 ? { ...run, from: next.line } : run);
  }
}

Deno.test("searchLogs() finds the lines that a page shows, over segments, system lines too, page by page", async () => {
  const word = fc.constantFrom("needle", "hay", "Needle in hay", "straw", "");
  const step = fc.record({
    stream: fc.constantFrom("stdout" as const, "stderr" as const, "system" as const),
    words: fc.array(word, { minLength: 1, maxLength: 30 }),
    repeat: fc.integer({ min: 1, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(Infinity, 0),
      async (steps, limit, budget) => {
        await using logs = new TestLogs();
        const writer = logs.open({ maxSize: 16_384, onFull: "drop_old" });
        for (const [at, { stream, words, repeat }] of steps.entries()) {
          if (stream === "system") writer.system(words.join("\n"), at);
          else writer.write(stream, utf8(`${words.join("\n")}\n`.repeat(repeat)), at);
        }
        writer.close();
        const expected = logs.all().filter(({ text }) => /needle/i.test(text)).map(({ n }) => n);
        assert.deepEqual(searchOn(logs, job("needle", { limit, budget })).numbers, expected);
      },
    ),
    { seed: 8, numRuns: 60 },
  );
});

Deno.test("searchLogs() stops when its time is over, and goes on where it was", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  for (let i = 0; i < 8; i++) writer.write("stdout", utf8(`${"x".repeat(99)}\n`.repeat(3000)), i);
  writer.write("stdout", utf8("needle\n"), 9);
  writer.close();
  const first = search(logs, job("needle", { budget: 2 }));
  assert.equal(first.hits.length, 0);
  assert.ok(first.next !== undefined && first.next.line > 0 && first.next.line < 24_000);
  const { numbers, pages } = searchOn(logs, job("needle", { budget: 2 }));
  assert.deepEqual(numbers, [24_000]);
  assert.ok(pages > 2);
});

Deno.test("searchLogs() takes runs in the order given, and passes over those without a log", async () => {
  await using logs = new TestLogs();
  const runs = ["B", "none", "A"].map((id) => ({ unit: UNIT, id, isLive: false, from: 0 }));
  for (const id of ["A", "B"]) {
    const writer = logs.store.writer(UNIT, id, { maxSize: 0, onFull: "drop_old" });
    writer.write("stdout", utf8(`needle ${id}\n`), 0);
    writer.close();
  }
  const { hits, scanned, next } = search(logs, job("needle", { runs }));
  assert.deepEqual(hits.map(({ runId, line }) => [runId, line.text]), [["B", "needle B"], ["A", "needle A"]]);
  assert.deepEqual([scanned, next], [3, undefined]);
});

Deno.test("searchLogs() does not fill the memory with long lines", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  for (let i = 0; i < 100; i++) writer.write("stdout", utf8(`needle${"x".repeat(60_000)}\n`), i);
  writer.close();
  const { hits, next } = search(logs, job("needle"));
  assert.ok(hits.length > 10 && hits.length < 75, `${hits.length}`);
  assert.deepEqual(next, { run: 0, line: hits.length });
});

Deno.test("workerSearcher() searches beside the main thread, several at a time, and tells of failures", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("one needle\n"), 5);
  writer.close();
  const entry = new URL("../../../main.ts", import.meta.url).href;
  const searcher = workerSearcher({ entry, root: `${logs.root}/logs` });
  try {
    const [found, none, failed] = await Promise.allSettled([
      searcher.search(job("NEEDLE", { budget: 1000 })),
      searcher.search(job("nothing", { budget: 1000 })),
      searcher.search(job("[", { query: { text: "[", regex: true, caseSensitive: false } })),
    ]);
    assert.deepEqual(found.status === "fulfilled" && found.value.hits, [{
      runId: RUN,
      line: { n: 0, at: 5, stream: "stdout", text: "one needle", continued: false },
    }]);
    assert.deepEqual(none.status === "fulfilled" && none.value.hits, []);
    assert.match(failed.status === "fulfilled" ? `${failed.value.problem}` : "", /missing closing/);
  } finally {
    searcher.close();
  }
  // After its end the next search starts another.
  assert.equal((await searcher.search(job("needle", { budget: 1000 }))).hits.length, 1);
  searcher.close();
});

Deno.test("workerSearcher() ends the worker of a search that does not end, and starts the others again", async () => {
  await using logs = new TestLogs();
  const root = `${logs.root}/logs`;
  const entry = `${logs.root}/stuck.js`;
  const answer = "self.postMessage({ order: data.order, outcome: { hits: [], scanned: 7 } })";
  Deno.writeTextFileSync(
    entry,
    `self.onmessage = ({ data }) => {
      if (data.job.job.query.text === "stuck") for (;;);
      if (data.job.job.query.text === "late") setTimeout(() => ${answer}, 500);
      else ${answer};
    };
    self.postMessage("ready");`,
  );
  const searcher = workerSearcher({ entry: `file://${entry}`, root });
  const late = searcher.search(job("late", { budget: 3000 }));
  const stuck = await searcher.search(job("stuck", { budget: 1 }));
  assert.match(`${stuck.problem}`, /takes too long/);
  assert.equal((await late).scanned, 7);
  assert.equal((await searcher.search(job("x"))).scanned, 7);
  searcher.close();
});

Deno.test("workerSearcher() fails a search that was under way when it was closed, or whose worker breaks", async () => {
  await using logs = new TestLogs();
  const root = `${logs.root}/logs`;
  const closed = workerSearcher({ entry: new URL("../../../main.ts", import.meta.url).href, root });
  const search = closed.search(job("x"));
  closed.close();
  // It is told as the daemon's end is, and not as a fault of its own.
  await assert.rejects(search, { code: "stopping", message: /given up/ });
  Deno.writeTextFileSync(`${logs.root}/broken.js`, 'throw new Error("out of order")');
  const broken = workerSearcher({ entry: `file://${logs.root}/broken.js`, root });
  await assert.rejects(broken.search(job("x")), /broke down.*out of order/);
  broken.close();
});
