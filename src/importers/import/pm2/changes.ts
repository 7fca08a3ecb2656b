import type { AnyNode } from "acorn";
import { aliasesOf, isFunction, namesIn, pathOf } from "./aliases.ts";
import { lineOf, moduleName, nodesOf, type Scope } from "./scope.ts";

/**
 * Takes down which names code may change after they were declared: then their first value says nothing. `known` are
 * the assignments to what the file exports. One name too many is refused in vain, one too few would be a wrong unit:
 * so what is not known to change nothing is taken to change all that it gets hold of.
 */
export function findChanges(
  program: AnyNode,
  { scope, known }: { scope: Scope; known: ReadonlySet<AnyNode> },
): void {
  const file: File = {
    program,
    aliases: aliasesOf(program),
    functions: functionsOf(program),
    declared: new Set(),
    scope,
    seen: new Set(),
  };
  for (const node of nodesOf(program)) {
    if (known.has(node)) continue;
    for (const target of setBy(node, file)) mark(target, { file, line: lineOf(node), mayBePlain: true });
    for (const target of handledBy(node, file)) mark(target, { file, line: lineOf(node), mayBePlain: false });
  }
}

/** "" for module.exports and exports themselves, the key below them, or undefined. */
export function exportPlace(left: AnyNode): string | undefined {
  const found = /^(?:module\.exports|exports)(?:\.(\w+))?$/.exec(pathOf(left));
  return found === null ? undefined : found[1] ?? "";
}

interface File {
  program: AnyNode;
  aliases: ReadonlyMap<string, readonly AnyNode[]>;
  /** Names of its own functions and methods. */
  functions: ReadonlySet<string>;
  scope: Scope;
  /** Names that a `var` has declared so far. */
  declared: Set<string>;
  /** Names that were followed. */
  seen: Set<string>;
}

/** What gets another value by a node. */
function setBy(node: AnyNode, { program, declared }: File): AnyNode[] {
  switch (node.type) {
    case "AssignmentExpression":
      return [node.left];
    case "UpdateExpression":
      return [node.argument];
    case "UnaryExpression":
      return node.operator === "delete" ? [node.argument] : [];
    case "ForOfStatement":
    case "ForInStatement":
      return node.left.type === "VariableDeclaration" ? [] : [node.left];
    case "VariableDeclaration":
      // A second `var` of a name is the same variable.
      return node.kind !== "var"
        ? []
        : node.declarations.map(({ id }) => id).filter((id) => isAgain(id, declared));
    case "CallExpression":
      return /^(?:eval|Function)$/.test(pathOf(node.callee)) ? [program] : [];
    case "WithStatement":
    case "ThisExpression":
      return [program];
    case "Identifier":
      return node.name === "arguments" ? [program] : [];
    default:
      return [];
  }
}

function isAgain(target: AnyNode, declared: Set<string>): boolean {
  const names = [...namesIn(target)];
  const found = names.some((name) => declared.has(name));
  for (const name of names) declared.add(name);
  return found;
}

/** What a node gets hold of and may change. */
function handledBy(node: AnyNode, file: File): AnyNode[] {
  if (node.type === "NewExpression") {
    return /^(?:Date|Set|Map|URL|RegExp|Error)$/.test(pathOf(node.callee)) ? [] : [...node.arguments];
  }
  if (node.type === "TaggedTemplateExpression") return [node.tag, ...node.quasi.expressions];
  if (node.type !== "CallExpression") return [];
  const { callee, arguments: given } = node;
  const path = pathOf(callee);
  const values = given.filter((one) => !isFunction(one) && !isPlain(one, file));
  if (isHarmless(path, file)) return [];
  if (path === "Object.assign") return values.slice(0, 1);
  // What belongs to the process changes none of its variables.
  if (callee.type !== "MemberExpression" || /^process\.(?!env\b)/.test(path)) return values;
  const name = callee.property.type === "Identifier" && !callee.computed ? callee.property.name : "";
  const isStrange = file.functions.has(name) || !readers.has(name) || isForeign(callee.object, file);
  if (isStrange) return [callee.object, ...values];
  // A function that stands elsewhere may do anything with what it is called with.
  return values.some((one) => callers.has(name) && !isHarmless(pathOf(one), file)) ? [callee.object] : [];
}

/** Marks the names of a part of the file, and all that they may stand for; what is plain text can't be changed in place. */
function mark(
  target: AnyNode,
  { file, line, mayBePlain }: { file: File; line: number; mayBePlain: boolean },
): void {
  const { scope: { names }, aliases, seen } = file;
  const set = (name: string): void => {
    const binding = names.get(name);
    if (binding?.kind !== "known" && (binding !== undefined || isWhole(name))) {
      names.set(name, { kind: "changed", line });
    }
  };
  const open = [...namesIn(target)];
  if (mayBePlain) {
    for (const name of open) set(name);
    // What a lone name stood for until then stays as it was.
    if (target.type === "Identifier") return;
    if (setsEnvironment(target)) set("process.env");
  }
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const values = aliases.get(name) ?? [];
    if (seen.has(name) || values.length > 0 && values.every((value) => isPlain(value, file))) continue;
    seen.add(name);
    set(name);
    for (const value of values) open.push(...namesIn(value));
  }
}

