import { RE2JS } from "re2js";

/**
 * The most steps that an expression may unfold to: what an expression costs to be made ready, and each character to
 * be matched with it, grows with them. (`a{1,1000}` has 2,001.)
 */
export const MOST_STEPS = 2500;
/** One expression looks at no more of a line than its steps times characters come to. */
const MOST_WORK = 4_000_000;

/** A regular expression of a user, ready to be matched. */
export interface UserRegex {
  /** Whether it matches somewhere in a line: of one so long that this would take long, in its beginning. */
  test(line: string): boolean;
}

/**
 * Makes a regular expression in the syntax of RE2 ready, or says what is wrong with it. The engine is linear in time,
 * and the expression is bounded, so that none can be more than slow.
 */
export function userRegex(
  text: string,
  { ignoreCase = false } = {},
): { regex: UserRegex } | { problem: string } {
  const unfolded = stepsOf(text);
  if (unfolded > MOST_STEPS) return { problem: tooLarge(unfolded) };
  try {
    const pattern = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const steps = pattern.programSize();
    if (steps > 2 * MOST_STEPS) return { problem: tooLarge(steps) };
    const most = Math.floor(MOST_WORK / Math.max(1, steps));
    return { regex: { test: (line) => pattern.test(line.length > most ? line.slice(0, most) : line) } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "" };
  }
}

/** Why an expression is refused before it is made ready; undefined where it may be. */
export function sizeProblem(text: string): string | undefined {
  const steps = stepsOf(text);
  return steps > MOST_STEPS ? tooLarge(steps) : undefined;
}

function tooLarge(steps: number): string {
  return `the expression unfolds to some ${steps} steps, and may have ${MOST_STEPS}: write smaller counts in { }`;
}

/** About how many steps an expression unfolds to, without making it ready; what is no expression has some number. */
export function stepsOf(text: string): number {
  /** The steps of what surrounds the group that is being read, and of the last item of each. */
  const outer: { sum: number }[] = [];
  let sum = 0;
  let last = 0;
  const add = (steps: number): void => {
    sum += last;
    last = steps;
  };
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    const count = char === "{" ? /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(text.slice(at, at + 24)) : null;
    if (count !== null) {
      const [all, least, comma, most] = count;
      // What may be left out takes a step more to decide so.
      const must = Number(least);
      const may = comma === undefined ? 0 : most === "" ? 1 : Math.max(0, Number(most) - must);
      last = must * last + may * (last + 1);
      at += all.length;
    } else if (char === "(") {
      outer.push({ sum: sum + last });
      sum = 0;
      last = 2;
      at += /^\(\?(?:P?<\w+>|[a-zA-Z-]*:?)/.exec(text.slice(at, at + 80))?.[0].length ?? 1;
    } else if (char === ")") {
      const inner = sum + last;
      sum = outer.pop()?.sum ?? 0;
      last = inner;
      at++;
    } else if (char === "\\" && text[at + 1] === "Q") {
      const end = text.indexOf("\\E", at);
      const literal = text.slice(at + 2, end < 0 ? text.length : end);
      for (const _ of literal) add(1);
      at = end < 0 ? text.length : end + 2;
    } else {
      if ("*+?".includes(char)) last++;
      else add(1);
      at = char === "[" ? endOfClass(text, at) : char === "\\" ? endOfEscape(text, at) : at + 1;
    }
    if (sum + last > 1e9) return sum + last;
  }
  return outer.reduce((all, group) => all + group.sum, sum + last);
}

/** Where a set of characters ends. */
function endOfClass(text: string, at: number): number {
  let end = at + 1;
  if (text[end] === "^") end++;
  if (text[end] === "]") end++;
  while (end < text.length && text[end] !== "]") {
    if (text[end] === "\\") end++;
    else if (text.startsWith("[:", end)) end = Math.max(end, text.indexOf(":]", end) + 1);
    end++;
  }
  return end + 1;
}

/** Where an escape ends: `\d`, `\x{10FFFF}`, `\p{Greek}`. */
function endOfEscape(text: string, at: number): number {
  const braced = /^\\[pPx]\^?\{[^}]{0,40}\}/.exec(text.slice(at, at + 48));
  return at + (braced?.[0].length ?? 2);
}
