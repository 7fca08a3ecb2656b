import { nearest } from "../nearest.ts";
import { utcTime } from "../time_words.ts";
import type { Message } from "./message.ts";

/** What may stand between `{{` and `}}`. */
export const placeholders = [
  "title",
  "body",
  "unit",
  "kind",
  "severity",
  "link",
  "run_id",
  "host",
  "at",
  "count",
  "reason",
] as const;

type Placeholder = typeof placeholders[number];

const mark = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** What is wrong with a template, as a sentence; undefined when each of its placeholders is known. */
export function faultOfTemplate(template: string): string | undefined {
  for (const [, name = ""] of template.matchAll(mark)) {
    if (isKnown(name)) continue;
    const near = nearest(name, placeholders);
    const hint = near === undefined
      ? `known are ${placeholders.map((known) => `{{${known}}}`).join(" ")}`
      : `did you mean {{${near}}}?`;
    return `unknown placeholder {{${name.length > 40 ? `${name.slice(0, 39)}…` : name}}}: ${hint}`;
  }
  return undefined;
}

/** The template with its values put in, each as `escape` writes it; what was put in is not looked at again. */
export function fill(
  template: string,
  message: Message,
  { escape = (value) => value }: { escape?: (value: string) => string } = {},
): string {
  const values = valuesOf(message);
  return template.replace(
    mark,
    (whole, name: string) => isKnown(name) ? escape(String(values[name])) : whole,
  );
}

/** A text of a JSON document, or a placeholder that stands in none. */
const inJson = /"(?:\\.|[^"\\])*"|\{\{[^{}]*\}\}/g;

/**
 * The template with its values put in as JSON wants them: escaped inside of texts, in quotes elsewhere (`{{count}}`
 * as a number); undefined when the template is no JSON.
 */
export function fillJson(template: string, message: Message): string | undefined {
  const trial = template.replace(mark, "0").trim();
  if (!/^[{[]/.test(trial) || !isJson(trial)) return undefined;
  const values = valuesOf(message);
  return template.replace(
    inJson,
    (part) =>
      part.startsWith('"')
        ? fill(part, message, { escape: (value) => JSON.stringify(value).slice(1, -1) })
        : part.replace(mark, (whole, name: string) => isKnown(name) ? JSON.stringify(values[name]) : whole),
  );
}

function valuesOf(message: Message): Record<Placeholder, string | number> {
  const { title, body, unit, kind, severity, link, runId, host, at, count, reason } = message;
  return { title, body, unit, kind, severity, link, run_id: runId, host, at: utcTime(at), count, reason };
}

function isKnown(name: string): name is Placeholder {
  return (placeholders as readonly string[]).includes(name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
