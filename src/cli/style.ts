import { type MarkName, markOf, type Role, type Word } from "../core/words.ts";
import { isColoured, type Output, type Terminal } from "./terminal.ts";

/** How text is to look on one output: colours where they are wanted, Unicode where it is known. */
export interface Style {
  paint(text: string, role: Role | "italic" | "bold"): string;
  mark(word: Word): string;
  markNamed(name: MarkName): string;
  /** Stands for what is cut off. */
  ellipsis: string;
  /** Stands for nothing, in a table. */
  dash: string;
  /** Points to what to do. */
  arrow: string;
  /** Separates the parts of a line. */
  dot: string;
}

/** The style for an output of a terminal. */
export function styleOf(output: Output, env: Terminal["env"]): Style {
  const withColours = isColoured(output.isTerminal, env);
  const ascii = !knowsUnicode(env);
  const paint: Style["paint"] = (text, role) => {
    const code = codes[role];
    return withColours && code !== undefined && text !== "" ? `\x1b[${code}m${text}\x1b[0m` : text;
  };
  const markNamed: Style["markNamed"] = (name) => markOf(name, { ascii });
  return {
    paint,
    markNamed,
    mark: (word) => paint(markNamed(word.mark), word.role),
    ellipsis: ascii ? "..." : "…",
    dash: ascii ? "-" : "–",
    arrow: ascii ? "->" : "→",
    dot: ascii ? "-" : "·",
  };
}

/** From the 16 colours of the terminal, so that its user's theme holds. */
const codes: Readonly<Record<Role | "italic" | "bold", string | undefined>> = {
  good: "32",
  bad: "31",
  warn: "33",
  muted: "2",
  accent: "36",
  neutral: undefined,
  italic: "3",
  bold: "1",
};

/** As the C library decides it: LC_ALL, else LC_CTYPE, else LANG. */
function knowsUnicode(env: Terminal["env"]): boolean {
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "");
}
