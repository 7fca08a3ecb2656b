import type { AnyNode, Expression } from "acorn";
import type { Known } from "./value.ts";

/** What the names of a file stand for. */
export interface Scope {
  names: Map<string, Binding>;
  /** JSON knows no names. */
  isJson: boolean;
  text: string;
}

/** What a name stands for: an expression, a key of one, something of Node.js, or what code has changed. */
export type Binding =
  | { kind: "constant"; init: Expression }
  | { kind: "member"; init: Expression; key: string }
  | { kind: "known"; value: Known }
  | { kind: "changed"; line: number };

/** The line of a node. */
export function lineOf(node: AnyNode): number {
  return node.loc?.start.line ?? 0;
}

/** Every node below one, itself first, in the order of the text. */
export function* nodesOf(root: AnyNode): Generator<AnyNode> {
  const open: AnyNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    open.push(...partsOf(node).reverse());
  }
}

/** The nodes right below one. */
export function partsOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flat().filter((part) =>
    typeof part === "object" && part !== null && typeof part.type === "string"
  );
}

/** The name of a module without its scheme. */
export function moduleName(source: string): string {
  return source.replace(/^node:/, "");
}
