import assert from "node:assert/strict";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

const units = [task({ name: "talk" }), task({ name: "other" })];

async function say(test: TestEngine, name: string, text: string): Promise<string> {
  const { id } = test.engine.run(name, { trigger: "api" });
  test.processes.only(name).print(text);
  test.processes.only(name).exit(0);
  await test.clock.advance(minute);
  return id;
}

function caller(test: TestEngine) {
  const fetch = fetchFrom(test);
  return (words: string[], terminal = memoryTerminal()) =>
    call(["search", ...words], { fetch, now: () => test.clock.now(), terminal });
}

Deno.test("svc search shows the lines that match under their runs, newest first", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  const first = await say(test, "talk", "an error\nfine\nmore ERRORS\n");
  const second = await say(test, "other", "error 7\n");
  const { code, stdout, stderr } = await svc(["Error"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    `other ${second}  1 m ago\n      0  error 7\n` +
      `talk ${first}  2 m ago\n      0  an error\n      2  more ERRORS\n`,
  );
  assert.match((await svc(["error", "--task", "talk"])).stdout, /^talk/);
  assert.match((await svc(["ERROR", "--case"])).stdout, /^talk .*\n {6}2 {2}more ERRORS\n$/);
  assert.match((await svc(["^error \\d$", "--regex"])).stdout, /^other .*\n {6}0 {2}error 7\n$/);
  assert.match((await svc(["error", "--run", first.toLowerCase()])).stdout, /^talk/);
});

Deno.test("svc search goes on until there are enough, and says whether there may be more", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  await say(test, "talk", "hit\n".repeat(2500));
  const some = await svc(["hit", "-n", "2200"]);
  assert.equal(some.stdout.split("\n").length, 1 + 2200 + 1);
  assert.equal(some.stderr, "svc: there may be more: --limit shows them\n");
  const all = JSON.parse((await svc(["hit", "--limit", "9999", "--json"])).stdout);
  assert.deepEqual([all.schema_version, all.hits.length, all.exhausted], [1, 2500, true]);
  assert.deepEqual(all.hits.map(({ n }: { n: number }) => n), Array.from({ length: 2500 }, (_, i) => i));
});

Deno.test("svc search says when nothing matches, and what it can't search for", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  await say(test, "talk", "fine\n");
  assert.deepEqual(await svc(["nope"]), { code: 0, stdout: "", stderr: "svc: no line matches\n" });
  const bad = await svc(["[", "--regex"]);
  assert.deepEqual([bad.code, bad.stderr], [1, 'svc: cannot search for "[": missing closing ]: `[`\n']);
  assert.equal((await svc([""])).code, 2);
  assert.match((await svc(["x", "--task", "tolk"])).stderr, /no unit "tolk": did you mean "talk"\?/);
});

Deno.test("svc search makes lines harmless on a terminal", async () => {
  await using test = await makeEngine({ units });
  await say(test, "talk", "hit \x1b]0;title\x07\x1b[2J\x1b[31mred\n");
  const terminal = memoryTerminal({ isTerminal: true, width: 80 });
  await caller(test)(["hit"], terminal);
  assert.ok(terminal.stdout.includes("hit \x1b[31mred\x1b[0m\n"));
  assert.ok(!terminal.stdout.includes("\x1b[2J"));
});
