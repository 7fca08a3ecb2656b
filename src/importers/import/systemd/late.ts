import { Template } from "../imported.ts";
import type { Piece } from "../words.ts";

/** Stands in a text for the folder of a user's runtime files, which only a run knows; no file holds a NUL. */
export const runtimeFolder = "\0XDG_RUNTIME_DIR\0";

/** Whether something in a text is known when it runs only. */
export function isLate(text: string): boolean {
  return text.includes("\0");
}

/** A text as pieces of a word, in which a shell puts in what is known late. */
export function latePieces(text: string): Piece[] {
  return text.split(/\0(\w+)\0/)
    .map((part, at): Piece => at % 2 === 0 ? part : { shell: `\${${part}}`, isQuoted: true })
    .filter((piece) => piece !== "");
}

/** A text as a value of the configuration, in which svc puts in what is known late. */
export function lateText(text: string): string | Template {
  if (!isLate(text)) return text;
  return new Template(
    text.split(/\0(\w+)\0/)
      .map((part, at) => at % 2 === 0 ? part.replaceAll("${", () => "$${") : `\${${part}}`).join(""),
  );
}

/** A text for people. */
export function lateWords(text: string): string {
  return text.replaceAll(/\0(\w+)\0/g, "$$$1");
}
