import assert from "node:assert/strict";
import { makeApp } from "../support/make_app.ts";
import { makeEngine } from "../support/make_engine.ts";
import {
  events,
  reasons,
  section,
  sentenceFields,
  type SpecField,
  tableFields,
  tableQueries,
} from "./spec.ts";

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  readOnly?: boolean;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  pattern?: string;
}

/** The document, as a client gets it. */
async function document(): Promise<
  {
    components: { schemas: Record<string, Schema> };
    paths: Record<
      string,
      Record<
        string,
        { parameters?: { name: string; in: string; schema: Schema }[]; responses: Record<string, unknown> }
      >
    >;
  }
> {
  await using t = await makeEngine({ units: [] });
  return (await makeApp(t)("/openapi.json")).body;
}

function typesOf(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.$ref !== undefined) return ["object"];
  return [schema.type ?? []].flat();
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes("null");
}

/** Whether a schema is what the specification's words for a type say. */
function assertType(schema: Schema, type: string, where: string): void {
  const types = typesOf(schema).filter((one) => one !== "null");
  if (type.startsWith("int64")) return assert.deepEqual(types, ["integer"], where);
  if (type.startsWith("double")) return assert.deepEqual(types, ["number"], where);
  if (type.startsWith("boolean")) return assert.deepEqual(types, ["boolean"], where);
  if (type.startsWith("array")) {
    assert.deepEqual(types, ["array"], where);
    return assert.equal(isNullable(schema), type.includes("null"), `${where} may be null`);
  }
  if (type.startsWith("object")) {
    assert.deepEqual(types, ["object"], where);
    return assert.equal(schema.additionalProperties?.type, "string", where);
  }
  if (type.startsWith("enum") && !type.includes("below")) {
    return assert.deepEqual(schema.enum, type.slice("enum ".length).split(/, ?/), where);
  }
  if (/^(string|enum)/.test(type)) {
    assert.deepEqual(types, ["string"], where);
    if (type.includes("date-time")) assert.equal(schema.format, "date-time", where);
    if (type.includes("uri")) assert.equal(schema.format, "uri", where);
    if (type.includes("read-only")) assert.equal(schema.readOnly, true, where);
    return;
  }
  assert.deepEqual(types, ["object"], where); // the name of another resource
}

function assertFields(schema: Schema | undefined, fields: readonly SpecField[], name: string): void {
  assert.ok(schema?.properties, `${name} is in the document`);
  assert.ok(fields.length > 0, `${name} has fields in the specification`);
  for (const { name: field, type, required } of fields) {
    const where = `${name}.${field}`;
    const own = schema.properties[field];
    assert.ok(own, `${where} is in the document`);
    assertType(own, type, where);
    if (required !== undefined) {
      assert.equal(schema.required?.includes(field) ?? false, required, `${where} required`);
    }
  }
}

Deno.test("the document has every field of the specification's tables, with its type", async () => {
  const { components: { schemas } } = await document();
  const tables = {
    Run: "Run (snake_case form",
    ActionRun: "Run (camelCase form",
    RunsResponseBody: "RunsResponseBody",
    TaskResponse: "TaskResponse",
    TaskParam: "TaskParam",
  };
  for (const [name, heading] of Object.entries(tables)) {
    assertFields(schemas[name], tableFields(heading), name);
  }
  assert.deepEqual(schemas.Run!.properties!.end_reason!.enum, reasons("snake_case"));
  assert.deepEqual(schemas.ActionRun!.properties!.endReason!.enum, reasons("camelCase"));
});

