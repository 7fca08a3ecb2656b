import assert from "node:assert/strict";
import { OutputClosed } from "../../src/cli/terminal.ts";
import { makeEngine } from "../support/make_engine.ts";
import { service, task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

/** Commands that ask a daemon for something, each with words that it takes. */
const asking = [
  "list",
  "status",
  "status a",
  "runs",
  "logs a",
  "search x",
  "next",
  "next a",
  "run a",
  "run a -d",
  "start a",
  "stop a",
  "pause *",
  "reload",
  "drain --no-wait",
  "openapi",
  "backup -",
  "password",
].map((line) => line.split(" "));

function answering(answer: () => Response): typeof fetch {
  return () => Promise.resolve(answer());
}

/** A body that ends with an error after a few bytes. */
function broken(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"tasks":['));
      controller.error(new TypeError("connection reset"));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

Deno.test("svc tells a daemon of another version in one line, whatever its answers lack", async () => {
  const lacking: object[] = [{}, { tasks: null, runs: null }, [], {
    tasks: [{ name: "a" }],
    runs: [{ id: "R" }],
  }];
  for (const body of lacking) {
    for (const words of asking) {
      const { code, stderr } = await call(words, { fetch: answering(() => Response.json(body)) });
      assert.ok(code === 0 || code === 1, words.join(" "));
      assert.doesNotMatch(stderr, /internal error|\n./, `${words.join(" ")}: ${stderr}`);
    }
  }
  const old = { version: "0.0.1", tasks: [{ name: "a" }] };
  const { code, stderr } = await call(["status", "a"], { fetch: answering(() => Response.json(old)) });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^svc: svc 0\.0\.1 at \/data is not what this svc 9\.8\.7 understands \(.*\): run both at/,
  );
});

Deno.test("svc knows a daemon that lacks a request by the type of its answer, and an older one by its words", async () => {
  const refusals: [status: number, body: Record<string, unknown>][] = [
    [404, { type: "urn:svc:problem:no_route", detail: "de ce chemin je ne sais rien" }],
    [405, { type: "urn:svc:problem:wrong_method", detail: "autrement" }],
    [404, { type: "about:blank", detail: 'no such path "/api/runs"' }],
    [404, { detail: 'no such path "/api/runs"' }],
    [405, { type: "about:blank", detail: "/api/runs does not answer GET, only POST" }],
    [404, { type: "urn:svc:problem:of_tomorrow", detail: 'no such path "/api/runs"' }],
  ];
  for (const [status, body] of refusals) {
    const fetch: typeof globalThis.fetch = (input) => {
      const isDaemon =
        new URL(input instanceof Request ? input.url : String(input)).pathname === "/api/daemon";
      if (isDaemon) return Promise.resolve(Response.json({ version: "3.0.0", tasks: [] }));
      const headers = { "content-type": "application/problem+json" };
      return Promise.resolve(Response.json({ title: "x", status, ...body }, { status, headers }));
    };
    const { code, stderr } = await call(["runs", "--json"], { fetch });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^svc: svc 3\.0\.0 at \/data is not what .* at the same version\n {2}code: not_understood\n$/,
    );
  }
});

Deno.test("svc --json gives the code of a failure in its last line, also of one that an older daemon tells without", async () => {
  const refusals: [status: number, type: string | undefined, code: string][] = [
    [404, "urn:svc:problem:not_found", "not_found"],
    [404, undefined, "not_found"],
    [404, "about:blank", "not_found"],
    [409, "urn:svc:problem:still_active", "still_active"],
    [409, "about:blank", "conflict"],
    [503, "urn:svc:problem:database_refuses", "database_refuses"],
    [503, "urn:svc:problem:of_tomorrow", "unavailable"],
    [500, "urn:svc:problem:bug", "bug"],
  ];
  for (const [status, type, wanted] of refusals) {
    const body = { ...(type === undefined ? {} : { type }), status, title: "x", detail: "it is so" };
    const headers = { "content-type": "application/problem+json" };
    const fetch = answering(() => Response.json(body, { status, headers }));
    assert.equal((await call(["list", "--json"], { fetch })).stderr, `svc: it is so\n  code: ${wanted}\n`);
    assert.equal((await call(["list"], { fetch })).stderr, "svc: it is so\n");
  }
});

Deno.test("svc tells a daemon that goes away in the middle of its answer, and exits with 3", async () => {
  for (const words of asking) {
    if (["run", "stop", "drain", "pause", "start", "logs"].includes(words[0]!)) continue;
    const { code, stderr } = await call(words, { fetch: answering(broken) });
    assert.match(stderr, /^svc: [^\n]*went away[^\n]*\n$/, words.join(" "));
    assert.equal(code, 3, words.join(" "));
  }
});

Deno.test("svc tells what is no daemon at all", async () => {
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const { code, stderr } = await call(["list"], { fetch: answering(page) });
  assert.equal(code, 1);
  assert.match(stderr, /^svc: \/data answers with something that is no JSON: is it a svc daemon\?\n$/);
});

Deno.test("svc tells a socket of another user from one that nobody listens at", async () => {
  const refused = (why: string): typeof fetch => () =>
    Promise.reject(new TypeError("failed", { cause: new Error(why) }));
  const foreign = await call(["list"], { fetch: refused("Permission denied (os error 13)") });
  assert.equal(foreign.code, 3);
  assert.match(
    foreign.stderr,
    /^svc: not allowed to use the control socket of \/data: run svc as the daemon's user/,
  );
  const stale = await call(["list"], { fetch: refused("Connection refused (os error 111)") });
  assert.equal(stale.code, 3);
  assert.match(stale.stderr, /^svc: no daemon answers at control socket "\/data\/svc\.sock": start one with/);
});

Deno.test("svc ends quietly with each command when nobody reads", async () => {
  await using test = await makeEngine({
    units: [task({ name: "a", cron: "@daily" }), service({ name: "web" })],
  });
  const fetch = fetchFrom(test, { facts: { dataDir: test.folder } });
  const lines = [
    "list",
    "status",
    "status a",
    "runs",
    "next",
    "openapi",
    "backup -",
    "reload",
    "help",
    "list --help",
  ];
  for (const words of lines.map((line) => line.split(" "))) {
    const terminal = memoryTerminal();
    terminal.out.write = terminal.out.writeBytes = () => {
      throw new OutputClosed("nobody reads");
    };
    const { code, stderr } = await call(words, { fetch, terminal });
    assert.deepEqual([code, stderr], [0, ""], words.join(" "));
  }
});

Deno.test("svc fits tables and help to 20 columns", async () => {
  await using test = await makeEngine({ units: [task({ name: "a-task-with-a-long-name", cron: "@daily" })] });
  const fetch = fetchFrom(test);
  test.engine.run("a-task-with-a-long-name", { trigger: "api" });
  for (const words of [["list"], ["runs"], ["next"], ["--help"], ["version", "--help"]]) {
    const terminal = memoryTerminal({ isTerminal: true, width: 20, env: { TERM: "dumb", LANG: "C" } });
    const { code, stdout } = await call(words, { fetch, terminal, now: () => test.clock.now() });
    assert.equal(code, 0);
    assert.ok(!stdout.includes("\x1b"), "no colours for a dumb terminal");
    const tables = words.length === 1 && words[0] !== "--help";
    for (const line of tables ? stdout.split("\n") : []) assert.ok(line.length <= 20, line);
    // A term or a word of a help that is longer stands alone.
    for (const line of stdout.split("\n")) {
      assert.ok(line.length <= 20 || !/^ {6}\S+ \S/.test(line), line);
    }
  }
});
