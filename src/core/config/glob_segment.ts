/** What tells whether a name matches; as a regular expression does. */
export interface NamePattern {
  test(name: string): boolean;
}

/**
 * Matches one segment of a path glob (no "/"): `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}` and `\` before a character that
 * stands for itself. As in shells, a wildcard never takes a leading dot. The time that a name takes is bounded by the
 * lengths of both multiplied, whatever they are: all ways are followed at once, and none is tried twice.
 */
export function segmentPattern(glob: string): NamePattern {
  const steps = compile(tokenize(glob));
  /** At which character of the present name a step was reached last. */
  const reached = new Int32Array(steps.length);
  return {
    test(name) {
      const chars = Array.from(name);
      reached.fill(-1);
      let now: number[] = [];
      enter(0, { steps, reached, at: 0, chars, into: now });
      for (let at = 0; at < chars.length && now.length > 0; at++) {
        const next: number[] = [];
        const way = { steps, reached, at: at + 1, chars, into: next };
        for (const index of now) {
          const step = steps[index]!;
          if (step.does === "many" && chars[at] !== "/") enter(index, way);
          else if (step.does === "one" && step.takes(chars[at]!)) enter(index + 1, way);
        }
        now = next;
      }
      return now.some((index) => steps[index]!.does === "end");
    },
  };
}

type Token =
  | { is: "char"; char: string }
  | { is: "star" | "any" | "open" | "comma" | "close" }
  | { is: "set"; takes: (char: string) => boolean };

type Step =
  | { does: "one"; takes: (char: string) => boolean; isWild: boolean }
  /** Any number of characters, none too. */
  | { does: "many" }
  /** Goes on at each of these. */
  | { does: "fork"; to: number[] }
  | { does: "end" };

interface Way {
  steps: readonly Step[];
  reached: Int32Array;
  at: number;
  chars: readonly string[];
  into: number[];
}

/** Notes a step, and those that are reached from it without a character. */
function enter(first: number, { steps, reached, at, chars, into }: Way): void {
  const open = [first];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached[index] === at) continue;
    reached[index] = at;
    const step = steps[index]!;
    if (step.does === "fork") {
      open.push(...step.to);
      continue;
    }
    const isWild = step.does === "many" || step.does === "one" && step.isWild;
    if (isWild && at === 0 && chars[0] === ".") continue;
    into.push(index);
    if (step.does === "many") open.push(index + 1);
  }
}

function compile(tokens: readonly Token[]): Step[] {
  const steps: Step[] = [];
  /** The open groups: where each of their alternatives begins, and the steps that leave it. */
  const groups: { fork: { to: number[] }; leaves: { to: number[] }[] }[] = [];
  const fork = (): { to: number[] } => {
    const step = { does: "fork" as const, to: [] };
    steps.push(step);
    return step;
  };
  const paired = pairs(tokens);
  for (const [at, token] of tokens.entries()) {
    const group = groups.at(-1);
    if (token.is === "open" && paired.has(at)) {
      const begin = fork();
      begin.to.push(steps.length);
      groups.push({ fork: begin, leaves: [] });
    } else if (token.is === "comma" && group !== undefined) {
      group.leaves.push(fork());
      group.fork.to.push(steps.length);
    } else if (token.is === "close" && paired.has(at)) {
      for (const leave of groups.pop()?.leaves ?? []) leave.to.push(steps.length);
    } else steps.push(stepOf(token));
  }
  return [...steps, { does: "end" }];
}

function stepOf(token: Token): Step {
  if (token.is === "star") return { does: "many" };
  if (token.is === "any") return { does: "one", takes: (char) => char !== "/", isWild: true };
  if (token.is === "set") return { does: "one", takes: token.takes, isWild: true };
  const char = token.is === "char" ? token.char : signs[token.is];
  return { does: "one", takes: (other) => other === char, isWild: false };
}

const signs = { open: "{", comma: ",", close: "}" } as const;

/** The braces that have their partner; others stand for themselves. */
function pairs(tokens: readonly Token[]): Set<number> {
  const paired = new Set<number>();
  const open: number[] = [];
  for (const [at, { is }] of tokens.entries()) {
    if (is === "open") open.push(at);
    const begin = is === "close" ? open.pop() : undefined;
    if (begin !== undefined) paired.add(begin).add(at);
  }
  return paired;
}

const special: Readonly<Record<string, Token["is"]>> = {
  "*": "star",
  "?": "any",
  "{": "open",
  ",": "comma",
  "}": "close",
};

function tokenize(glob: string): Token[] {
  const chars = Array.from(glob);
  const tokens: Token[] = [];
  /** The last "]": no set begins behind it. */
  const last = chars.lastIndexOf("]");
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const set = char === "[" && at < last ? setAt(chars, at) : undefined;
    const is = special[char];
    if (char === "\\" && at + 1 < chars.length) tokens.push({ is: "char", char: chars[++at]! });
    else if (set !== undefined) {
      tokens.push({ is: "set", takes: set.takes });
      at = set.end;
    } else if (is === undefined || is === "char" || is === "set") tokens.push({ is: "char", char });
    else tokens.push({ is });
  }
  return tokens;
}

/** The bracket expression that begins at `at`, and where it ends; a "]" that stands first in it is a member. */
function setAt(
  chars: readonly string[],
  at: number,
): { takes: (char: string) => boolean; end: number } | undefined {
  const inverted = chars[at + 1] === "!" || chars[at + 1] === "^";
  const from = at + (inverted ? 2 : 1);
  const first = chars.indexOf("]", from);
  if (first < 0) return undefined;
  const second = first === from ? chars.indexOf("]", from + 1) : -1;
  const end = second < 0 ? first : second;
  const holds = members(chars.slice(from, end));
  return { takes: (char) => char !== "/" && holds(char) !== inverted, end };
}

/** Single characters and ranges; a range that runs backwards is its two ends. */
function members(chars: readonly string[]): (char: string) => boolean {
  const single = new Set<string>();
  const ranges: [from: number, to: number][] = [];
  for (let at = 0; at < chars.length; at++) {
    const [from, dash, to] = [chars[at]!, chars[at + 1], chars[at + 2]];
    const [low, high] = [code(from), to === undefined ? -1 : code(to)];
    if (dash === "-" && to !== undefined) {
      if (low <= high) ranges.push([low, high]);
      else single.add(from).add(to);
      at += 2;
    } else single.add(from);
  }
  return (char) => single.has(char) || ranges.some(([low, high]) => low <= code(char) && code(char) <= high);
}

function code(char: string): number {
  return char.codePointAt(0) ?? 0;
}
