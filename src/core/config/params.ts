import type { Param } from "../../types.ts";
import type { Site } from "./section.ts";
import { isTable, type Table, valueAt } from "./source.ts";
import { type ParamDraft, paramSection } from "./unit_schema.ts";
import { quoted } from "./values.ts";

const kinds = ["env", "arg", "option", "flag"] as const;

/** Whether a text is a decimal number, as values of parameters of type "number" must be. */
export function isNumberText(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text);
}

/** A parameter's key without what a caller may leave off: leading dashes and a "=" at the end. */
export function bareKey(key: string): string {
  return key.replace(/^-+/, "").replace(/=$/, "");
}

/** The parameters of a task; breaches of the rules among their keys are reported. `site` is that of the task. */
export function readParams(
  drafts: readonly ParamDraft[],
  { raw, site }: { raw: unknown; site: Site },
): Param[] {
  const params: Param[] = [];
  const unattended = runsUnattended(raw);
  for (const [index, draft] of drafts.entries()) {
    const own: Site = { ...site, path: [...site.path, "params", index] };
    const rawParam = valueAt(raw, ["params", index]);
    if (!isTable(rawParam)) continue;
    const param = readParam(draft, { raw: rawParam, site: own });
    if (param === undefined) continue;
    const first = params.find((other) => bareKey(other.key) === bareKey(param.key));
    if (first !== undefined) {
      const same = first.key === param.key
        ? ""
        : ` (callers may leave dashes off, so "${first.key}" is the same)`;
      own.report.error(
        { file: own.file, path: [...own.path, param.kind] },
        `${quoted(param.key)} names two parameters${same}: rename one`,
      );
    }
    if (param.required && unattended !== undefined && !Object.hasOwn(rawParam, "default")) {
      own.report.error(
        { file: own.file, path: [...own.path, "required"] },
        `${quoted(param.key)} is required, but ${unattended} gives no values: add a default`,
      );
    }
    params.push(param);
  }
  return params;
}

/** What starts this task with nobody there to give values. */
function runsUnattended(raw: unknown): string | undefined {
  if (valueAt(raw, ["cron"]) !== undefined) return "cron";
  return valueAt(raw, ["run_on_start"]) === true ? "run_on_start" : undefined;
}

function readParam(draft: ParamDraft, { raw, site }: { raw: Table; site: Site }): Param | undefined {
  const { file, path, report } = site;
  const named = kinds.filter((kind) => Object.hasOwn(raw, kind));
  const [kind] = named;
  if (kind === undefined || named.length > 1) {
    const found = named.length === 0 ? "none" : named.map((word) => `"${word}"`).join(" and ");
    report.error(
      { file, path },
      `a parameter needs exactly one of "env", "arg", "option" and "flag", got ${found}`,
    );
    return undefined;
  }
  const key = draft[kind];
  if (key === undefined) return undefined;
  const fault = keyFault(key, kind);
  if (fault !== undefined) report.error({ file, path: [...path, kind] }, fault);

  const effective = { ...paramSection.builtIn, ...draft };
  const { choices, default: preset, type } = effective;
  if (kind === "flag" && type === "number") {
    report.error({ file, path: [...path, "type"] }, 'a flag is true or false: leave "type" out');
  }
  const valueFault = (value: string): string | undefined => {
    if (kind === "flag" && value !== "true" && value !== "false") {
      return `${quoted(value)} is no value of a flag: write "true" or "false"`;
    }
    return kind !== "flag" && type === "number" && !isNumberText(value)
      ? `${quoted(value)} is no number`
      : undefined;
  };
  for (const [index, choice] of (choices ?? []).entries()) {
    const wrong = valueFault(choice);
    if (wrong !== undefined) report.error({ file, path: [...path, "choices", index] }, wrong);
  }
  if (preset !== undefined) {
    const outside = choices !== undefined && !effective.allow_custom && !choices.includes(preset)
      ? `the default ${quoted(preset)} is not among choices: add it there, or set allow_custom = true`
      : undefined;
    const wrong = valueFault(preset) ?? outside;
    if (wrong !== undefined) report.error({ file, path: [...path, "default"] }, wrong);
  }
  return {
    kind,
    key,
    type,
    required: effective.required,
    allowCustom: effective.allow_custom,
    ...(preset !== undefined && { default: preset }),
    ...(choices !== undefined && { choices }),
    ...(draft.description !== undefined && { description: draft.description }),
  };
}

function keyFault(key: string, kind: Param["kind"]): string | undefined {
  if (kind === "env") {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
      return `${
        quoted(key)
      } is no name of an environment variable: use letters, digits and _, the first no digit`;
    }
    return key.startsWith("SVC_")
      ? `${quoted(key)} is reserved: names with SVC_ are set by the daemon`
      : undefined;
  }
  if (kind === "arg") {
    return /[\r\n]/.test(key) ? `the label ${quoted(key)} holds a line break` : undefined;
  }
  if (/\s/.test(key) || bareKey(key) === "") {
    return `${quoted(key)} is no token: write one word such as "--size", "-s" or "--size="`;
  }
  return kind === "flag" && key.endsWith("=")
    ? `the flag ${quoted(key)} ends in "=", but a flag has no value: use "option"`
    : undefined;
}
