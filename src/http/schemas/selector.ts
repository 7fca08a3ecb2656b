import { z } from "@hono/zod-openapi";
import { triggersOf } from "../../core/run_words.ts";
import { parseStates, type RunFilter, type RunSelector } from "../../core/selector.ts";
import { parseTime } from "./request.ts";

const time = z.string().openapi({ format: "date-time" }).nullish();
const whole = z.int().nullish();
const word = z.string().nullish();
const ids = z.array(z.string()).nullish();

/** A filter in a body, in either spelling. */
const filterBody = z.strictObject({
  createdAfter: time,
  created_after: time,
  createdBefore: time,
  created_before: time,
  exitCodeMin: whole,
  exit_code_min: whole,
  exitCodeMax: whole,
  exit_code_max: whole,
  retriesOnly: z.boolean().nullish(),
  retries_only: z.boolean().nullish(),
  isFailure: z.boolean().nullish(),
  is_failure: z.boolean().nullish(),
  search: word,
  status: word,
  taskName: word,
  task_name: word,
  triggeredBy: word,
  triggered_by: word,
}).openapi("RunFilter");

/** A selector of runs in either spelling, as the engine takes it. */
export const selectorBody = z.strictObject({
  $schema: z.string().optional(),
  ids,
  matchAll: z.boolean().nullish(),
  match_all: z.boolean().nullish(),
  exceptIds: ids,
  except_ids: ids,
  filter: filterBody.nullish(),
}).transform((body, context): RunSelector => {
  for (const [camel, snake] of [["matchAll", "match_all"], ["exceptIds", "except_ids"]] as const) {
    refuseBoth(body, context, { camel, snake, path: [] });
  }
  if (!(body.matchAll ?? body.match_all)) return { ids: body.ids ?? [] };
  const filter = toFilter(body.filter ?? {}, context);
  return { filter, exceptIds: body.exceptIds ?? body.except_ids ?? [] };
}).openapi("RunSelector");

export const bulkAffectedSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  affected: z.int(),
  skipped: z.array(z.string()).nullable().optional(),
}).openapi("BulkAffectedBody");

export const bulkRerunSchema = z.object({
  $schema: z.string().optional().openapi({ format: "uri", readOnly: true }),
  triggered: z.array(z.object({ task_name: z.string(), run_id: z.string() }).openapi("TriggeredRunRef"))
    .nullable(),
}).openapi("BulkRerunBody");

type FilterBody = z.infer<typeof filterBody>;
type Context = z.core.$RefinementCtx;

const twice = [
  ["createdAfter", "created_after"],
  ["createdBefore", "created_before"],
  ["exitCodeMin", "exit_code_min"],
  ["exitCodeMax", "exit_code_max"],
  ["retriesOnly", "retries_only"],
  ["isFailure", "is_failure"],
  ["taskName", "task_name"],
  ["triggeredBy", "triggered_by"],
] as const;

function toFilter(body: FilterBody, context: Context): RunFilter {
  for (const [camel, snake] of twice) refuseBoth(body, context, { camel, snake, path: ["filter"] });
  const filter: RunFilter = {};
  const createdAfter = timeOf(body, context, ["createdAfter", "created_after"]);
  const createdBefore = timeOf(body, context, ["createdBefore", "created_before"]);
  const exitCodeMin = body.exitCodeMin ?? body.exit_code_min;
  const exitCodeMax = body.exitCodeMax ?? body.exit_code_max;
  const unit = body.taskName ?? body.task_name;
  if (createdAfter !== undefined) filter.createdAfter = createdAfter;
  if (createdBefore !== undefined) filter.createdBefore = createdBefore;
  if (exitCodeMin !== undefined && exitCodeMin !== null) filter.exitCodeMin = exitCodeMin;
  if (exitCodeMax !== undefined && exitCodeMax !== null) filter.exitCodeMax = exitCodeMax;
  if (body.retriesOnly ?? body.retries_only) filter.retriesOnly = true;
  if (body.isFailure ?? body.is_failure) filter.isFailure = true;
  if (body.search) filter.search = body.search;
  if (unit) filter.unit = unit;
  addStates(filter, body.status, context);
  addTriggers(filter, body, context);
  return filter;
}

function addStates(filter: RunFilter, status: string | null | undefined, context: Context): void {
  if (!status) return;
  const states = parseStates(status);
  if ("unknown" in states) refuse(context, ["filter", "status"], `unknown status "${states.unknown}"`);
  else if (states.statuses.length + states.reasons.length > 0) filter.states = states;
}

function addTriggers(filter: RunFilter, body: FilterBody, context: Context): void {
  for (const [key, spelling] of [["triggeredBy", "camel"], ["triggered_by", "snake"]] as const) {
    const value = body[key];
    if (!value) continue;
    const triggers = triggersOf(value, spelling);
    if (triggers === undefined) refuse(context, ["filter", key], `unknown trigger "${value}"`);
    else filter.triggers = triggers;
  }
}

function timeOf(
  body: FilterBody,
  context: Context,
  keys: readonly ("createdAfter" | "created_after" | "createdBefore" | "created_before")[],
): number | undefined {
  for (const key of keys) {
    const text = body[key];
    if (text === undefined || text === null) continue;
    const at = parseTime(text);
    if (at !== undefined) return at;
    refuse(context, ["filter", key], "expected a date and time like 2027-03-28T01:00:00Z");
  }
  return undefined;
}

function refuseBoth(
  body: Record<string, unknown>,
  context: Context,
  options: { camel: string; snake: string; path: string[] },
): void {
  const { camel, snake, path } = options;
  if (body[camel] === undefined || body[snake] === undefined) return;
  refuse(context, [...path, snake], `"${camel}" and "${snake}" are the same: give one`);
}

function refuse(context: Context, path: string[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}
