import type { AnyNode } from "acorn";
import { lineOf, nodesOf, type Scope } from "./scope.ts";

/**
 * Takes down which names code may change after they were declared: then their first value says nothing. `known` are
 * the assignments to what the file exports. One name too many is refused in vain, one too few would be a wrong unit.
 */
export function findChanges(
  program: AnyNode,
  { scope, known }: { scope: Scope; known: ReadonlySet<AnyNode> },
): void {
  for (const node of nodesOf(program)) {
    if (known.has(node)) continue;
    for (const target of targetsOf(node, scope)) change(target, { scope, line: lineOf(node) });
  }
}

/** "" for module.exports and exports themselves, the key below them, or undefined. */
export function exportPlace(left: AnyNode): string | undefined {
  if (left.type === "Identifier") return left.name === "exports" ? "" : undefined;
  if (left.type !== "MemberExpression" || left.computed || left.property.type !== "Identifier") {
    return undefined;
  }
  const { object, property } = left;
  if (object.type === "Identifier" && object.name === "module" && property.name === "exports") return "";
  return exportPlace(object) === "" ? property.name : undefined;
}

/** What a node may change. */
function targetsOf(node: AnyNode, scope: Scope): AnyNode[] {
  const own = changedBy(node);
  if (own !== undefined) return [own];
  // What is handed out one by one may be changed where it arrives.
  if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    return changes(node.body) ? [node.left, node.right] : [node.left];
  }
  if (node.type !== "CallExpression") return [];
  const { callee } = node;
  if (callee.type === "MemberExpression" && node.arguments.some((one) => isFunction(one) && changes(one))) {
    return [callee.object];
  }
  if (isHarmless(scope.text.slice(callee.start, callee.end))) return [];
  return node.arguments.filter((one) => !isFunction(one)).flatMap((one) =>
    [...nodesOf(one)].filter(({ type }) => type === "Identifier")
  );
}

/** What a node itself changes. */
function changedBy(node: AnyNode): AnyNode | undefined {
  if (node.type === "AssignmentExpression") return node.left;
  if (node.type === "UpdateExpression") return node.argument;
  if (node.type === "UnaryExpression" && node.operator === "delete") return node.argument;
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { object, property } = node.callee;
  return property.type === "Identifier" && mutators.has(property.name) ? object : undefined;
}

function changes(node: AnyNode): boolean {
  for (const one of nodesOf(node)) if (changedBy(one) !== undefined) return true;
  return false;
}

/** Marks a name, and all that its value was made from. */
function change(target: AnyNode, { scope, line }: { scope: Scope; line: number }): void {
  const name = rootOf(target);
  if (name === undefined) return;
  const binding = scope.names.get(name);
  if (binding?.kind === "changed" || binding?.kind === "known") return;
  if (binding === undefined && name !== "module.exports") return;
  scope.names.set(name, { kind: "changed", line });
  if (binding === undefined) return;
  for (const one of nodesOf(binding.init)) if (one.type === "Identifier") change(one, { scope, line });
}

function rootOf(node: AnyNode): string | undefined {
  if (node.type === "Identifier") return node.name === "exports" ? "module.exports" : node.name;
  if (node.type !== "MemberExpression") return undefined;
  return exportPlace(node) === "" ? "module.exports" : rootOf(node.object);
}

function isFunction({ type }: AnyNode): boolean {
  return type === "ArrowFunctionExpression" || type === "FunctionExpression";
}

/** Whether a call changes nothing of what it is given, by the text of what is called. */
function isHarmless(callee: string): boolean {
  if (harmless.has(callee)) return true;
  return /^(?:path|console|Math)\.\w+$|\.(?:concat|includes|map|filter|join)$/.test(callee);
}

const mutators: ReadonlySet<string> = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin".split(" "),
);

const harmless: ReadonlySet<string> = new Set(
  "require join resolve JSON.stringify String Number Boolean Object.keys Object.values Object.entries".split(
    " ",
  ),
);
