import type { OpenAPIHono } from "@hono/zod-openapi";
import { credentialFor } from "./auth/guard.ts";
import { chapters } from "./route.ts";
import type { Env } from "./router.ts";

type Json = Record<string, unknown>;

/** What the description says of this daemon; `externalUrl` gives the address under which people reach it, or "". */
interface Told {
  version: string;
  cookieName: string;
  externalUrl: () => string;
}

/** What the API says of itself, made from the very schemas that check its requests; on first use, since it takes its time. */
export class ApiDescription {
  readonly #app: OpenAPIHono<Env>;
  readonly #told: Told;
  #document: Json | undefined;
  #names: Map<string, string> | undefined;

  constructor(app: OpenAPIHono<Env>, told: Told) {
    this.#app = app;
    this.#told = told;
  }

  /** The OpenAPI document (3.1). A reload may change the address of the server, and nothing else in it. */
  document(): Json {
    this.#document ??= this.#made();
    const url = this.#told.externalUrl().replace(/\/+$/, "");
    const { openapi, info, ...rest } = this.#document;
    return { openapi, info, servers: [{ url: url || "/" }], ...rest };
  }

  #made(): Json {
    const { version, cookieName } = this.#told;
    const document = this.#app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "svc",
        version,
        description:
          "Tasks by schedule, services for ever. Durations are nanoseconds, sizes bytes, times RFC 3339 in UTC. " +
          "Over the control socket, and with SVC_AUTH=off, no session is needed.",
      },
      tags: Object.entries(chapters).map(([name, description]) => ({ name, description })),
      security: accepted.session,
    }) as unknown as Json;
    for (const [path, item] of Object.entries(at(document, "paths") ?? {})) {
      for (const [method, operation] of Object.entries(item as Json)) {
        complete(operation as Json, path, method);
      }
    }
    const components = at(document, "components") ?? {};
    return { ...document, components: { ...components, securitySchemes: securitySchemes(cookieName) } };
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

/** Each way to be let in, as the guards have it: any one of a list will do. */
const accepted = {
  session: [{ sessionToken: [] }, { sessionCookie: [] }],
  hook: [{ hookToken: [] }, { hookTokenInAddress: [] }],
  none: [],
};

function securitySchemes(cookieName: string): Json {
  return {
    sessionToken: { type: "http", scheme: "bearer", description: "The `token` that a login answers with." },
    sessionCookie: {
      type: "apiKey",
      in: "cookie",
      name: cookieName,
      description: "The cookie that a login sets; its name differs from daemon to daemon.",
    },
    hookToken: { type: "http", scheme: "bearer", description: "One of the unit's `hook_tokens`." },
    hookTokenInAddress: {
      type: "apiKey",
      in: "query",
      name: "token",
      description: "The same, for callers that can only set an address.",
    },
  };
}

/** Adds to an operation what follows from its path, or holds for all: what must be brought, and how it is refused. */
function complete(operation: Json, path: string, method: string): void {
  const credential = credentialFor(path, method.toUpperCase());
  if (credential !== "session") operation.security = accepted[credential];
  const responses = operation.responses as Json;
  // Linters and generators want to see that a refusal is expected: "default" alone doesn't say so.
  operation.responses = { ...responses, "4XX": responses.default };
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
