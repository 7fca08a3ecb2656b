import assert from "node:assert/strict";
import { LogSearch } from "../../../ui/log/log_search.ts";
import { type Answer, withApi } from "./fake_api.ts";
import { runWith } from "./run_with.ts";

const query = { text: "x", isRegex: false, isCaseSensitive: false };

function hits(lines: number[], next = ""): Answer {
  return {
    json: {
      hits: lines.map((n) => ({ run_id: "R", n, stream: "stdout", text: "x", ts: 0 })),
      exhausted: next === "",
      scanned_runs: 1,
      next_cursor: next,
    },
  };
}

/** Searches until the search is over. */
async function searched(answers: Answer[]): Promise<{ search: LogSearch; asked: string[] }> {
  let asked: string[] = [];
  let search!: LogSearch;
  await withApi(() => answers.shift()!, (paths) => {
    asked = paths;
    return new Promise((resolve) => {
      search = new LogSearch(runWith({ id: "R", task_name: "a b" }), () => {
        if (search.query.text !== "" && !search.isSearching) resolve();
      });
      search.set(query);
    });
  });
  return { search, asked };
}

Deno.test("LogSearch gathers all hits step by step, and goes through them around the ends", async () => {
  const { search, asked } = await searched([hits([3, 9], "c1"), hits([], "c2"), hits([20])]);
  assert.deepEqual(search.hits, [3, 9, 20]);
  const path = "/api/tasks/a%20b/log/search?q=x&run_id=R&limit=1000";
  assert.deepEqual(asked, [path, `${path}&cursor=c1`, `${path}&cursor=c2`]);
  assert.equal(search.startAt(5), 9);
  assert.deepEqual([search.step(1), search.step(1), search.step(-1)], [20, 3, 20]);
  assert.equal(search.startAt(99), 20);
  assert.deepEqual(search.marks(9, "axb"), [[1, 2]]);
  assert.deepEqual(search.marks(10, "axb"), []);
});

Deno.test("LogSearch takes lines that come later, once it has searched what was there", async () => {
  const { search } = await searched([hits([3])]);
  search.see({ n: 30, ts: 0, stream: "stdout", text: "a \x1b[1mX" });
  search.see({ n: 31, ts: 0, stream: "stdout", text: "none" });
  assert.deepEqual(search.hits, [3, 30]);
});

Deno.test("LogSearch says what is wrong with an expression, in few words", async () => {
  const errors = [{ location: "query.q", message: "missing closing ): `(?i)(`" }];
  const { search } = await searched([{ json: { detail: "cannot search", errors }, status: 422 }]);
  assert.equal(search.error, "missing closing ): `(`");
  assert.equal(search.step(1), undefined);
});
