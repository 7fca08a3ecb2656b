import type { AnyNode, CallExpression, MemberExpression, ObjectExpression } from "acorn";
import { resolvePath } from "../../../core/config/path.ts";
import { lineOf, moduleName, nodesOf, type Scope } from "./scope.ts";
import { joinedText } from "./join.ts";
import { combine, isTrue, withFallback } from "./operators.ts";
import {
  Dict,
  Known,
  lengthOf,
  List,
  MAX_ITEMS,
  MAX_TEXT,
  piecesOf,
  Text,
  textOf,
  Unread,
  type Value,
} from "./value.ts";

/** Says what expressions of a file stand for, by reading alone. */
export class Evaluator {
  readonly #known = new Map<string, Value>();
  readonly #open = new Set<string>();
  #steps = 0;

  /** `file` is the absolute path of the file; undefined for standard input. */
  constructor(readonly scope: Scope, readonly file: string | undefined) {}

  /** The value of an expression. */
  read(node: AnyNode): Value {
    if (++this.#steps > MAX_STEPS) return this.#unread(node, "the file is too large");
    switch (node.type) {
      case "Literal":
        return node.regex !== undefined || typeof node.value === "bigint"
          ? this.#unread(node)
          : node.value as string | number | boolean | null;
      case "TemplateLiteral":
        return this.#template(node);
      case "ArrayExpression":
        return this.#list(node);
      case "ObjectExpression":
        return this.#dict(node);
      case "ParenthesizedExpression":
        return this.read(node.expression);
      case "UnaryExpression":
        return this.#unary(node.operator, this.read(node.argument), node);
      case "Identifier":
        return this.#name(node.name, node);
    }
    if (this.scope.isJson) return this.#unread(node, "it is no value of JSON");
    switch (node.type) {
      case "MemberExpression":
        return this.#member(node);
      case "LogicalExpression": {
        const value = withFallback(node.operator, this.read(node.left), () => this.read(node.right));
        return value instanceof Unread && value.line === 0 ? this.#unread(node, value.why) : value;
      }
      case "BinaryExpression": {
        const value = combine(node.operator, this.read(node.left), this.read(node.right));
        return value instanceof Unread && value.line === 0 ? this.#unread(node, value.why) : value;
      }
      case "ConditionalExpression": {
        const test = isTrue(this.read(node.test));
        if (test === undefined) {
          return this.#unread(node, "which of two it is depends on the environment, or on code");
        }
        return this.read(test ? node.consequent : node.alternate);
      }
      case "CallExpression":
        return this.#call(node);
      default:
        return this.#unread(node);
    }
  }

  #unread(node: AnyNode, why = "it needs running"): Unread {
    const names: string[] = [];
    for (const one of nodesOf(node)) {
      if (one.type !== "Property" || one.key.type !== "Identifier" || one.key.name !== "name") continue;
      const { value } = one;
      if (value.type === "Literal") names.push(String(value.value));
      else if (value.type === "TemplateLiteral") {
        names.push(this.scope.text.slice(value.start + 1, value.end - 1));
      }
    }
    const text = this.scope.text.slice(node.start, node.end).replaceAll(/\s+/g, " ");
    const shown = text.length > 50 ? `${text.slice(0, 47)}...` : text;
    return new Unread(`${why}: ${shown}`, lineOf(node), names.reverse());
  }

