/** The names in a text of a compose file that have no value unless somebody gives one: without a fallback. */
export function variablesIn(text: string): string[] {
  if (!text.includes("$")) return [];
  const names: string[] = [];
  for (const [, plain, braced, mark = ""] of text.matchAll(variable)) {
    const name = plain ?? braced;
    if (name !== undefined && (mark === "" || mark.endsWith("?"))) names.push(name);
  }
  return names;
}

/** A text as compose reads it where no variable is set; undefined where one without a fallback stands in it. */
export function withFallbacks(text: string): string | undefined {
  if (variablesIn(text).length > 0) return undefined;
  return text.replaceAll(withFallback, (all, fallback?: string) => all === "$$" ? "$" : fallback ?? "");
}

/** `$$` is a plain sign; what stands behind a name in braces decides what an unset variable is. */
const variable = /\$\$|\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(:?[-?+])?)/g;

const withFallback = /\$\$|\$\{[A-Za-z_][A-Za-z0-9_]*(?::?-([^${}]*)|:?\+[^${}]*)\}/g;
