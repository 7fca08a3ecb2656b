import { z } from "@hono/zod-openapi";
import { readAnyKeys } from "../../core/any_keys.ts";
import { triggersOf } from "../../core/run_words.ts";
import { parseStates, type RunFilter, type SortField, sortFields } from "../../core/selector.ts";
import { snakeTriggers } from "../../core/run_words.ts";
import { problemSchema } from "./problem.ts";

/** A whole number in a query, within bounds. */
export function wholeNumber(bounds: { min?: number; max?: number; default: number }) {
  let schema = z.string().regex(/^-?\d+$/, "expected a whole number").transform(Number).pipe(
    z.int("expected a whole number that a computer can hold"),
  );
  const { min, max } = bounds;
  if (min !== undefined) schema = schema.refine((n) => n >= min, `expected ${min} or more`) as typeof schema;
  if (max !== undefined) schema = schema.refine((n) => n <= max, `expected ${max} or less`) as typeof schema;
  return schema.optional().transform((n) => n ?? bounds.default).openapi({
    type: "integer",
    default: bounds.default,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  });
}

/** A boolean in a query. */
export const flag = z.enum(["true", "false", "1", "0"], 'expected "true" or "false"').optional()
  .transform((text) => text === "true" || text === "1").openapi({ type: "boolean" });

/** An RFC 3339 time in a query, as Unix ms. Dates that do not exist are refused. */
export const time = z.string().transform((text, context) => {
  const at = parseTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: "custom", message: "expected a date and time like 2027-03-28T01:00:00Z" });
  return z.NEVER;
}).openapi({ type: "string", format: "date-time" });

/** Reads an RFC 3339 time (Unix ms); undefined for anything else, and for dates that do not exist. */
export function parseTime(text: string): number | undefined {
  // In a query a "+" that was not escaped has become a space.
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+\- ]\d\d:\d\d)$/i.exec(text);
  if (match === null) return undefined;
  const zone = match[4]!.replace(" ", "+").toUpperCase();
  const local = Date.parse(`${match[1]}T${match[2]}Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== `${match[1]}T${match[2]}`) {
    return undefined;
  }
  const at = Date.parse(`${match[1]}T${match[2]}${match[3]?.slice(0, 4) ?? ""}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

export const waitQuery = z.object({
  wait: flag,
  waitTimeout: wholeNumber({ min: 1, max: 240, default: 120 }),
});

export const namePath = z.object({
  taskName: z.string().openapi({ param: { name: "taskName", in: "path" } }),
});
export const runPath = z.object({ runId: z.string().openapi({ param: { name: "runId", in: "path" } }) });

const paramValues = z.unknown().transform(readAnyKeys(z.string().nullable())).openapi({
  type: "object",
  additionalProperties: { type: ["string", "null"] },
}) as unknown as z.ZodType<Record<string, string | null>, Record<string, string | null>>;

export const runBody = z.strictObject({
  $schema: z.string().optional(),
  params: paramValues.optional(),
});

const exitCode = z.string().regex(/^-?[0-9]+$/, "expected a whole number").optional();

export const runsQuery = z.object({
  limit: wholeNumber({ min: 1, max: 1000, default: 50 }),
  offset: wholeNumber({ min: 0, default: 0 }),
  status: z.string().optional(),
  task_name: z.string().optional(),
  triggered_by: z.enum([...snakeTriggers, ""], `expected one of ${snakeTriggers.join(", ")}`).optional(),
  created_after: time.optional(),
  created_before: time.optional(),
  exit_code_min: exitCode,
  exit_code_max: exitCode,
  retries_only: flag,
  sort_field: z.enum([...sortFields, ""], `expected one of ${sortFields.join(", ")}`).optional(),
  sort_direction: z.enum(["asc", "desc", ""], "expected asc or desc").optional(),
  search: z.string().optional(),
}).transform((query, context) => {
  const filter: RunFilter = {};
  if (query.status) {
    const states = parseStates(query.status);
    if ("unknown" in states) {
      context.addIssue({ code: "custom", path: ["status"], message: `unknown status "${states.unknown}"` });
      return z.NEVER;
    }
    if (states.statuses.length + states.reasons.length > 0) filter.states = states;
  }
  if (query.task_name) filter.unit = query.task_name;
  if (query.triggered_by) filter.triggers = triggersOf(query.triggered_by, "snake")!;
  if (query.created_after !== undefined) filter.createdAfter = query.created_after;
  if (query.created_before !== undefined) filter.createdBefore = query.created_before;
  if (query.exit_code_min !== undefined) filter.exitCodeMin = Number(query.exit_code_min);
  if (query.exit_code_max !== undefined) filter.exitCodeMax = Number(query.exit_code_max);
  if (query.retries_only) filter.retriesOnly = true;
  if (query.search) filter.search = query.search;
  const sort: SortField = query.sort_field || "created_at";
  // Newest first where nothing is asked for; a field that was asked for goes up unless it says otherwise.
  const descending = query.sort_direction ? query.sort_direction === "desc" : !query.sort_field;
  return { filter, sort, descending, limit: query.limit, offset: query.offset };
});

/** The answers of a route: its own, and a problem document for everything else. */
export function answers<T extends Record<number, { description: string }>>(own: T) {
  return {
    ...own,
    default: {
      description: "A problem document",
      content: { "application/problem+json": { schema: problemSchema } },
    },
  };
}

/** A JSON answer. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { "application/json": { schema } } };
}

/** An answer of server-sent events; `data` is what their data hold. */
export function eventStream<S extends z.ZodType>(data: S, description: string) {
  return { description, content: { "text/event-stream": { schema: data } } };
}

/** The header by which a client of a stream goes on where it was. */
export const lastEventId = z.object({ "last-event-id": z.string().optional() });