  #template(node: Extract<AnyNode, { type: "TemplateLiteral" }>): Value {
    const pieces = [];
    for (const [at, quasi] of node.quasis.entries()) {
      pieces.push(quasi.value.cooked ?? "");
      const inner = node.expressions[at];
      if (inner === undefined) continue;
      const value = this.read(inner);
      const own = piecesOf(value);
      if (own === undefined) return value instanceof Unread ? value : this.#unread(node);
      pieces.push(...own);
    }
    return lengthOf(pieces) > MAX_TEXT ? this.#tooMuch(node) : textOf(pieces);
  }

  #tooMuch(node: AnyNode): Unread {
    return new Unread("it grows without end", lineOf(node));
  }

  #list(node: Extract<AnyNode, { type: "ArrayExpression" }>): Value {
    const items: { value: Value; line: number }[] = [];
    for (const element of node.elements) {
      if (element === null) items.push({ value: undefined, line: lineOf(node) });
      else if (element.type !== "SpreadElement") {
        items.push({ value: this.read(element), line: lineOf(element) });
      } else {
        const value = this.read(element.argument);
        if (value instanceof List) items.push(...value.items);
        else {items.push({
            value: value instanceof Unread ? value : this.#unread(element),
            line: lineOf(element),
          });}
      }
      if (items.length > MAX_ITEMS) return this.#tooMuch(node);
    }
    this.#steps += items.length;
    return new List(items);
  }

  #dict(node: ObjectExpression): Dict {
    const dict = new Dict();
    for (const property of node.properties) {
      const line = lineOf(property);
      if (property.type === "SpreadElement") {
        const value = this.read(property.argument);
        if (value instanceof Dict) {
          this.#steps += value.entries.size;
          for (const [key, entry] of value.entries) dict.entries.set(key, entry);
          dict.unread.push(...value.unread);
        } else if (!(value === null || value === undefined || value === false)) {
          dict.unread.push(value instanceof Unread ? value : this.#unread(property));
        }
        continue;
      }
      const key = this.#key(property);
      if (key === undefined || property.kind !== "init") dict.unread.push(this.#unread(property));
      else if (key === "__proto__") dict.unread.push(this.#unread(property, "a prototype is not followed"));
      else {
        if (dict.entries.has(key) && node.properties.some((other) => isTwin(other, property))) {
          dict.doubled.set(key, line);
        }
        dict.entries.set(key, { value: this.read(property.value), line });
      }
    }
    return dict;
  }

  #key({ key, computed }: Extract<AnyNode, { type: "Property" }>): string | undefined {
    if (!computed && key.type === "Identifier") return key.name;
    const value = this.read(key);
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }

  #unary(operator: string, value: Value, node: AnyNode): Value {
    if (value instanceof Unread) return value;
    if (operator === "-" && typeof value === "number") return -value;
    if (operator === "+" && (typeof value === "number" || typeof value === "string")) return Number(value);
    const truth = isTrue(value);
    if (operator === "!" && truth !== undefined) return !truth;
    return operator === "void" ? undefined : this.#unread(node);
  }

  #name(name: string, node: AnyNode): Value {
    if (name === "undefined") return undefined;
    if (name === "Infinity" || name === "NaN") return Number(name);
    if (this.scope.isJson) return this.#unread(node, "it is no value of JSON");
    const binding = this.scope.names.get(name);
    if (binding?.kind === "known") return binding.value;
    if (binding?.kind === "changed") {
      return this.#unread(node, `code changes it on line ${binding.line}`);
    }
    if (binding === undefined) {
      if (name === "__dirname" || name === "__filename") return this.#place(name, node);
      return name === "require" || name === "process" ? new Known(name) : this.#unread(node);
    }
    if (this.#known.has(name)) return this.#known.get(name);
    if (this.#open.has(name)) return this.#unread(node, "it stands for itself");
    this.#open.add(name);
    const value = this.read(binding.init);
    const found = binding.kind === "member" ? this.#below(value, binding.key, node) : value;
    this.#open.delete(name);
    this.#known.set(name, found);
    return found;
  }

  #place(name: string, node: AnyNode): Value {
    if (this.file === undefined) {
      return this.#unread(node, "the folder of a file that is piped in is unknown");
    }
    return name === "__filename" ? this.file : resolvePath("..", { base: this.file });
  }

  #member(node: MemberExpression): Value {
    if (node.object.type === "MetaProperty" && node.property.type === "Identifier") {
      const { name } = node.property;
      if (name === "dirname") return this.#place("__dirname", node);
      return name === "filename" || name === "url" ? this.#place("__filename", node) : this.#unread(node);
    }
    const key = node.computed
      ? this.read(node.property)
      : node.property.type === "Identifier"
      ? node.property.name
      : undefined;
    if (typeof key !== "string" && typeof key !== "number") return this.#unread(node);
    return this.#below(this.read(node.object), String(key), node);
  }

  #below(value: Value, key: string, node: AnyNode): Value {
    if (value instanceof Unread) return value;
    if (value instanceof Known) {
      if (value.name !== "process.env") return new Known(`${value.name}.${key}`);
      const changed = this.scope.names.get("process.env");
      if (changed?.kind !== "changed") return new Text([{ variable: key }]);
      return this.#unread(node, `code changes the environment on line ${changed.line}`);
    }
    if (value instanceof Dict) {
      const isEveryObjects = key in Object.prototype && !value.entries.has(key);
      return value.unread[0] ?? (isEveryObjects ? this.#unread(node) : value.entries.get(key)?.value);
    }
    if (
      value instanceof List && key === "length" && !value.items.some((item) => item.value instanceof Unread)
    ) {
      return value.items.length;
    }
    if (value instanceof List && /^\d+$/.test(key)) return value.items[Number(key)]?.value;
    return this.#unread(node);
  }

  #call(node: CallExpression): Value {
    const { callee } = node;
    if (callee.type === "MemberExpression" && callee.property.type === "Identifier") {
      const target = callee.property.name === "concat" ? this.read(callee.object) : undefined;
      if (target instanceof List) return this.#concat(target, node);
    }
    const called = callee.type === "Super" ? undefined : this.read(callee);
    if (called instanceof Unread) return this.#unread(node);
    if (!(called instanceof Known)) return this.#unread(node);
    const values = node.arguments.map((argument) => this.read(argument));
    const texts = values.filter((value) => typeof value === "string");
    if (called.name === "require") {
      const name = moduleName(texts[0] ?? "");
      return name === "path" || name === "url"
        ? new Known(name)
        : this.#unread(node, "other code and files are not read");
    }
    const unread = values.find((value) => value instanceof Unread);
    if (unread !== undefined) return unread;
    if (texts.length !== values.length || texts.length === 0) {
      return joinedText(called.name, values) ?? this.#unread(
        node,
        values.some((value) => value instanceof Text) ? "a folder can't depend on a variable" : undefined,
      );
    }
    const [first = ""] = texts;
    const isAnchored = first.startsWith("/");
    if (/^path\.(?:posix\.)?join$/.test(called.name) && isAnchored) {
      return resolvePath(texts.join("/"), { base: "/" });
    }
    if (/^path\.(?:posix\.)?resolve$/.test(called.name) && isAnchored) {
      return texts.reduce((base, path) => resolvePath(path, { base }), "/");
    }
    if (/^path\.(?:posix\.)?dirname$/.test(called.name) && isAnchored) {
      return resolvePath("..", { base: first });
    }
    return called.name === "url.fileURLToPath" && first === this.file ? first : this.#unread(node);
  }

  #concat(list: List, node: CallExpression): Value {
    const items = [...list.items];
    for (const argument of node.arguments) {
      const value = this.read(argument);
      if (value instanceof List) items.push(...value.items);
      else items.push({ value, line: lineOf(argument) });
    }
    return items.length > MAX_ITEMS ? this.#tooMuch(node) : new List(items);
  }
}

/** More than any file needs that a person wrote. */
const MAX_STEPS = 2_000_000;

/** Whether another property stands earlier in the same object under the same plain key. */
function isTwin(
  other: ObjectExpression["properties"][number],
  property: Extract<AnyNode, { type: "Property" }>,
): boolean {
  if (other.type !== "Property" || other.start >= property.start) return false;
  return plainKey(other) === plainKey(property);
}

function plainKey({ key }: Extract<AnyNode, { type: "Property" }>): string {
  return key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
}
