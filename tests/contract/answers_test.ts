import assert from "node:assert/strict";
import { type Answer, makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import { noon, param, run, service, task } from "../support/units.ts";

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
}

/** Says where a value is not what its schema states; every field must be one that the schema lists. */
function faults(schema: Schema, value: unknown, all: Record<string, Schema>, where = "$"): string[] {
  if (schema.$ref !== undefined) return faults(all[schema.$ref.split("/").at(-1)!]!, value, all, where);
  if (schema.anyOf !== undefined) {
    return schema.anyOf.some((one) => faults(one, value, all).length === 0)
      ? []
      : [`${where} fits no alternative`];
  }
  const type = value === null
    ? "null"
    : Array.isArray(value)
    ? "array"
    : Number.isInteger(value)
    ? "integer"
    : typeof value;
  const allowed = [schema.type ?? []].flat();
  if (allowed.length > 0 && !allowed.includes(type) && !(type === "integer" && allowed.includes("number"))) {
    return [`${where} is ${type}, not ${allowed.join(" or ")}`];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [`${where} is ${JSON.stringify(value)}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, n) => faults(schema.items ?? {}, one, all, `${where}[${n}]`));
  }
  if (type !== "object" || schema.properties === undefined) return [];
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value as object, name)).map((
    name,
  ) => `${where}.${name} is missing`);
  return [
    ...missing,
    ...Object.entries(value as object).flatMap(([name, inner]) => {
      const own = schema.properties![name];
      return own === undefined
        ? [`${where}.${name} is not listed`]
        : faults(own, inner, all, `${where}.${name}`);
    }),
  ];
}

Deno.test("live answers have the fields and types that the document states", async () => {
  await using t = await makeEngine({
    units: [
      task({ name: "a", cron: "0 0 * * *", params: [param({ kind: "env", key: "A", default: "1" })] }),
      service({ name: "web" }),
    ],
    before: (test) =>
      test.store.runs.insert(
        run({
          id: "H1",
          unit: "a",
          status: "ended",
          endReason: "unhealthy",
          isFailure: true,
          startedAt: noon,
          endedAt: noon + 5,
        }),
      ),
  });
  t.processes.only("web").print("hello\n");
  const app = makeApp(t);
  const { components: { schemas } } = (await app("/openapi.json")).body;
  const post = { method: "POST" } as const;
  const web = t.runs("web")[0]!.id;
  const asked: [string, { method?: string; json?: unknown }, number][] = [
    ["/api/daemon", {}, 200],
    ["/api/daemon/identity", {}, 200],
    ["/api/daemon/reload?dry_run=true", post, 200],
    ["/api/tasks/a", {}, 200],
    ["/api/tasks/web", {}, 200],
    ["/api/tasks/a/run", post, 201],
    ["/api/runs", {}, 200],
    ["/api/runs/H1", {}, 200],
    [`/api/runs/${web}/log`, {}, 200],
    ["/api/log/search?q=hello", {}, 200],
    ["/api/runs/summary", {}, 200],
    ["/api/runs/bulk/delete", { method: "POST", json: { ids: ["H1", web] } }, 200],
    ["/api/runs/bulk/rerun", { method: "POST", json: { ids: [web] } }, 200],
    ["/api/system", {}, 200],
    ["/api/system/metrics", {}, 200],
    ["/api/notifications", {}, 200],
    ["/api/notifications/unread-count", {}, 200],
    ["/api/tasks/nope", {}, 404],
    ["/api/runs?limit=0", {}, 422],
  ];
  for (const [path, init, status] of asked) {
    let answer: Answer | undefined;
    void app(path, init).then((own) => answer = own);
    // Bulk operations go in turns of the clock.
    while (answer === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await t.clock.advance(1);
    }
    const { status: got, body, schema } = answer;
    assert.equal(got, status, `${path}: ${JSON.stringify(body)}`);
    const name = /(\w+)\.json$/.exec(schema ?? "")?.[1];
    assert.ok(name !== undefined, `${path} names its schema`);
    assert.deepEqual(faults(schemas[name], body, schemas), [], path);
  }
});