function isWhole(name: string): boolean {
  return name === "module.exports" || name === "process.env";
}

function setsEnvironment(target: AnyNode): boolean {
  for (const node of nodesOf(target)) if (/^process\.env\./.test(pathOf(node))) return true;
  return false;
}

/** Text, a number, a truth, or a module: nothing that can be changed in place, as far as an importer is concerned. */
function isPlain(value: AnyNode, file: File): boolean {
  switch (value.type) {
    case "Literal":
    case "TemplateLiteral":
    case "BinaryExpression":
    case "UnaryExpression":
      return true;
    case "LogicalExpression":
      return isPlain(value.left, file) && isPlain(value.right, file);
    case "ConditionalExpression":
      return isPlain(value.consequent, file) && isPlain(value.alternate, file);
    case "MemberExpression":
      return /^process\.env\.\w+$/.test(pathOf(value));
    case "CallExpression": {
      const path = pathOf(value.callee);
      return path === "require" || makers.test(path) && isHarmless(path, file);
    }
    default:
      return false;
  }
}

/** Functions that make text, or a number. */
const makers =
  /^(?:path\.(?:\w+\.)?\w+|join|resolve|dirname|fileURLToPath|JSON\.stringify|String|Number|parseInt|process\.cwd)$/;

/** Whether a thing comes out of another file, so that nobody knows what its methods do. */
function isForeign(node: AnyNode, { aliases, scope }: File): boolean {
  for (const one of nodesOf(node)) if (isRequire(one)) return true;
  const name = /^\w+/.exec(pathOf(node))?.[0] ?? "";
  return scope.names.get(name)?.kind === "known" || (aliases.get(name) ?? []).some(isRequire);
}

function isRequire(node: AnyNode): node is Extract<AnyNode, { type: "CallExpression" }> {
  return node.type === "CallExpression" && pathOf(node.callee) === "require";
}

/** Whether a name is that of a module of Node.js, or of something in it. */
function isOf(module: RegExp, { name, file: { aliases, scope } }: { name: string; file: File }): boolean {
  const binding = scope.names.get(name);
  if (binding?.kind === "known") return module.test(binding.value.name.split(".")[0] ?? "");
  const values = aliases.get(name) ?? [];
  return values.length > 0 && values.every((value) => {
    const source = isRequire(value) ? value.arguments[0] : undefined;
    return source?.type === "Literal" && module.test(moduleName(String(source.value)));
  });
}

/** The names under which a file has functions of its own. */
function functionsOf(program: AnyNode): Set<string> {
  const names = new Set<string>();
  const add = (key: AnyNode | null): void => {
    if (key?.type === "Identifier") names.add(key.name);
    else if (key?.type === "MemberExpression" && key.property.type === "Identifier") {
      names.add(key.property.name);
    }
  };
  for (const node of nodesOf(program)) {
    if (node.type === "FunctionDeclaration") add(node.id);
    else if (node.type === "VariableDeclarator" && node.init && isFunction(node.init)) add(node.id);
    else if (node.type === "AssignmentExpression" && isFunction(node.right)) add(node.left);
    else if (
      (node.type === "Property" || node.type === "PropertyDefinition") && node.value && isFunction(node.value)
    ) {
      add(node.key);
    } else if (node.type === "MethodDefinition") add(node.key);
  }
  return names;
}

/** Whether a function changes nothing of what it is given, by its name, and by where that comes from. */
function isHarmless(path: string, file: File): boolean {
  const [first = "", ...rest] = path.split(".");
  if (file.functions.has(rest.at(-1) ?? first)) return false;
  if (first === "path") return isOf(/^path$/, { name: first, file });
  if (fromModules.has(path)) return isOf(/^(?:path|url)$/, { name: path, file });
  return !file.aliases.has(first) && (harmless.has(path) || /^(?:console|Math)\.\w+$/.test(path));
}

const fromModules: ReadonlySet<string> = new Set("join resolve dirname fileURLToPath".split(" "));

const harmless: ReadonlySet<string> = new Set(
  ("require JSON.stringify JSON.parse structuredClone String Number Boolean parseInt parseFloat process.cwd " +
    "Array.isArray Object.keys Object.values Object.entries Object.fromEntries Object.freeze").split(" "),
);

/** Methods that change nothing of what they are called on, unless a function that they call does. */
const callers: ReadonlySet<string> = new Set(
  "map filter find findIndex some every flatMap forEach reduce".split(" "),
);

const readers: ReadonlySet<string> = new Set([
  ...callers,
  ..."at concat includes indexOf lastIndexOf join slice flat keys values entries has get hasOwnProperty"
    .split(" "),
  ..."split trim trimStart trimEnd toUpperCase toLowerCase toString replace replaceAll startsWith endsWith"
    .split(" "),
  ..."padStart padEnd repeat substring charAt match test".split(" "),
]);
