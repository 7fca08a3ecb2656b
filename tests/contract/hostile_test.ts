import assert from "node:assert/strict";
import fc from "fast-check";
import { createApp } from "../../src/http/app.ts";
import { Streams } from "../../src/http/streams/streams.ts";
import { testFacts } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { param, run, service, task } from "../support/units.ts";

/** Texts that have broken servers. */
const hostile = fc.constantFrom(
  "",
  "0",
  "-1",
  "1",
  "true",
  "99999999999999999999",
  "1e309",
  "NaN",
  "null",
  "[]",
  "..",
  "../../etc/passwd",
  "%2e%2e%2f",
  "%00",
  "%ff%fe",
  "a".repeat(5000),
  "'; DROP TABLE runs; --",
  '"',
  "\\",
  "%",
  "_",
  "*",
  "💣\u0000\u202e",
  "<script>alert(1)</script>",
  "2027-02-30T00:00:00Z",
  "2027-01-15T12:00:00Z",
  "0000-00-00T00:00:00Z",
  "H1",
  "a",
  "web",
  "* * * * *",
  "@every 1s",
  "0 0 30 2 *",
  "Europe/Berlin",
  "(a+)+$",
);
const value = fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 20 }));

const body = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
  fc.constantFrom(
    "",
    "{",
    "null",
    "[]",
    '"x"',
    '{"params":null}',
    '{"params":{"A":1}}',
    '{"params":{"A":null,"__proto__":"x"}}',
    '{"__proto__":{"ids":["H1"]}}',
    '{"ids":["H1","H1","nope"]}',
    '{"matchAll":true,"filter":{"search":"%","status":"failed,,"}}',
    '{"matchAll":true,"filter":{"exitCodeMin":1e400}}',
    `{"ids":${JSON.stringify(Array.from({ length: 5000 }, (_, n) => `R${n}`))}}`,
    "[".repeat(20_000),
    "\u0000",
  ),
);

const headers = fc.record({
  "content-type": fc.constantFrom(
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "",
    "a/b/c;;",
  ),
  "last-event-id": value,
  accept: fc.constantFrom("*/*", "text/html", "text/event-stream", "application/xml"),
  range: fc.constantFrom("bytes=0-", "bytes=5-2", "bytes=-1", "lines=1-2", "bytes=0-0,5-6"),
  origin: fc.constantFrom("http://localhost", "http://evil.example", "null"),
}, { requiredKeys: ["content-type"] });

interface Operation {
  parameters?: { name: string; in: string }[];
}

Deno.test("no request makes the API answer 5xx, and every refusal is a problem document", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", cron: "0 0 * * *", params: [param({ kind: "env", key: "A" })] }),
      service({ name: "web", autostart: false }),
    ],
    before: (test) =>
      test.store.runs.insert(run({ id: "H1", unit: "a", status: "ended", endReason: "success" })),
  });
  const reported: Error[] = [];
  const streams = new Streams(t.engine);
  const app = createApp(t.engine, testFacts({ dataDir: t.folder, report: (error) => reported.push(error) }), {
    streams,
  });
  const ask = (path: string, init: RequestInit): Response | Promise<Response> =>
    app.request(path, init, { peer: { kind: "socket" } });
  const { paths } = await (await ask("/openapi.json", {})).json();
  const operations = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap((
    [path, item],
  ) => Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })))
    .filter(({ path }) =>
      !path.endsWith("/drain") && !path.endsWith("/handover") && !path.endsWith("/confirm")
    );
  assert.ok(operations.length > 30);

  const request = fc.record({
    operation: fc.constantFrom(...operations),
    pathValues: fc.array(value, { minLength: 2, maxLength: 2 }),
    queryValues: fc.array(fc.option(value), { minLength: 12, maxLength: 12 }),
    body,
    headers,
  });
  const outcome = await fc.check(
    fc.asyncProperty(
      request,
      async ({ operation: { path, method, operation }, pathValues, queryValues, ...rest }) => {
        let used = 0;
        const filled = path.replace(
          /\{\w+\}/g,
          () => encodeURIComponent(pathValues[used++ % 2]!.toWellFormed()),
        );
        const query = new URLSearchParams();
        (operation.parameters ?? []).filter((one) => one.in === "query" && one.name !== "wait").forEach(
          ({ name }, n) => {
            const chosen = queryValues[n % queryValues.length];
            if (chosen !== null && chosen !== undefined) query.set(name, chosen.toWellFormed());
          },
        );
        const init: RequestInit = { method, headers: encodable(rest.headers) };
        if (method !== "GET" && rest.body !== "") {
          init.body = rest.body;
        }
        let response: Response | undefined;
        const asked = Promise.resolve(ask(`${filled}?${query}`, init)).then((got) => response = got);
        // What waits for the clock goes on; nothing may wait for ever.
        for (let turn = 0; response === undefined && turn < 2000; turn++) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          await t.clock.advance(10);
        }
        assert.ok(response !== undefined, `${method} ${filled} hangs`);
        await asked;
        const type = response.headers.get("content-type") ?? "";
        await response.body?.cancel();
        assert.deepEqual(reported, [], `${method} ${filled}`);
        assert.ok(response.status < 500, `${method} ${filled} answers ${response.status}`);
        if (response.status >= 400) assert.match(type, /^application\/problem\+json/, `${method} ${filled}`);
      },
    ),
    { seed: 20270115, numRuns: 1500 },
  );
  streams.close();
  assert.equal(outcome.failed, false, fc.defaultReportMessage(outcome) ?? "");
});

/** Header values that a client can send at all. */
function encodable(headers: Record<string, string | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, text]): [string, string][] =>
    text === undefined || text === "" ? [] : [[name, text.replace(/[^\x20-\x7e]/g, "?").trim()]]
  );
}
