import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { second, task } from "../support/units.ts";

const units = [task({ name: "talk", maxConcurrent: 5 }), task({ name: "other" }), task({ name: "mute" })];

async function say(test: TestEngine, name: string, text: string): Promise<string> {
  const run = test.engine.run(name, { trigger: "api" });
  const process = test.processes.alive(name).find(({ spec }) => spec.runId === run.id);
  process?.print(text);
  process?.exit(0);
  await test.clock.advance(second);
  return run.id;
}

Deno.test("GET /api/log/search finds lines in all runs, newest run first, then by line", async () => {
  await using test = await makeEngine({ units });
  const first = await say(test, "talk", "an Error\nfine\nERROR again\n");
  await say(test, "mute", "all is well\n");
  const last = await say(test, "other", "x\nerror: Ende\n");
  const { status, body } = await makeApp(test)("/api/log/search?q=error");
  assert.equal(status, 200);
  const created = (id: string): number => test.engine.getRun(id).createdAt;
  assert.deepEqual(body, {
    hits: [
      { run_id: last, n: 1, stream: "stdout", text: "error: Ende", ts: created(last) },
      { run_id: first, n: 0, stream: "stdout", text: "an Error", ts: created(first) },
      { run_id: first, n: 2, stream: "stdout", text: "ERROR again", ts: created(first) },
    ],
    exhausted: true,
    scanned_runs: 3,
    next_cursor: "",
  });
});

Deno.test("GET .../log/search narrows by unit, run, case and regular expression", async () => {
  await using test = await makeEngine({ units });
  const app = makeApp(test);
  const one = await say(test, "talk", "status=200\nStatus=503\n");
  const two = await say(test, "talk", "status=500\n100%_\n");
  await say(test, "other", "status=500\n");
  const found = async (path: string): Promise<string[]> => {
    const { status, body } = await app(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body.hits.map((hit: { run_id: string; n: number }) => `${hit.run_id} ${hit.n}`);
  };
  const talk = "/api/tasks/talk/log/search";
  assert.deepEqual(await found(`${talk}?q=status`), [`${two} 0`, `${one} 0`, `${one} 1`]);
  assert.deepEqual(await found(`${talk}?q=Status&case=true`), [`${one} 1`]);
  assert.deepEqual(await found(`${talk}?q=status%3D5..%24&regex=true`), [`${two} 0`, `${one} 1`]);
  assert.deepEqual(await found(`${talk}?q=status&run_id=${two}`), [`${two} 0`]);
  assert.deepEqual(await found(`/api/log/search?q=status&run_id=${two}`), [`${two} 0`]);
  assert.deepEqual(await found(`${talk}?q=${encodeURIComponent("0%_")}`), [`${two} 1`]);
  assert.deepEqual(await found(`${talk}?q=status=...&case=1`), []);
});

Deno.test("GET .../log/search goes on with its cursor, whatever runs come and go meanwhile", async () => {
  await using test = await makeEngine({ units });
  const app = makeApp(test);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await say(test, "talk", "hit\nno\nhit\nhit\n"));
  const expected = ids.flatMap((id) => [0, 2, 3].map((n) => `${id} ${n}`));
  const pages = async (onPage: (page: number) => Promise<void>): Promise<string[]> => {
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0;; page++) {
      const { body } = await app(`/api/tasks/talk/log/search?q=hit&limit=2&cursor=${cursor}`);
      for (const { run_id, n } of body.hits) seen.push(`${run_id} ${n}`);
      assert.equal(body.exhausted, body.next_cursor === "");
      if (body.exhausted) return seen;
      cursor = body.next_cursor;
      await onPage(page);
    }
  };
  assert.deepEqual(await pages(() => Promise.resolve()), expected);
  const withChanges = await pages(async (page) => {
    if (page === 0) await say(test, "talk", "hit\n");
    // The run in which the cursor stands.
    if (page === 2) test.engine.deleteRun(ids[1]!);
  });
  assert.deepEqual(withChanges, expected.filter((hit) => hit !== `${ids[1]} 3` || withChanges.includes(hit)));
  assert.equal(new Set(withChanges).size, withChanges.length);
});

Deno.test("GET .../log/search sees what a run that goes on has written, and lines of the daemon", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("mute", { refuses: "no such folder" }),
  });
  const app = makeApp(test);
  const run = test.engine.run("talk", { trigger: "api" });
  test.processes.only("talk").print("needle here\nneedle half");
  assert.deepEqual((await app("/api/log/search?q=NEEDLE")).body.hits.map((hit: { n: number }) => hit.n), [0]);
  assert.equal(test.engine.getRun(run.id).status, "running");
  test.engine.run("mute", { trigger: "api" });
  const { hits } = (await app("/api/log/search?q=such+folder")).body;
  assert.equal(hits[0].stream, "system");
});

Deno.test("GET .../log/search refuses what it can't search for", async () => {
  await using test = await makeEngine({ units });
  const app = makeApp(test);
  const refused = async (query: string, path = "/api/log/search"): Promise<[number, string | undefined]> => {
    const { status, body } = await app(`${path}?${query}`);
    return [status, body.errors?.[0]?.location];
  };
  assert.deepEqual(await refused("q=%5B&regex=true"), [422, "query.q"]);
  assert.deepEqual(await refused("q="), [422, "query.q"]);
  assert.deepEqual(await refused(""), [422, "query.q"]);
  assert.deepEqual(await refused(`q=${"x".repeat(1001)}`), [422, "query.q"]);
  assert.deepEqual(await refused("q=a&limit=1001"), [422, "query.limit"]);
  assert.deepEqual(await refused("q=a&limit=0"), [422, "query.limit"]);
  assert.deepEqual(await refused("q=a&cursor=../../x"), [422, "query.cursor"]);
  assert.deepEqual(await refused("q=a", "/api/tasks/tolk/log/search"), [404, undefined]);
  assert.deepEqual(await refused("q=a&run_id=nope"), [404, undefined]);
  const run = await say(test, "other", "a\n");
  assert.deepEqual(await refused(`q=a&run_id=${run}`, "/api/tasks/talk/log/search"), [404, undefined]);
});
