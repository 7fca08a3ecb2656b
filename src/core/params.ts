import type { FaultDetail } from "../fault.ts";
import type { Param } from "../types.ts";
import { nearest } from "./nearest.ts";

/** The values of a run, or every reason why they can't be. */
export type ParamValues = { values: Record<string, string> } | { problems: FaultDetail[] };

/**
 * Settles the parameter values of a run: an absent key takes the default, `null` omits the parameter, an
 * empty text is an empty value. A key may leave its dashes off. `location` begins each problem's place.
 */
export function settleParams(
  params: readonly Param[],
  given: Readonly<Record<string, string | null>>,
  location = "body.params",
): ParamValues {
  const problems: FaultDetail[] = [];
  const chosen = new Map<string, string | null>();
  for (const [key, value] of Object.entries(given)) {
    const param = find(params, key);
    if (param === undefined) {
      problems.push({ location: `${location}.${key}`, message: unknownParam(params, key), value });
    } else if (chosen.has(param.key)) {
      problems.push({
        location: `${location}.${key}`,
        message: `parameter "${param.key}" is given twice`,
        value,
      });
    } else {
      chosen.set(param.key, value);
    }
  }
  const values: Record<string, string> = {};
  for (const param of params) {
    const value = chosen.has(param.key) ? chosen.get(param.key)! : param.default ?? null;
    const where = `${location}.${param.key}`;
    if (value === null) {
      if (param.required) problems.push({ location: where, message: `parameter "${param.key}" is required` });
      continue;
    }
    const why = refuse(param, value);
    if (why !== undefined) problems.push({ location: where, message: why, value });
    else values[param.key] = value;
  }
  return problems.length > 0 ? { problems } : { values };
}

/** Why a parameter can't have this value, or undefined when it can. */
export function refuse(param: Param, value: string): string | undefined {
  if (value.includes("\0")) return `parameter "${param.key}" can't hold a NUL character`;
  if (param.kind === "flag" && value !== "true" && value !== "false") {
    return `flag "${param.key}" is "true" or "false", not "${value}"`;
  }
  if (param.type === "number" && !isNumber(value)) {
    return `parameter "${param.key}" is a number, not "${value}"`;
  }
  if (param.choices !== undefined && !param.allowCustom && !param.choices.includes(value)) {
    return `parameter "${param.key}" is one of ${
      param.choices.map((choice) => `"${choice}"`).join(", ")
    }, not "${value}"`;
  }
  return undefined;
}

/** The argument words (`$1`, ...) of a run, in order of declaration. */
export function argumentsOf(params: readonly Param[], values: Readonly<Record<string, string>>): string[] {
  return params.flatMap((param) => {
    const value = values[param.key];
    if (value === undefined || param.kind === "env") return [];
    if (param.kind === "arg") return [value];
    if (param.kind === "flag") return value === "true" ? [param.key] : [];
    return param.key.endsWith("=") ? [param.key + value] : [param.key, value];
  });
}

/** The environment variables that the parameters of a run set. */
export function paramEnvironment(
  params: readonly Param[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const param of params) {
    const value = values[param.key];
    if (param.kind === "env" && value !== undefined) env[param.key] = value;
  }
  return env;
}

function find(params: readonly Param[], key: string): Param | undefined {
  return params.find((param) => param.key === key) ?? params.find((param) => bare(param.key) === bare(key));
}

/** A token without what makes it a token: leading dashes, a trailing `=`. */
function bare(key: string): string {
  return key.replace(/^-+/, "").replace(/=$/, "");
}

function unknownParam(params: readonly Param[], key: string): string {
  if (params.length === 0) return `unknown parameter "${key}": this task takes none`;
  const close = nearest(bare(key), params.map((param) => bare(param.key)));
  const hint = close === undefined
    ? `it takes ${params.map((param) => param.key).join(", ")}`
    : `did you mean "${close}"?`;
  return `unknown parameter "${key}": ${hint}`;
}

function isNumber(value: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
}
