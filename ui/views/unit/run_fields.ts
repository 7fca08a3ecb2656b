import type { TaskParamJson } from "../../../src/http/schemas/unit.ts";
import type { Params } from "../../app/actions.ts";
import { shellWord } from "../../../src/core/shell_word.ts";

/** What the form holds for one parameter. */
export interface Field {
  param: TaskParamJson;
  value: string;
  /** It is left out of the run altogether, which an empty value is not. */
  isOmitted: boolean;
  /** Somebody has changed it. */
  isTouched: boolean;
  /** Its value is typed, though there are choices. */
  isCustom: boolean;
}

/** The fields as the form opens: with the defaults; what has none and is not required is left out. */
export function firstFields(params: readonly TaskParamJson[]): Field[] {
  return params.map((param) => ({
    param,
    value: param.default ?? (param.kind === "flag" ? "false" : ""),
    isOmitted: param.default === undefined && !param.required,
    isTouched: false,
    isCustom: param.default !== undefined && (param.choices ?? []).length > 0 &&
      !(param.choices ?? []).includes(param.default),
  }));
}

/** The parameters of the run: what is as it was by itself is not named. */
export function paramsOf(fields: readonly Field[]): Params {
  const params: [string, string | null][] = [];
  for (const { param, value, isOmitted, isTouched } of fields) {
    if (isOmitted) {
      if (param.default !== undefined) params.push([param.key, null]);
    } else if (
      param.kind === "flag" ? value !== (param.default ?? "false") : isTouched && value !== param.default
    ) {
      params.push([param.key, value]);
    }
  }
  return Object.fromEntries(params);
}

/** The same run as a command; undefined where the command line can't say it: leaving out what has a default. */
export function commandLine(name: string, params: Params): string | undefined {
  const entries = Object.entries(params);
  if (entries.some(([, value]) => value === null)) return undefined;
  const words = entries.flatMap(([key, value]) => ["--param", shellWord(`${key}=${value}`)]);
  return ["svc", "run", shellWord(name), ...words].join(" ");
}

const place = "body.params.";

/** What the daemon said of each parameter, by key, and what it said of none of them. */
export function faultsOf(
  fields: readonly Field[],
  errors: ReadonlyArray<{ location?: string | undefined; message?: string | undefined }>,
): { byKey: Map<string, string>; rest: string[] } {
  const keys = new Set(fields.map(({ param }) => param.key));
  const byKey = new Map<string, string>();
  const rest: string[] = [];
  for (const { location = "", message = "" } of errors) {
    const key = location.startsWith(place) ? location.slice(place.length) : "";
    if (keys.has(key)) byKey.set(key, byKey.has(key) ? `${byKey.get(key)}; ${message}` : message);
    else rest.push(message);
  }
  return { byKey, rest };
}
