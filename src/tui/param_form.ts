import { refuse } from "../core/params.ts";
import type { TaskParamJson, TaskResponseJson } from "../http/schemas/unit.ts";

/** A field of the form: what is typed, or nothing where the daemon's default is meant. */
export interface Field {
  param: TaskParamJson;
  text: string;
}

/** The parameters of a task before it runs. */
export interface ParamForm {
  task: string;
  fields: readonly Field[];
  cursor: number;
  /** What is wrong with the field of the cursor. */
  problem?: string;
}

/** The form of a task, with its defaults; undefined for a task without parameters. */
export function formOf(unit: TaskResponseJson): ParamForm | undefined {
  const params = unit.parameters ?? [];
  if (params.length === 0) return undefined;
  return {
    task: unit.name,
    cursor: 0,
    fields: params.map((param) => ({ param, text: param.default ?? "" })),
  };
}

/** The values that may be chosen for a parameter; none where any text may be typed. */
export function choicesOf(param: TaskParamJson): readonly string[] {
  return param.kind === "flag" ? ["false", "true"] : param.choices ?? [];
}

/** The form after a key, and whether it is done with: `values` are to be run with. */
export function pressInForm(
  form: ParamForm,
  key: string,
): { form: ParamForm } | { values: Record<string, string> } | "closed" {
  const field = form.fields[form.cursor];
  if (key === "esc" || field === undefined) return "closed";
  const moved = (by: number): { form: ParamForm } => {
    const { problem: _, ...rest } = form;
    const count = form.fields.length;
    return { form: { ...rest, cursor: (form.cursor + by + count) % count } };
  };
  const typed = (text: string): { form: ParamForm } => {
    const { problem: _, ...rest } = form;
    return { form: { ...rest, fields: form.fields.map((one) => one === field ? { ...one, text } : one) } };
  };
  const choices = choicesOf(field.param);
  const isFixed = choices.length > 0 && !field.param.allow_custom;
  switch (key) {
    case "up":
    case "shift-tab":
      return moved(-1);
    case "down":
    case "tab":
      return moved(1);
    case "left":
    case "right":
      return choices.length === 0 ? { form } : typed(neighbour(choices, field.text, key === "left" ? -1 : 1));
    case "backspace":
      return isFixed ? { form } : typed([...field.text].slice(0, -1).join(""));
    case "ctrl-u":
      return isFixed ? { form } : typed("");
    case "enter":
      return submit(form);
    case "space":
      return isFixed ? typed(neighbour(choices, field.text, 1)) : typed(`${field.text} `);
  }
  return isFixed || [...key].length !== 1 ? { form } : typed(field.text + key);
}

function neighbour(choices: readonly string[], text: string, by: number): string {
  const at = choices.indexOf(text);
  return choices[(at + by + choices.length) % choices.length] ?? text;
}

function submit(form: ParamForm): { form: ParamForm } | { values: Record<string, string> } {
  for (const [cursor, { param, text }] of form.fields.entries()) {
    const problem = problemOf(param, text);
    if (problem !== undefined) return { form: { ...form, cursor, problem } };
  }
  const given = form.fields.filter(({ param, text }) => text !== "" || param.default !== undefined);
  return { values: Object.fromEntries(given.map(({ param, text }) => [param.key, text])) };
}

function problemOf(param: TaskParamJson, text: string): string | undefined {
  if (text === "") return param.required && param.default === undefined ? "a value is needed" : undefined;
  return refuse({
    kind: param.kind,
    key: param.key,
    type: param.type ?? "string",
    required: param.required ?? false,
    allowCustom: param.allow_custom ?? false,
    ...(param.choices == null ? {} : { choices: param.choices }),
  }, text);
}
