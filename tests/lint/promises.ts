/**
 * Nothing is started and forgotten: every promise of the daemon has somebody who hears of its failure. A lint plugin
 * for what the types of a file alone can tell.
 */

/** Rooms whose promises hold up runs, services or the daemon. */
const rooms = /(?:^|\/)src\/(?:core|engine|io|daemon)\//;

function isIn(filename: string): boolean {
  const path = filename.replaceAll("\\", "/");
  return rooms.test(path) && !path.includes("/tests/");
}

/** The name of the method that a call ends in: `then` of `a.b().then(f)`. */
function methodOf(node: Deno.lint.Node): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { property } = node.callee;
  return property.type === "Identifier" ? property.name : undefined;
}

/** What a name stands for that is called: `f` of `f()`, `#f` of `this.#f()`. */
function calleeOf(node: Deno.lint.Node): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const { callee } = node;
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.object.type !== "ThisExpression") return undefined;
  if (callee.property.type === "PrivateIdentifier") return `#${callee.property.name}`;
  return callee.property.type === "Identifier" ? callee.property.name : undefined;
}

/** Whether somebody hears of a failure at the end of a chain of promises. */
function isHandled(node: Deno.lint.Node): boolean {
  if (node.type !== "CallExpression") return false;
  const method = methodOf(node);
  if (method === "catch") return true;
  if (method === "then") return node.arguments.length > 1;
  if (method === "finally" && node.callee.type === "MemberExpression") return isHandled(node.callee.object);
  return false;
}

/** Whether nothing gets out of a function: all that it does stands in one `try` with a `catch`. */
function catchesAll(body: Deno.lint.Node | null | undefined): boolean {
  if (body?.type !== "BlockStatement") return false;
  const last = body.body.at(-1);
  return last?.type === "TryStatement" && last.handler !== null &&
    body.body.slice(0, -1).every(({ type }) => type === "VariableDeclaration");
}

const plugin: Deno.lint.Plugin = {
  name: "promises",
  rules: {
    handled: {
      create(context): Deno.lint.LintVisitor {
        if (!isIn(context.filename)) return {};
        /** Async functions of the file, and whether nothing gets out of them. */
        const known = new Map<string, boolean>();
        const forgotten: { node: Deno.lint.Node; call: Deno.lint.Node; isSaid: boolean }[] = [];
        const take = (node: Deno.lint.Node, call: Deno.lint.Node, isSaid: boolean): void => {
          if (methodOf(call) === "then" || methodOf(call) === "finally") {
            if (!isHandled(call)) {
              context.report({
                node,
                message: "nobody hears of a rejection: give then() a second function, or catch()",
              });
            }
          } else forgotten.push({ node, call, isSaid });
        };
        return {
          FunctionDeclaration(node): void {
            if (node.async && node.id) known.set(node.id.name, catchesAll(node.body));
          },
          MethodDefinition(node): void {
            const { key, value } = node;
            if (!value.async) return;
            const name = key.type === "PrivateIdentifier"
              ? `#${key.name}`
              : key.type === "Identifier"
              ? key.name
              : "";
            known.set(name, catchesAll(value.body));
          },
          ExpressionStatement(node): void {
            const { expression } = node;
            if (expression.type === "UnaryExpression" && expression.operator === "void") {
              take(node, expression.argument, true);
            } else take(node, expression, false);
          },
          ArrowFunctionExpression(node): void {
            const { body } = node;
            if (body.type === "UnaryExpression" && body.operator === "void") take(body, body.argument, true);
          },
          ReturnStatement(node): void {
            const { argument } = node;
            if (argument?.type === "UnaryExpression" && argument.operator === "void") {
              take(node, argument.argument, true);
            }
          },
          "Program:exit"(): void {
            for (const { node, call, isSaid } of forgotten) {
              const name = calleeOf(call);
              const isSafe = name === undefined ? undefined : known.get(name);
              if (isSafe === undefined || (isSafe && isSaid)) continue;
              context.report({
                node,
                message: isSaid
                  ? `nobody hears when ${name}() fails: catch all in it, or catch() here`
                  : `${name}() is async: await it, or say void where it fails for nobody`,
              });
            }
          },
        };
      },
    },
  },
};

// The lint plugin interface asks for a default export.
export default plugin;
