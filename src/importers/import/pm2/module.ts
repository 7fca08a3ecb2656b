import { type AnyNode, type Expression, parse, parseExpressionAt, type Program, type Statement } from "acorn";
import { exportPlace, findChanges } from "./changes.ts";
import { lineOf, moduleName, partsOf, type Scope } from "./scope.ts";
import { Known } from "./value.ts";

/** A file as far as one can tell without running it: what it exports, and what its names stand for. */
export interface Module {
  exported: Expression;
  /** Further `module.exports.KEY = ...` that stand behind. */
  keys: { key: string; value: Expression; line: number }[];
  scope: Scope;
  /** Statements that would do something, which is not done. */
  calls: { line: number; text: string }[];
}

/** What keeps a file from being read. */
export interface ModuleFault {
  line: number;
  why: string;
}

/** Reads the text of an ecosystem file; JSON with remarks and the like is an expression of JavaScript. */
export function readModule(text: string, { isJson }: { isJson: boolean }): Module | ModuleFault {
  try {
    return isJson ? readJson(text) : readProgram(parseProgram(text), text);
  } catch (error) {
    if (error instanceof RangeError) return { line: 0, why: "it nests too deeply" };
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { loc?: { line: number } };
    const message = error.message.replace(/ \(\d+:\d+\)$/, "");
    return { line: loc?.line ?? 0, why: `it can't be read as ${isJson ? "JSON" : "JavaScript"}: ${message}` };
  }
}

const options = { ecmaVersion: "latest", locations: true, allowHashBang: true } as const;

function readJson(text: string): Module {
  const exported = parseExpressionAt(text, 0, options);
  const rest = text.slice(exported.end).replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, "").trim();
  if (rest !== "") {
    const line = text.slice(0, exported.end).split("\n").length;
    throw Object.assign(
      new SyntaxError(`something stands behind its end: ${JSON.stringify(rest.slice(0, 20))}`),
      {
        loc: { line },
      },
    );
  }
  return { exported, keys: [], scope: { names: new Map(), isJson: true, text }, calls: [] };
}

function parseProgram(text: string): Program {
  try {
    return parse(text, { ...options, sourceType: "module" });
  } catch (error) {
    // What is no module may be a script, which is laxer.
    try {
      return parse(text, { ...options, sourceType: "script", allowReturnOutsideFunction: true });
    } catch {
      throw error;
    }
  }
}

function readProgram(program: Program, text: string): Module | ModuleFault {
  const scope: Scope = { names: new Map(), isJson: false, text };
  let exported: Expression | undefined;
  const keys: Module["keys"] = [];
  const calls: Module["calls"] = [];
  const known = new Set<AnyNode>();
  for (const statement of program.body) {
    if (statement.type === "ExportDefaultDeclaration") {
      if (/Declaration$/.test(statement.declaration.type)) continue;
      exported = statement.declaration as Expression;
    } else if (statement.type === "ExpressionStatement") {
      let { expression } = statement;
      if (expression.type === "CallExpression") {
        calls.push({ line: lineOf(expression), text: text.slice(expression.start, expression.end) });
      }
      while (expression.type === "AssignmentExpression" && expression.operator === "=") {
        const place = exportPlace(expression.left);
        if (place === undefined) break;
        known.add(expression);
        let value = expression.right;
        while (value.type === "AssignmentExpression" && value.operator === "=") value = value.right;
        if (place === "") exported = value;
        else keys.push({ key: place, value, line: lineOf(expression) });
        expression = expression.right;
      }
    } else declare(statement as Statement, scope);
  }
  if (program.body.some(mayReturn)) {
    return { line: 0, why: "what it exports depends on a return: it is read, never run" };
  }
  findChanges(program, { scope, known });
  const changed = scope.names.get("module.exports");
  if (changed?.kind === "changed") {
    return { line: changed.line, why: "what it exports is made by code: it is read, never run" };
  }
  if (exported === undefined) {
    const [first] = keys;
    if (first === undefined) {
      return { line: 1, why: "it exports nothing: module.exports = { apps: [...] } is due" };
    }
    exported = { type: "ObjectExpression", properties: [], start: 0, end: 0 } as unknown as Expression;
  }
  return { exported, keys, scope, calls };
}

function declare(statement: AnyNode, { names }: Scope): void {
  if (statement.type === "ExportNamedDeclaration" && statement.declaration) {
    return declare(statement.declaration, { names, isJson: false, text: "" });
  }
  if (statement.type === "ImportDeclaration") {
    const source = String(statement.source.value);
    for (const one of statement.specifiers) {
      const name = one.type === "ImportSpecifier" && one.imported.type === "Identifier"
        ? `${moduleName(source)}.${one.imported.name}`
        : moduleName(source);
      names.set(one.local.name, { kind: "known", value: new Known(name) });
    }
  } else if (statement.type === "VariableDeclaration") {
    for (const { id, init } of statement.declarations) {
      if (id.type === "Identifier") {
        if (init) names.set(id.name, { kind: "constant", init });
        else names.set(id.name, { kind: "changed", line: lineOf(id) });
      } else if (id.type === "ObjectPattern" && init) {
        for (const property of id.properties) {
          if (property.type !== "Property" || property.value.type !== "Identifier") continue;
          if (property.computed || property.key.type !== "Identifier") continue;
          names.set(property.value.name, { kind: "member", init, key: property.key.name });
        }
      }
    }
  }
}

/** Whether a statement may end the file, so that what stands behind it may never count. */
function mayReturn(statement: AnyNode): boolean {
  if (statement.type === "ReturnStatement") return true;
  if (/Function|Class/.test(statement.type)) return false;
  return partsOf(statement).some(mayReturn);
}
