import type { FaultDetail } from "../fault.ts";
import type { Param } from "../types.ts";
import { BoundedProblems, clip } from "./bounded_problems.ts";
import { bytesOf, longestWord } from "./exec_limits.ts";
import { nearest } from "./nearest.ts";

/** The values of a run, or every reason why they can't be. */
export type ParamValues = { values: Record<string, string> } | { problems: FaultDetail[] };

/** Unknown keys for which the nearest known one is looked for: that takes a look at each letter of each. */
const mostHints = 10;
/** An argument that is longer can't be handed over, nor a variable, which has a longer name on its way; in bytes. */
const longestValue = longestWord - 100;
/** Names of parameters, or choices, that one message lists. */
const mostNamed = 20;

/**
 * Settles the parameter values of a run: an absent key takes the default, `null` omits the parameter, an
 * empty text is an empty value. A key may leave its dashes off. `location` begins each problem's place. The work grows
 * with what is given and what is declared, never with their product.
 */
export function resolveParams(
  params: readonly Param[],
  given: Readonly<Record<string, string | null>>,
  location = "body.params",
): ParamValues {
  const problems = new BoundedProblems();
  const chosen = new Map<string, string | null>();
  const find = finder(params);
  let hints = 0;
  for (const [key, value] of Object.entries(given)) {
    const param = find(key);
    if (param === undefined) {
      const message = unknownParam(params, key, { hasHint: hints++ < mostHints });
      problems.add({ location: `${location}.${clip(key)}`, message, value });
    } else if (chosen.has(param.key)) {
      const message = `parameter "${param.key}" is given twice`;
      problems.add({ location: `${location}.${clip(key)}`, message, value });
    } else {
      chosen.set(param.key, value);
    }
  }
  const values: [string, string][] = [];
  for (const param of params) {
    const value = chosen.has(param.key) ? chosen.get(param.key)! : param.default ?? null;
    const where = `${location}.${param.key}`;
    if (value === null) {
      if (param.required) problems.add({ location: where, message: `parameter "${param.key}" is required` });
      continue;
    }
    const why = refuse(param, value);
    if (why !== undefined) problems.add({ location: where, message: why, value });
    else values.push([param.key, value]);
  }
  return problems.count > 0 ? { problems: problems.list() } : { values: Object.fromEntries(values) };
}

/** Why a parameter can't have this value, or undefined when it can. */
export function refuse(param: Param, value: string): string | undefined {
  if (bytesOf(value) + param.key.length > longestValue) {
    return `parameter "${param.key}" is ${
      bytesOf(value)
    } bytes long, and can have ${longestValue} at most, its key included`;
  }
  if (value.includes("\0")) return `parameter "${param.key}" can't hold a NUL character`;
  if (param.kind === "flag" && value !== "true" && value !== "false") {
    return `flag "${param.key}" is "true" or "false", not "${clip(value)}"`;
  }
  if (param.type === "number" && !isNumber(value)) {
    return `parameter "${param.key}" is a number, not "${clip(value)}"`;
  }
  if (param.choices !== undefined && !param.allowCustom && !param.choices.includes(value)) {
    const choices = named(param.choices.map((choice) => `"${choice}"`));
    return `parameter "${param.key}" is one of ${choices}, not "${clip(value)}"`;
  }
  return undefined;
}

/** The argument words (`$1`, ...) of a run, in order of declaration. */
export function argumentsOf(params: readonly Param[], values: Readonly<Record<string, string>>): string[] {
  return params.flatMap((param) => {
    const value = own(values, param.key);
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
  const env = params.flatMap((param): [string, string][] => {
    const value = param.kind === "env" ? own(values, param.key) : undefined;
    return value === undefined ? [] : [[param.key, value]];
  });
  return Object.fromEntries(env);
}

/** The value of a parameter; undefined where it has none, also for one that is called as what every object has. */
function own(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Finds a parameter by its key, with or without dashes; the exact one is preferred, then the first. */
function finder(params: readonly Param[]): (key: string) => Param | undefined {
  const exact = new Map<string, Param>();
  const loose = new Map<string, Param>();
  for (const param of params.toReversed()) {
    exact.set(param.key, param);
    loose.set(bare(param.key), param);
  }
  return (key) => exact.get(key) ?? loose.get(bare(key));
}

/** A token without what makes it a token: leading dashes, a trailing `=`. */
function bare(key: string): string {
  return key.replace(/^-+/, "").replace(/=$/, "");
}

function unknownParam(params: readonly Param[], key: string, { hasHint }: { hasHint: boolean }): string {
  const unknown = `unknown parameter "${clip(key)}"`;
  if (params.length === 0) return `${unknown}: this task takes none`;
  if (!hasHint) return unknown;
  const close = nearest(bare(key), params.map((param) => bare(param.key)));
  const hint = close === undefined
    ? `it takes ${named(params.map((param) => param.key))}`
    : `did you mean "${close}"?`;
  return `${unknown}: ${hint}`;
}

function named(words: readonly string[]): string {
  const more = words.length - mostNamed;
  return words.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function isNumber(value: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
}
