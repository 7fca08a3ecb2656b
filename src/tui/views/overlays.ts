import { withoutEscapes } from "../../core/log/plain.ts";
import { keyTable } from "../key_table.ts";
import { canLeaveOut, choicesOf, type Field, isFixed, type ParamForm } from "../param_form.ts";
import { bold, fit, highlight, type Row, span, wrap } from "../rows.ts";
import type { State } from "../state.ts";
import { type Body, heading } from "./parts.ts";

/** All keys. */
export function helpBody(
  state: State,
  { top, width, height }: { top: number; width: number; height: number },
): Body {
  const rows = keyTable.flatMap(({ title, keys }, index): Row[] => [
    ...(index === 0 ? [] : [[]]),
    heading(title),
    ...keys.flatMap(({ keys: names, does }) => {
      if (width < 36) {
        const below = wrap(does, Math.max(8, width - 4)).map((line): Row => [span(`    ${line}`)]);
        return [[span(`  ${asciiKeys(names, state)}`, "accent")], ...below];
      }
      const lines = wrap(does, Math.max(8, width - 23));
      return lines.map((line, at): Row => [
        span(`  ${fit(at === 0 ? asciiKeys(names, state) : "", 20)} `, "accent"),
        span(line),
      ]);
    }),
  ]);
  const first = Math.max(0, Math.min(top, rows.length - height));
  return { title: [bold("Keys")], rows: rows.slice(first) };
}

/** Names of keys where there are no arrows to draw. */
export function asciiKeys(names: string, { isAscii }: State): string {
  return isAscii ? names.replace("↑ ↓", "Up Down").replace("← →", "Left Right") : names;
}

/** The parameters of a task before it runs. */
export function formBody(form: ParamForm, width: number): Body {
  const rows: Row[] = [];
  let at = 0;
  const nameWidth = Math.min(24, Math.max(...form.fields.map(({ param }) => param.key.length)));
  for (const [index, field] of form.fields.entries()) {
    const { param } = field;
    const isHere = index === form.cursor;
    const choices = choicesOf(param);
    if (isHere) at = rows.length;
    const row: Row = [
      span(`${fit(param.key, nameWidth)}  `, isHere ? "accent" : "muted"),
      ...valueSpans(field, isHere),
    ];
    rows.push(isHere ? highlight(row, { width, hasFocus: false }) : row);
    if (!isHere) continue;
    const notes = [
      ...(param.description === undefined ? [] : [param.description]),
      ...(choices.length > 0
        ? [`one of ${choices.map(shownText).join(", ")}${param.allow_custom ? ", or another" : ""}`]
        : []),
      ...(param.default === undefined || param.kind === "flag" ||
          (!field.isOmitted && field.text === param.default)
        ? []
        : [`default: ${shownText(param.default)}`]),
      ...(param.required ? ["required"] : []),
      ...(param.type === "number" ? ["a number"] : []),
      ...(!canLeaveOut(param) ? [] : field.isOmitted ? ["Ctrl-X puts it in"] : ["Ctrl-X leaves it out"]),
    ].join("; ");
    if (notes !== "") {
      rows.push(...wrap(notes, Math.max(8, width - 2)).map((line): Row => [span(`  ${line}`, "muted")]));
    }
    if (form.problem !== undefined) rows.push([span(`  ${form.problem}`, "bad")]);
  }
  return { title: [span("Run "), bold(form.task), span(" with")], rows, at };
}

/** What a field holds: a text that is empty can be told from none. */
function valueSpans(field: Field, isHere: boolean): Row {
  const { param, text, isOmitted, isTouched } = field;
  const caret = span(isHere && !isFixed(param) ? "_" : "");
  if (isOmitted) return [span("left out", "muted"), caret];
  if (choicesOf(param).length > 0) {
    const isChosen = text !== "" || isTouched || param.default !== undefined;
    return [span(`< ${isChosen ? shownText(text) : "choose"} >`), caret];
  }
  if (text !== "") return [span(shownText(text)), caret];
  return isTouched || param.default !== undefined ? [caret, span("empty", "muted")] : [caret];
}

/** A value in one line. */
function shownText(text: string): string {
  if (text === "") return "empty";
  return withoutEscapes(text).replaceAll("\r", "").replaceAll("\n", "\\n").replaceAll("\t", "\\t")
    // deno-lint-ignore no-control-regex -- what steers a terminal must not reach it
    .replace(/[\x00-\x1f\x7f-\x9f]/g, "");
}

/** An address to open where this machine has no browser; whole, so that it can be copied. */
export function addressBody(url: string, width: number): Body {
  return {
    title: [bold("Open this address within 60 seconds")],
    rows: [...wrap(url, Math.max(8, width)).map((line): Row => [span(line, "accent")]), [], [
      span("It logs one browser in, once. Any key closes.", "muted"),
    ]],
  };
}
