/**
 * Patterns of text values for the JSON Schema, so that an editor sees a slip as it is typed. They take all that the
 * readers take, and text with `${NAME}`, of which only the loader knows what it becomes.
 */

const variable = "\\$\\{";
const span = "(?:\\d+(?:\\.\\d+)?(?:ns|us|ms|s|m|h|d|w))+";

/** A duration such as "1h30m", and "0" where none is a value. */
export function durationPattern({ positive }: { positive: boolean }): string {
  return `^(?:${positive ? "" : "0|"}${span})$|${variable}`;
}

/** How often a task must succeed: a duration, or "auto". */
export const frequencyPattern = `^(?:0|auto|${span})$|${variable}`;

/** A size such as "100mb", in any letter case. */
export const sizePattern = `^\\d+(?:\\.\\d+)?(?:[kKmMgGtT][iI]?)?[bB]?$|${variable}`;

/** A cron expression of five or six fields, a nickname, or @every with a duration. */
export function cronPattern(nicknames: readonly string[]): string {
  const names = [...nicknames].map(anyCase).join("|");
  const field = "[A-Za-z0-9*?,/#-]+";
  return `^\\s*(?:${names}|${anyCase("@every")}\\s+${span}|(?:${field}\\s+){4,5}${field})\\s*$|${variable}`;
}

/** A word in any letter case: patterns of a schema have no flags. */
function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
