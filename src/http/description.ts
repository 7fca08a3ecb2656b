import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "./router.ts";

type Json = Record<string, unknown>;

/** What the API says of itself, made from the very schemas that check its requests; on first use, since it takes its time. */
export class ApiDescription {
  readonly #app: OpenAPIHono<Env>;
  readonly #version: string;
  #document: Json | undefined;
  #names: Map<string, string> | undefined;

  constructor(app: OpenAPIHono<Env>, version: string) {
    this.#app = app;
    this.#version = version;
  }

  /** The OpenAPI document (3.1). */
  document(): Json {
    this.#document ??= this.#app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "svc",
        version: this.#version,
        description:
          "Tasks by schedule, services for ever. Durations are nanoseconds, sizes bytes, times RFC 3339 in UTC.",
      },
      security: [{ session: [] }],
    }) as unknown as Json;
    return this.#document;
  }

  /** One schema as a JSON Schema of its own; undefined for an unknown name. */
  schema(name: string): Json | undefined {
    const schemas = at(this.document(), "components", "schemas") ?? {};
    if (!Object.hasOwn(schemas, name)) return undefined;
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: schemaPath(name),
      ...linked(schemas[name]) as Json,
    };
  }

  /** Name of the schema of a JSON answer; `path` as the router has it. */
  schemaOf(answer: { method: string; path: string; status: number }): string | undefined {
    this.#names ??= namesOf(this.document());
    return this.#names.get(`${answer.method} ${answer.path} ${answer.status}`);
  }
}

/** Where a schema is to be had. */
export function schemaPath(name: string): string {
  return `/schemas/${name}.json`;
}

/** "GET /api/tasks/:taskName 200" to schema name, for schemas that carry `$schema`. */
function namesOf(document: Json): Map<string, string> {
  const schemas = at(document, "components", "schemas") ?? {};
  const names = new Map<string, string>();
  for (const [path, item] of Object.entries(at(document, "paths") ?? {})) {
    for (const [method, operation] of Object.entries(item as Json)) {
      for (const [status, answer] of Object.entries(at(operation as Json, "responses") ?? {})) {
        const reference = at(answer as Json, "content", "application/json", "schema")?.$ref;
        const name = typeof reference === "string" ? reference.split("/").at(-1)! : "";
        if (at(schemas, name, "properties", "$schema") === undefined) continue;
        names.set(`${method.toUpperCase()} ${path.replaceAll(/\{(.+?)\}/g, ":$1")} ${status}`, name);
      }
    }
  }
  return names;
}

/** References inside the document become references to the schemas' own addresses. */
function linked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(linked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? schemaPath(inner.split("/").at(-1)!) : linked(inner),
    ]),
  );
}

function at(value: Json, ...keys: string[]): Json | undefined {
  let found: unknown = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Json)[key];
  }
  return found as Json | undefined;
}