Deno.test("the document has every field that the specification lists in sentences", async () => {
  const { components: { schemas } } = await document();
  const sentences: [string, string, string[]][] = [
    ["BulkAffectedBody", "BulkAffectedBody: ", ["affected"]],
    ["BulkRerunBody", "BulkRerunBody: ", ["triggered"]],
    ["LogLineEntry", "LogLineEntry: ", ["n", "ts", "stream", "text"]],
    ["LogPageBody", "LogPageBody ", ["lines", "first_available", "total_lines", "truncated", "finalized"]],
    ["LogLineHistoryBody", "LogLineHistoryBody: ", ["frames"]],
    ["LogSearchBody", "LogSearchBody: ", ["hits", "exhausted", "scanned_runs"]],
    ["LogSearchHit", "LogSearchHit (all required): ", ["run_id", "n", "stream", "text", "ts"]],
    ["MetricsSample", "MetricsSample (all required): ", ["ts", "cpu", "mem", "mem_total", "mem_used"]],
    ["SystemStats", "SystemStats (required except $schema): ", [
      "cpu_usage",
      "mem_usage",
      "uptime",
      "os",
      "work_dir",
    ]],
    ["ReloadResult", "ReloadResult (all required except $schema): ", ["added", "removed", "changed"]],
    ["NotificationDTO", "NotificationDTO: ", [
      "id",
      "fingerprint",
      "kind",
      "severity",
      "task_name",
      "run_id",
      "count",
    ]],
    ["NotificationsListBody", "NotificationsListBody: ", ["items"]],
    ["TaskBrief", "Required: ", ["name", "api_trigger"]],
    ["LocalCredentialsBody", "", ["ephemeral", "password"]],
    ["NotificationUnreadBody", "", ["count"]],
    ["RunSummary", "", ["total", "success", "failed", "missed"]],
  ];
  for (const [name, start, required] of sentences) {
    const schema = schemas[name];
    assert.ok(schema?.properties, name);
    const listed = start === "" ? required : sentenceFields(start);
    assert.ok(listed.length >= required.length, `${name}: ${listed.join(" ")}`);
    for (const field of listed) assert.ok(schema.properties[field], `${name}.${field}`);
    for (const field of required) assert.ok(schema.required?.includes(field), `${name}.${field} is required`);
  }
});

Deno.test("DaemonInfo and InstanceInfo require what the specification requires", async () => {
  const { components: { schemas } } = await document();
  const names = (heading: string): string[] =>
    section(heading).replace(/\([^()]*\)/g, "").split(/[,.:\n]/).map((part) => part.trim()).filter((part) =>
      /^[a-z][a-z_]+$/.test(part)
    );
  for (const name of ["DaemonInfo", "InstanceInfo"]) {
    const listed = names(name);
    assert.ok(listed.length >= 7, `${name}: ${listed.join(" ")}`);
    for (const field of listed) {
      assert.ok(schemas[name]!.properties?.[field], `${name}.${field}`);
      assert.ok(schemas[name]!.required?.includes(field), `${name}.${field} is required`);
    }
  }
  assert.equal(
    schemas.InstanceInfo!.properties!.app!.const ?? schemas.InstanceInfo!.properties!.app!.enum?.[0],
    "svc",
  );
});

Deno.test("GET /api/runs takes every query of the specification, within its bounds", async () => {
  const { paths } = await document();
  const parameters = paths["/api/runs"]!.get!.parameters!;
  for (const { name, type, notes } of tableQueries("GET /api/runs")) {
    const own = parameters.find((one) => one.name === name);
    assert.ok(own, name);
    assert.equal(own.in, "query", name);
    const bounds = /default (\d+)(?:, min (\d+), max (\d+))?/.exec(notes);
    if (bounds !== null) assert.equal(own.schema.default, Number(bounds[1]), name);
    if (bounds?.[2] !== undefined) {
      assert.deepEqual(
        [own.schema.minimum, own.schema.maximum],
        [Number(bounds[2]), Number(bounds[3])],
        name,
      );
    }
    const pattern = /matching (\S+)/.exec(type)?.[1];
    if (pattern !== undefined) assert.equal(own.schema.pattern, pattern, name);
    if (type.startsWith("enum")) {
      const words = type.slice("enum ".length).split(", ").map((word) => word === "empty string" ? "" : word);
      assert.deepEqual(own.schema.enum, words, name);
    }
  }
});

Deno.test("the action routes take wait and waitTimeout within the specification's bounds", async () => {
  const { paths } = await document();
  for (const action of ["run", "start", "stop", "restart"]) {
    for (const base of ["/api/tasks", "/api/hooks/tasks"]) {
      const route = paths[`${base}/{taskName}/${action}`]?.post;
      assert.ok(route, `${base} ${action}`);
      const wait = route.parameters!.find(({ name }) => name === "wait");
      const timeout = route.parameters!.find(({ name }) => name === "waitTimeout");
      assert.equal(wait?.schema.type, "boolean");
      assert.deepEqual(timeout?.schema, { type: "integer", default: 120, minimum: 1, maximum: 240 });
    }
  }
});

Deno.test("the document has the payload of every event of the specification", async () => {
  const { components: { schemas } } = await document();
  const listed = events();
  assert.ok(listed.length >= 13);
  for (const { names, fields } of listed) {
    for (const name of names) {
      assert.ok(schemas[name], name);
      for (const { name: field } of fields) assert.ok(schemas[name].properties?.[field], `${name}.${field}`);
    }
  }
});
