import type { AnyNode } from "acorn";
import { nodesOf, partsOf } from "./scope.ts";

/** For each name of a file all that it may stand for, wherever it is declared or given a value. */
export function aliasesOf(program: AnyNode): Map<string, AnyNode[]> {
  const aliases = new Map<string, AnyNode[]>();
  const add = (target: AnyNode | null | undefined, values: readonly AnyNode[]): void => {
    if (!target) return;
    for (const name of namesIn(target)) {
      const known = aliases.get(name);
      if (known === undefined) aliases.set(name, [...values]);
      else known.push(...values);
    }
  };
  const thrown: AnyNode[] = [];
  for (const node of nodesOf(program)) if (node.type === "ThrowStatement") thrown.push(node.argument);
  for (const node of nodesOf(program)) {
    if (node.type === "VariableDeclarator") add(node.id, node.init ? [node.init] : []);
    else if (node.type === "AssignmentExpression" || node.type === "AssignmentPattern") {
      add(node.left, [node.right]);
    } else if (node.type === "CatchClause") add(node.param, thrown);
    else if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      add(node.id, [node.body]);
    } else if (node.type === "ForOfStatement" || node.type === "ForInStatement") add(node.left, [node.right]);
    else if (node.type === "CallExpression") {
      // A function gets what it is called on, one by one or as a whole.
      const given = [node.callee, ...node.arguments.filter((one) => !isFunction(one))];
      for (const { params } of node.arguments.filter(isFunction)) {
        for (const param of params) add(param, given);
      }
    }
  }
  return aliases;
}

/** Whether a node is a function that is written down right there. */
export function isFunction(
  node: AnyNode,
): node is Extract<AnyNode, { type: "ArrowFunctionExpression" | "FunctionExpression" }> {
  return node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";
}

/**
 * The names that a node speaks of, without those of keys: "module.exports" for whichever way that is written, and
 * "process.env" for the environment as a whole, not for one of its variables.
 */
export function namesIn(root: AnyNode): Set<string> {
  const names = new Set<string>();
  const open: AnyNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "Identifier") names.add(whole.get(node.name) ?? node.name);
    else if (node.type === "MemberExpression") {
      if (node.computed) open.push(node.property);
      const path = pathOf(node);
      if (path === "process" || path === "process.env") names.add("process.env");
      else if (!/^process\.env\./.test(path)) open.push(node.object);
    } else if (
      node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition"
    ) {
      if (node.computed) open.push(node.key);
      if (node.value) open.push(node.value);
    } else open.push(...partsOf(node));
  }
  return names;
}

/** `a.b.c` as it is written, without a global object in front; a part that is no plain name ends it. */
export function pathOf(node: AnyNode): string {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return "";
  const before = pathOf(node.object);
  return before === "globalThis" || before === "global"
    ? node.property.name
    : `${before}.${node.property.name}`;
}

const whole: ReadonlyMap<string, string> = new Map([
  ["exports", "module.exports"],
  ["module", "module.exports"],
  ["process", "process.env"],
]);
