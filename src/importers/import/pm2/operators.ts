import {
  Dict,
  Known,
  lengthOf,
  List,
  MAX_TEXT,
  piecesOf,
  Text,
  textOf,
  Unread,
  type Value,
} from "./value.ts";

/** Whether a value counts as true; undefined where only a run knows. */
export function isTrue(value: Value): boolean | undefined {
  if (value instanceof Unread || value instanceof Text || value instanceof Known) return undefined;
  return value instanceof List || value instanceof Dict || Boolean(value);
}

/** `left || right`, `left ?? right` and `left && right`; a line of 0 stands for that of the expression. */
export function withFallback(operator: string, left: Value, right: () => Value): Value {
  if (left instanceof Unread) return left;
  if (left instanceof Text) {
    const [first, ...rest] = left.pieces;
    const other = right();
    const fallback = piecesOf(other);
    const isLone = rest.length === 0 && typeof first === "object" && first.fallback === undefined;
    if (operator === "&&" || !isLone) return new Unread("it depends on the environment", 0);
    if (other === undefined || other === null) return left;
    if (fallback === undefined || fallback.some((piece) => typeof piece !== "string")) {
      return other instanceof Unread
        ? other
        : new Unread("what stands for a variable has to be plain text", 0);
    }
    return new Text([{
      variable: first.variable,
      fallback: fallback.join(""),
      ...(operator === "??" ? { keepsEmpty: true } : {}),
    }]);
  }
  const truth = operator === "??" ? left !== null && left !== undefined : isTrue(left);
  if (truth === undefined) return new Unread("it needs running", 0);
  return truth === (operator === "&&") ? right() : left;
}

/** What two values give by an operator of arithmetic or comparison; a line of 0 stands for that of the expression. */
export function combine(operator: string, left: Value, right: Value): Value {
  if (left instanceof Unread) return left;
  if (right instanceof Unread) return right;
  if (typeof left === "number" && typeof right === "number") {
    const found = arithmetic.get(operator)?.(left, right);
    if (found !== undefined) return found;
  }
  const [first, second] = [piecesOf(left), piecesOf(right)];
  const isText = [left, right].some((value) => typeof value === "string" || value instanceof Text);
  if (operator === "+" && isText && first !== undefined && second !== undefined) {
    if (lengthOf(first) + lengthOf(second) > MAX_TEXT) return new Unread("it grows without end", 0);
    return textOf([...first, ...second]);
  }
  const isPlain = [left, right].every((value) => typeof value !== "object" || value === null);
  if (isPlain && /^[!=]==$/.test(operator)) return (left === right) === (operator === "===");
  return new Unread(
    left instanceof Text || right instanceof Text ? "it depends on the environment" : "it needs running",
    0,
  );
}

const arithmetic: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ["+", (a: number, b: number) => a + b],
  ["-", (a: number, b: number) => a - b],
  ["*", (a: number, b: number) => a * b],
  ["/", (a: number, b: number) => a / b],
  ["%", (a: number, b: number) => a % b],
]);
