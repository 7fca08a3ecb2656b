import { refuse } from "../core/params.ts";
import type { Params } from "./effect.ts";
import type { TaskParamJson, TaskResponseJson } from "../http/schemas/unit.ts";

/** A field of the form. */
export interface Field {
  param: TaskParamJson;
  text: string;
  /** It is left out of the run altogether, which an empty text is not. */
  isOmitted: boolean;
  /** Somebody has changed it; what is as it was is left to the daemon. */
  isTouched: boolean;
}

/** The parameters of a task before it runs. */
export interface ParamForm {
  task: string;
  fields: readonly Field[];
  cursor: number;
  /** What is wrong with the field of the cursor. */
  problem?: string;
}

/** The form of a task: with its defaults; what has none and isn't required is left out. Undefined without parameters. */
export function formOf(unit: TaskResponseJson): ParamForm | undefined {
  const params = unit.parameters ?? [];
  if (params.length === 0) return undefined;
  return {
    task: unit.name,
    cursor: 0,
    fields: params.map((param) => ({
      param,
      text: param.default ?? (param.kind === "flag" ? "false" : ""),
      isOmitted: param.default === undefined && canLeaveOut(param),
      isTouched: false,
    })),
  };
}

/** The values that may be chosen for a parameter; none where any text may be typed. */
export function choicesOf(param: TaskParamJson): readonly string[] {
  return param.kind === "flag" ? ["false", "true"] : param.choices ?? [];
}

/** Whether a run can do without a parameter. A flag that isn't set is left out by itself. */
export function canLeaveOut(param: TaskParamJson): boolean {
  return param.kind !== "flag" && !param.required;
}

/** Whether nothing but its choices can be given for a parameter. */
export function isFixed(param: TaskParamJson): boolean {
  return choicesOf(param).length > 0 && !param.allow_custom;
}

/** The form after a key, and whether it is done with: `values` are to be run with. */
export function pressInForm(
  form: ParamForm,
  key: string,
): { form: ParamForm } | { values: Params } | "closed" {
  const field = form.fields[form.cursor];
  if (key === "esc" || field === undefined) return "closed";
  const { param, text } = field;
  const { problem: _, ...rest } = form;
  const moved = (by: number): { form: ParamForm } => {
    const count = form.fields.length;
    return { form: { ...rest, cursor: (form.cursor + by + count) % count } };
  };
  const changed = (change: Partial<Field>): { form: ParamForm } => {
    const after = { ...field, isOmitted: false, isTouched: true, ...change };
    return { form: { ...rest, fields: form.fields.map((one) => one === field ? after : one) } };
  };
  // What is left out shows no text, so there is none to add to either.
  const shown = field.isOmitted ? "" : text;
  switch (key) {
    case "up":
    case "shift-tab":
      return moved(-1);
    case "down":
    case "tab":
      return moved(1);
    case "left":
    case "right":
      return choicesOf(param).length === 0
        ? { form }
        : changed({ text: neighbour(field, key === "left" ? -1 : 1) });
    case "ctrl-x":
      if (!canLeaveOut(param)) return { form };
      return changed(
        field.isOmitted ? { text: isFixed(param) ? neighbour(field, 1) : "" } : { isOmitted: true },
      );
    case "backspace":
      return isFixed(param) || field.isOmitted
        ? { form }
        : changed({ text: [...text].slice(0, -1).join("") });
    case "ctrl-u":
      return isFixed(param) ? { form } : changed({ text: "" });
    case "enter":
      return submit(form);
    case "space":
      return changed({ text: isFixed(param) ? neighbour(field, 1) : `${shown} ` });
  }
  return isFixed(param) || [...key].length !== 1 ? { form } : changed({ text: shown + key });
}

/** The form after a text was pasted, which may have several lines. */
export function pasteInForm(form: ParamForm, pasted: string): ParamForm {
  const { problem: _, ...rest } = form;
  return {
    ...rest,
    fields: form.fields.map((field, index) =>
      index !== form.cursor || isFixed(field.param) ? field : {
        ...field,
        text: (field.isOmitted ? "" : field.text) + pasted,
        isOmitted: false,
        isTouched: true,
      }
    ),
  };
}

/** The choice beside the one that is shown; what is none of them stands before the first. */
function neighbour({ param, text, isOmitted }: Field, by: 1 | -1): string {
  const choices = choicesOf(param);
  const at = isOmitted ? -1 : choices.indexOf(text);
  const next = at < 0 ? (by > 0 ? 0 : choices.length - 1) : (at + by + choices.length) % choices.length;
  return choices[next] ?? text;
}

function submit(form: ParamForm): { form: ParamForm } | { values: Params } {
  for (const [cursor, field] of form.fields.entries()) {
    const problem = problemOf(field);
    if (problem !== undefined) return { form: { ...form, cursor, problem } };
  }
  const values: [string, string | null][] = [];
  for (const { param, text, isOmitted, isTouched } of form.fields) {
    if (isOmitted) {
      if (param.default !== undefined) values.push([param.key, null]);
    } else if (
      param.kind === "flag" ? text !== (param.default ?? "false") : isTouched && text !== param.default
    ) {
      values.push([param.key, text]);
    }
  }
  return { values: Object.fromEntries(values) };
}

function problemOf({ param, text, isOmitted, isTouched }: Field): string | undefined {
  if (isOmitted) return undefined;
  if (text === "" && !isTouched && param.default === undefined) return "a value is needed";
  return refuse({
    kind: param.kind,
    key: param.key,
    type: param.type ?? "string",
    required: param.required ?? false,
    allowCustom: param.allow_custom ?? false,
    ...(param.choices == null ? {} : { choices: param.choices }),
  }, text);
}
