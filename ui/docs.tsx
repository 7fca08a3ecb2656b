/// <reference lib="dom" />
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { outside } from "./net/base.ts";

/** The parts of an OpenAPI document that the page shows. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
}
interface Content {
  content?: Record<string, { schema?: Schema }>;
  description?: string;
}
interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}
interface Document {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The page over `/openapi.json`: every route, and every schema that they name. */
function Docs() {
  const [document, setDocument] = useState<Document | string>("Reading the document …");
  useEffect(() => {
    fetch(outside("/openapi.json")).then(async (response) => {
      setDocument(
        response.ok ? await response.json() : `The daemon answers ${response.status}: log in first.`,
      );
    }, () => setDocument("The daemon does not answer."));
  }, []);
  useEffect(() => {
    openTarget();
    addEventListener("hashchange", openTarget);
    return () => removeEventListener("hashchange", openTarget);
  }, [document]);
  if (typeof document === "string") return <p role="status">{document}</p>;
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  );
  return (
    <main>
      <h1>{document.info.title} {document.info.version}: the HTTP API</h1>
      <p>
        {document.info.description} <a href={outside("/openapi.json")}>The document itself</a>
      </p>
      <h2>Routes</h2>
      {routes.map((route) => <Route key={`${route.method} ${route.path}`} {...route} />)}
      <h2>Schemas</h2>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <details key={name} id={name}>
          <summary>
            <code>{name}</code>
          </summary>
          <Fields schema={schema} />
        </details>
      ))}
    </main>
  );
}

/** Browsers scroll to a closed `details` without opening it, and not at all to one that came after the page. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

function Route({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  return (
    <details>
      <summary>
        <span class="method">{method.toUpperCase()}</span> <code>{path}</code>{" "}
        <span class="muted">{operation.summary}</span>
      </summary>
      {operation.parameters !== undefined && operation.parameters.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Parameter</th>
              <th>In</th>
              <th>Type</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {operation.parameters.map(({ name, in: place, required, description, schema }) => (
              <tr key={`${place} ${name}`}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{place}</td>
                <td>
                  <Type schema={schema ?? {}} />
                </td>
                <td>{required ? "required " : ""}{description ?? schema?.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {operation.requestBody !== undefined && (
        <p>
          Body: <ContentTypes {...operation.requestBody} />
        </p>
      )}
      <ul>
        {Object.entries(operation.responses ?? {}).map(([status, answer]) => (
          <li key={status}>
            <b>{status}</b> {answer.description} <ContentTypes {...answer} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function ContentTypes({ content }: Content) {
  return (
    <>
      {Object.entries(content ?? {}).map(([type, { schema }]) => (
        <span key={type}>
          <span class="muted">{type}</span> <Type schema={schema ?? {}} />
        </span>
      ))}
    </>
  );
}

function Fields({ schema }: { schema: Schema }) {
  if (schema.properties === undefined) {
    return (
      <p>
        <Type schema={schema} />
      </p>
    );
  }
  return (
    <table>
      <thead>
        <tr>
          <th>Field</th>
          <th>Type</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {Object.entries(schema.properties).map(([name, field]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Type schema={field} />
            </td>
            <td>{schema.required?.includes(name) ? "required " : ""}{field.description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A type in words; a named one is a link to where it stands. */
function Type({ schema }: { schema: Schema }) {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return <a href={`#${name}`}>{name}</a>;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) {
    return (
      <>
        {choices.map((choice, n) => (
          <span key={n}>
            {n > 0 ? " or " : ""}
            <Type schema={choice} />
          </span>
        ))}
      </>
    );
  }
  if (schema.items !== undefined) {
    return (
      <>
        list of <Type schema={schema.items} />
        {isNullable(schema) && " or null"}
      </>
    );
  }
  if (typeof schema.additionalProperties === "object") {
    return (
      <>
        map to <Type schema={schema.additionalProperties} />
      </>
    );
  }
  if (schema.enum !== undefined) {
    return <code>{schema.enum.map((value) => JSON.stringify(value)).join(" ")}</code>;
  }
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  const bounds = [
    schema.minimum === undefined ? "" : ` from ${schema.minimum}`,
    schema.maximum === undefined ? "" : ` to ${schema.maximum}`,
    schema.default === undefined ? "" : `, default ${JSON.stringify(schema.default)}`,
  ].join("");
  return <>{[schema.type ?? "any"].flat().join(" or ")}{schema.format ? ` (${schema.format})` : ""}{bounds}
  </>;
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes("null");
}

render(<Docs />, document.body);
