import assert from "node:assert/strict";
import { pingOf } from "../../../src/core/notify/ping.ts";

const pure = { permissions: "none" } as const;

const runId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const rid = "rid=01563e3a-b5d3-d676-4c61-efb99302bd5b";

Deno.test("pingOf() puts what happened behind the path, and the run behind the query", pure, () => {
  const url = (base: string, what: "start" | "success" | "failure"): string =>
    pingOf(base, { what, runId, body: "" }).url;
  assert.equal(url("https://hc-ping.com/5ab1", "start"), `https://hc-ping.com/5ab1/start?${rid}`);
  assert.equal(url("https://hc-ping.com/5ab1", "success"), `https://hc-ping.com/5ab1?${rid}`);
  assert.equal(url("https://hc-ping.com/5ab1", "failure"), `https://hc-ping.com/5ab1/fail?${rid}`);
  assert.equal(url("https://hc-ping.com/5ab1/", "failure"), `https://hc-ping.com/5ab1/fail?${rid}`);
  assert.equal(
    url("https://x/key/a?create=1&b=%20#c", "start"),
    `https://x/key/a/start?create=1&b=%20&${rid}`,
  );
  assert.equal(url("https://x", "success"), `https://x/?${rid}`);
  assert.equal(url("https://x", "start"), `https://x/start?${rid}`);
});

Deno.test("pingOf() names no run whose id is no ULID, which a monitor would refuse", pure, () => {
  assert.equal(pingOf("https://x/a", { what: "start", runId: "R1", body: "" }).url, "https://x/a/start");
});

Deno.test("pingOf() sends its lines as plain text", pure, () => {
  const { do: kind, headers, body } = pingOf("https://x/a", {
    what: "failure",
    runId,
    body: "exit code 3\nä",
  });
  assert.deepEqual([kind, headers["content-type"], body], [
    "post",
    "text/plain; charset=utf-8",
    "exit code 3\nä",
  ]);
});
