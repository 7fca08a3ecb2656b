import assert from "node:assert/strict";
import { alice, authOf } from "../support/auth.ts";
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

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  responses: Record<string, unknown>;
}

// deno-lint-ignore no-explicit-any -- a test looks into any document
function operationsOf(document: any): { method: string; path: string; operation: Operation }[] {
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  );
}

Deno.test("the description names every operation once, and declares what operations refer to", async () => {
  await using t = await makeEngine({ units: [] });
  const { body } = await makeApp(t)("/openapi.json");
  const operations = operationsOf(body);
  assert.ok(operations.length > 50);
  const declared = { tags: body.tags.map(({ name }: { name: string }) => name), ids: new Set<string>() };
  for (const { method, path, operation } of operations) {
    const { operationId = "", summary = "", tags = [], security = body.security, responses } = operation;
    const which = `${method} ${path}`;
    assert.match(operationId, /^[a-z][A-Za-z]+$/, which);
    assert.ok(!declared.ids.has(operationId), `${which} is called ${operationId}, as another is`);
    declared.ids.add(operationId);
    assert.match(summary, /^[A-Z].*[^.]$/, which);
    assert.ok(tags.length > 0 && tags.every((tag) => declared.tags.includes(tag)), which);
    for (const name of security.flatMap(Object.keys)) {
      assert.ok(Object.hasOwn(body.components.securitySchemes, name), `${which} takes ${name}`);
    }
    assert.ok(responses["4XX"] !== undefined && responses.default !== undefined, which);
    // A parameter in braces is declared, and no other is said to stand in the path.
    const { parameters = [] } = operation as { parameters?: { in: string; name: string }[] };
    const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`);
    assert.deepEqual(inPath.sort(), (path.match(/\{\w+\}/g) ?? []).sort(), which);
  }
  assert.deepEqual(
    [...new Set(operations.flatMap(({ operation }) => operation.tags))].sort(),
    declared.tags.sort(),
  );
  assert.ok(
    declared.ids.has("listRuns") && declared.ids.has("startTask") && declared.ids.has("runTaskByHook"),
  );
});

Deno.test("the description says of each operation what its guard asks for", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const { body } = await app("/openapi.json");
  const seen = { session: 0, hook: 0, none: 0 };
  for (const { method, path, operation } of operationsOf(body)) {
    const { detail = "" } = (await app(path.replaceAll(/\{\w+\}/g, "1"), { method, peer: alice })).body ?? {};
    const asked = /needs a session/.test(detail) ? "session" : /hook token/.test(detail) ? "hook" : "none";
    seen[asked]++;
    const schemes = (operation.security ?? body.security).flatMap(Object.keys);
    const expected = {
      session: ["sessionToken", "sessionCookie"],
      hook: ["hookToken", "hookTokenInAddress"],
      none: [],
    };
    assert.deepEqual(schemes, expected[asked], `${method} ${path} answers "${detail}"`);
  }
  assert.ok(seen.session > 35 && seen.hook === 4 && seen.none === 9, JSON.stringify(seen));
});

Deno.test("the description names the cookie of this daemon, and the address that people reach it by", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { fingerprint: "0123456789abcdef", auth: authOf(t) });
  const { body } = await app("/openapi.json");
  assert.equal(body.components.securitySchemes.sessionCookie.name, "svc_session_01234567");
  assert.deepEqual(body.servers, [{ url: "/" }]);
  await using below = await makeEngine({ units: [], daemon: { externalUrl: "https://box.example/svc/" } });
  assert.deepEqual((await makeApp(below)("/openapi.json")).body.servers, [{
    url: "https://box.example/svc",
  }]);
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
