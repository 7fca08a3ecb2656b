import { z } from "zod";

/**
 * The transform that reads a table with keys of the user's choice, every one of them: zod's own records pass over
 * `__proto__` without a word. `value` checks what stands under each key, `keyFault` says what is wrong with a key; issues
 * have the key in their paths.
 */
export function readAnyKeys<T>(
  value: z.ZodType<T>,
  keyFault: (key: string) => string | undefined = () => undefined,
): (raw: unknown, context: z.core.$RefinementCtx) => Record<string, T> {
  return (raw, context) => {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw) || raw instanceof Date) {
      context.issues.push({ code: "invalid_type", expected: "record", input: raw });
      return z.NEVER;
    }
    const entries: [string, T][] = [];
    for (const [key, inner] of Object.entries(raw)) {
      const message = keyFault(key);
      if (message !== undefined) context.issues.push({ code: "custom", message, input: key, path: [key] });
      const read = value.safeParse(inner);
      if (read.success) entries.push([key, read.data]);
      else for (const issue of read.error.issues) context.issues.push(at(key, issue));
    }
    // Defined, not assigned: each key becomes a member of its own.
    return Object.fromEntries(entries);
  };
}

function at(key: string, issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  return { ...issue, path: [key, ...issue.path] } as z.core.$ZodRawIssue;
}
