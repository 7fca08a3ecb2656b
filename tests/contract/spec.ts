/** Reads the specification kept beside this file: its tables of fields, and its sentences that list fields. */

import text from "./http-api.md" with { type: "text" };

/** A field as the specification states it. */
export interface SpecField {
  name: string;
  /** As written: `int64`, `enum pending, running, ended`, `array of string or null`. */
  type: string;
  /** Undefined where it is not said. */
  required?: boolean;
}

/** A query parameter of GET /api/runs as the specification states it. */
export interface SpecQuery {
  name: string;
  type: string;
  notes: string;
}

/** The fields of the table that follows the heading which begins with `heading`. */
export function tableFields(heading: string): SpecField[] {
  return tableAfter(heading).map(([names = "", type = "", third = "", notes]) => {
    const field: SpecField = { name: names.trim(), type };
    // Tables of three columns say nothing of what is required.
    if (notes !== undefined) field.required = third === "yes";
    return field;
  });
}

/** The query parameters of the table that follows a heading. */
export function tableQueries(heading: string): SpecQuery[] {
  return tableAfter(heading).map(([name = "", type = "", notes = ""]) => ({ name, type, notes }));
}

/** The enum values of `end_reason` or `endReason`, which stand in a sentence. */
export function reasons(spelling: "snake_case" | "camelCase"): string[] {
  const field = spelling === "snake_case" ? "end_reason" : "endReason";
  const match = new RegExp(`${field} values \\(${spelling} form\\): ([^.]+)\\.`).exec(text);
  return match![1]!.split(", ").map((word) => word.trim());
}

/**
 * The fields that a sentence lists: `affected (int64, required; rows touched), skipped (array of string or null)`,
 * also several names before one bracket, or without any.
 */
export function sentenceFields(start: string): string[] {
  const line = text.split("\n").find((one) => one.replace(/^- /, "").startsWith(start));
  if (line === undefined) throw new RangeError(`the specification has no line that begins with "${start}"`);
  const list = line.replace(/^- /, "").slice(start.length).replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, "");
  // Another resource may follow in the same line.
  return list.split(/\. ?[A-Z]/)[0]!.split(/[,.:;]| and /).map((part) => part.trim()).filter((part) =>
    /^[a-z_$][a-z_]*$/.test(part)
  );
}

/** What stands under a heading. */
export function section(heading: string): string {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "").startsWith(heading));
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,3} /.test(line));
  return rest.slice(0, to < 0 ? undefined : to).join("\n");
}

function tableAfter(heading: string): string[][] {
  const rows = section(heading).split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** The events of the specification's table: schema names, and the fields of their payloads as written. */
export function events(): { names: string[]; fields: { name: string; text: string }[] }[] {
  return tableAfter("Events").map(([names = "", payload = ""]) => {
    const fields = payload === "empty object"
      ? []
      : [...payload.matchAll(/(?:^|, )([a-z_]+)(?= \(|,|$)/g)].map(
        ([, name]) => ({ name: name!, text: payload }),
      );
    return { names: names.split(", ").map((name) => name.trim()), fields };
  });
}

/** The error statuses of the specification. */
export function statuses(): number[] {
  return tableAfter("Errors").map(([status]) => Number(status));
}
