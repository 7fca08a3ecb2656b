import { readShell, type ShellText } from "../shell_text.ts";
import { startsOthers } from "../starters.ts";

/** What a command leaves behind when its run ends. */
export interface LeftBehind {
  note: string;
}

/**
 * Tells of a command that leaves something behind, by `&` anywhere but in front of `wait`, or by a starter; undefined
 * where it does not. `shell` reads it: to a plain one `&>` is `&` and a redirection.
 */
export function leftBehind(
  command: string,
  { text, shell }: { text: ShellText; shell: string | undefined },
): LeftBehind | undefined {
  const lets = '"kill_strays = false" lets it live on';
  if (/(?:^|[^&>|])&\s*$/.test(text.outside)) {
    return {
      note:
        `it goes to the background, so its run ends at once; ${lets}, a service without the "&" would watch over it`,
    };
  }
  const sign = backgroundSign(command, { text, shell, depth: 0 });
  if (sign === "&>") {
    return {
      note:
        'to a plain sh such as dash "&>" is "&" and a redirection, so it goes to the background and its run ends at ' +
        `once; ${lets}: write ">FILE 2>&1" where only the redirection is meant`,
    };
  }
  if (sign === "&") {
    return { note: `a part of it goes to the background ("&"), and its run does not wait for that; ${lets}` };
  }
  if (!startsOthers(text.code) && !innerCommands(command).some(({ inner }) => startsOthers(inner))) {
    return undefined;
  }
  return {
    note: `it seems to start something that goes on without it; ${lets}, a service would watch over it`,
  };
}

function backgroundSign(
  command: string,
  { text, shell, depth }: { text: ShellText; shell: string | undefined; depth: number },
): "&" | "&>" | undefined {
  const redirects = /(?:bash|zsh|mksh|fish)$/.test(shell ?? "");
  // Arithmetic knows the sign as well.
  const code = text.code.slice(0, 4000).replaceAll(/\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)/g, " ");
  const signs = [...code.matchAll(/(?<![&><|])&(?!&)(>?)/g)].filter(([, behind]) =>
    behind === "" || !redirects
  );
  const last = signs.at(-1);
  const isAwaited = last !== undefined && /(?:^|[\s;&|({])wait\b/.test(code.slice(last.index + 1));
  if (last !== undefined && !isAwaited) return signs.every(([, behind]) => behind === ">") ? "&>" : "&";
  if (depth > 3) return undefined;
  for (const { inner, shell: own } of innerCommands(command)) {
    const found = backgroundSign(inner, { text: readShell(inner), shell: own, depth: depth + 1 });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commands that a command hands to another shell. */
function innerCommands(command: string): { inner: string; shell: string }[] {
  const found = command.slice(0, 4000).matchAll(
    /\b((?:ba|da|z|k|a|fi)?sh|su|runuser|sg)\b(?:\s+[^\s'"]+)*?\s+-\w*c\s+(?:'([^']*)'|"((?:[^"\\]|\\[^])*)")/g,
  );
  return [...found].map(([, program = "", single, double = ""]) => ({
    inner: single ?? double.replaceAll(/\\(["\\$`])/g, "$1"),
    shell: program,
  }));
}
