import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { task } from "../support/units.ts";

Deno.test("every JSON answer names its schema, and the address answers with it", async () => {
  const token = "0123456789abcdef0123456789abcdef";
  await using t = await makeEngine({ units: [task({ name: "a", hookTokens: [{ token, allow: ["run"] }] })] });
  const app = makeApp(t);
  const answers = [
    [await app("/api/daemon"), "DaemonInfo"],
    [await app("/api/runs"), "RunsResponseBody"],
    [await app("/api/tasks/a"), "TaskResponse"],
    [await app("/api/tasks/a/run", { method: "POST" }), "ActionRun"],
    [await app(`/api/hooks/tasks/a/run?token=${token}`, { method: "POST" }), "ActionRun"],
    [await app("/api/runs/bulk/delete", { method: "POST", json: {} }), "BulkAffectedBody"],
    [await app("/api/tasks/nope"), "ErrorModel"],
    [await app("/api/nope"), "ErrorModel"],
    [await app("/api/runs?limit=0"), "ErrorModel"],
  ] as const;
  for (const [{ schema }, name] of answers) {
    assert.equal(schema, `http://localhost/schemas/${name}.json`);
    const { status, body, headers } = await app(new URL(schema!).pathname);
    assert.equal(status, 200, name);
    assert.equal(headers.get("content-type"), "application/schema+json");
    assert.equal(body.type, "object");
  }
  assert.equal((await app("/schemas/Nope.json")).status, 404);
  assert.equal((await app("/schemas/constructor.json")).status, 404);
});

Deno.test("GET /openapi.json describes every route with the schemas that check it", async () => {
  await using t = await makeEngine({ units: [] });
  const { status, body } = await makeApp(t)("/openapi.json");
  assert.equal(status, 200);
  assert.equal(body.openapi, "3.1.0");
  const references = new Set(JSON.stringify(body).match(/#\/components\/schemas\/\w+/g));
  for (const reference of references) {
    assert.ok(body.components.schemas[reference.split("/").at(-1)!], reference);
  }
  const limit = body.paths["/api/runs"].get.parameters.find(({ name }: { name: string }) => name === "limit");
  assert.deepEqual(limit.schema, { type: "integer", default: 50, minimum: 1, maximum: 1000 });
  for (
    const path of ["/api/tasks/{taskName}/run", "/api/hooks/tasks/{taskName}/run", "/api/runs/bulk/rerun"]
  ) {
    assert.ok(body.paths[path]?.post, path);
  }
});

Deno.test("GET /docs is a page that loads nothing from elsewhere", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t);
  const { status, body, headers } = await app("/docs");
  assert.equal(status, 200);
  assert.match(headers.get("content-security-policy")!, /default-src 'none'/);
  const loaded = [...String(body).matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, address]) =>
    address!
  );
  assert.ok(loaded.length >= 3);
  for (const address of loaded) {
    const { origin, pathname } = new URL(address, "http://svc.invalid/docs");
    assert.equal(origin, "http://svc.invalid", address);
    assert.equal((await app(pathname)).status, 200, address);
  }
});
