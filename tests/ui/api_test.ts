import assert from "node:assert/strict";
import { ApiError, get, pathTo, send } from "../../ui/net/api.ts";

/** What was asked of a daemon that answers `answer` to everything. */
async function asked(answer: () => Response, work: () => Promise<unknown>) {
  const before = globalThis.fetch;
  const requests: { path: string; init: RequestInit | undefined }[] = [];
  globalThis.fetch = (input, init) => {
    requests.push({ path: String(input), init });
    return Promise.resolve(answer());
  };
  try {
    return { answered: await work(), requests };
  } finally {
    globalThis.fetch = before;
  }
}

Deno.test("get() fills the path of a route, and leaves out of its query what is undefined or empty", async () => {
  const { answered, requests } = await asked(
    () => Response.json({ ticks: [] }),
    () => get("/api/tasks/:taskName/next", { taskName: "a/b ?", count: 3, after: "" }),
  );
  assert.deepEqual(answered, { ticks: [] });
  assert.deepEqual(requests.map(({ path, init }) => [path, init?.method ?? "GET", init?.body]), [
    ["/api/tasks/a%2Fb%20%3F/next?count=3", "GET", undefined],
  ]);
});

Deno.test("send() sends a body as JSON, and answers undefined where there is none", async () => {
  const { answered, requests } = await asked(
    () => new Response(null, { status: 204 }),
    () => send("/api/notifications/read"),
  );
  assert.equal(answered, undefined);
  assert.deepEqual([requests[0]?.path, requests[0]?.init?.method], ["/api/notifications/read", "POST"]);
  const bulk = await asked(
    () => Response.json({ affected: 1 }),
    () => send("/api/runs/bulk/stop", {}, { ids: ["R1"] }),
  );
  assert.equal(bulk.requests[0]?.init?.body, '{"ids":["R1"]}');
  assert.deepEqual(bulk.requests[0]?.init?.headers, { "content-type": "application/json" });
});

Deno.test("get() and send() throw what the daemon refuses, in its words and with its status", async () => {
  const body = { type: "urn:svc:problem:still_active", detail: "it runs", status: 409 };
  const refused = asked(
    () => Response.json(body, { status: 409 }),
    () => send("/api/runs/:runId/stop", { runId: "R1" }),
  );
  await assert.rejects(
    refused,
    (error) => error instanceof ApiError && error.status === 409 && error.message === "it runs",
  );
});

/** Never called: what must not compile, so that a route that is renamed, or that answers something else, is found. */
export async function mustNotCompile(): Promise<void> {
  // @ts-expect-error -- no such path
  await get("/api/task");
  // @ts-expect-error -- it answers GET
  await send("/api/runs");
  // @ts-expect-error -- its parameter is left out
  await get("/api/tasks/:taskName");
  // @ts-expect-error -- no parameter of that name
  pathTo("/api/tasks/:taskName", { name: "a" });
  // @ts-expect-error -- the query has no such word
  await get("/api/runs", { limits: 3 });
  // @ts-expect-error -- nor this value
  await get("/api/runs", { sort_field: "colour" });
  // @ts-expect-error -- the body lacks the response
  await send("/api/auth/login", {}, { nonce: "" });
  // @ts-expect-error -- the answer has no such field
  (await get("/api/daemon")).versions;
  // @ts-expect-error -- there is no answer
  (await send("/api/auth/logout")).token;
  // @ts-expect-error -- that is the shape of a refusal, which is thrown
  (await get("/api/runs")).detail;
}
