/**
 * The import rules of docs/architecture.md as a lint plugin: which room may import which, and that
 * core and importers stay pure (no Deno, no node:, no clock, no randomness).
 */

/** Rooms of the project, and the rooms that each may import. Its own is always allowed. */
const allowed: Record<string, readonly string[]> = {
  types: [],
  fault: [],
  core: ["types", "fault"],
  io: ["types", "fault", "core"],
  engine: ["types", "fault", "core", "io"],
  http: ["types", "fault", "core", "engine"],
  cli: ["types", "fault", "version", "core", "importers", "http"],
  tui: ["types", "fault", "core", "http", "cli"],
  ui: ["types", "core", "http"],
  importers: ["types", "fault", "core"],
  version: [],
  daemon: ["types", "fault", "version", "core", "io", "engine", "http", "local"],
  local: ["types", "fault", "core", "io", "engine", "importers"],
};

/** Floors of the engine, and those below that each may import. What lies outside them is the face above, and the base below. */
const floors: Record<string, readonly string[]> = {
  runs: [],
  tasks: ["runs"],
  services: ["runs"],
  notices: ["runs"],
  upkeep: ["runs"],
};

/** Files of the engine that every floor may import, beside those of the floors below. */
const engineBase = new Set(["bus", "part", "news", "refusals", "retry_after", "timers", "waits", "world"]);

/** Rooms that decide and touch nothing. */
const pure = new Set(["core", "importers"]);

/** They know a daemon over HTTP only, so that local and remote are one code path. */
const clients = new Set(["cli", "tui", "ui"]);

/** The room of a file of the project, or undefined for main.ts, tests and the rest. */
export function roomOf(path: string): string | undefined {
  const match = /(?:^|\/)(?:src\/([a-z]+)(?:\/|\.ts$)|(ui)\/)/.exec(path.replaceAll("\\", "/"));
  return match?.[1] ?? match?.[2];
}

/** Why a file of `room` may not import `specifier` (already joined to a path when relative); undefined when it may. */
export function forbidden(
  room: string,
  specifier: string,
  options: { typeOnly?: boolean } = {},
): string | undefined {
  const rooms = allowed[room];
  if (rooms === undefined) {
    return `room "${room}" is not in the plan: add it to docs/architecture.md and to this rule`;
  }
  if (pure.has(room) && specifier.startsWith("node:")) return `${room} is pure: no node: imports`;
  if (!specifier.startsWith("/")) return undefined;
  // Built files and texts of the page are data, not code.
  if (/^(?:.*\/)?ui\/(?:dist\/|[^/]+\.(?:html|css|svg)$)/.test(specifier)) return undefined;
  const target = roomOf(specifier);
  if (target === undefined || target === room) return undefined;
  if (!rooms.includes(target)) return `room "${room}" may not import room "${target}"`;
  if (target === "http" && clients.has(room) && !options.typeOnly) {
    return `room "${room}" knows http by its types only: use import type`;
  }
  if (target === "engine" && room === "http" && !options.typeOnly && !specifier.endsWith("/engine.ts")) {
    return "http knows the engine by its face, engine/engine.ts, or by types";
  }
  return undefined;
}

/** Why a file of the engine, at a path of the project, may not import another of its files; undefined when it may. */
export function forbiddenFloor(path: string, target: string, { typeOnly = false } = {}): string | undefined {
  const from = placeInEngine(path);
  const to = placeInEngine(target);
  if (from === undefined || to === undefined || from.floor === to.floor) return undefined;
  if (from.floor === undefined) {
    return engineBase.has(from.name)
      ? `${from.name}.ts is below the floors and may not import "${to.floor}"`
      : undefined;
  }
  if (to.floor === undefined) {
    // What it shows to its callers may be known to all.
    if (engineBase.has(to.name) || typeOnly) return undefined;
    return `the floor "${from.floor}" may not import ${to.name}.ts, which is above it`;
  }
  const below = floors[from.floor];
  if (below === undefined) {
    return `the floor "${from.floor}" is not in the plan: add it to docs/architecture.md and to this rule`;
  }
  return below.includes(to.floor)
    ? undefined
    : `the floor "${from.floor}" may not import the floor "${to.floor}"`;
}

function placeInEngine(path: string): { floor: string | undefined; name: string } | undefined {
  const match = /\/src\/engine\/(?:([a-z_]+)\/)?([a-z_]+)\.ts$/.exec(path);
  return match === null ? undefined : { floor: match[1], name: match[2]! };
}

function join(file: string, specifier: string): string {
  return specifier.startsWith(".")
    ? new URL(specifier, `file://${file.replaceAll("\\", "/")}`).pathname
    : specifier;
}

const impureGlobals = new Set([
  "Deno",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "performance",
  "crypto",
  "process",
  "console",
]);

const plugin: Deno.lint.Plugin = {
  name: "rooms",
  rules: {
    imports: {
      create(context): Deno.lint.LintVisitor {
        const room = roomOf(context.filename);
        if (room === undefined || context.filename.includes("/tests/")) return {};
        const check = (node: Deno.lint.Node, source: string, typeOnly: boolean): void => {
          const target = join(context.filename, source);
          const why = forbidden(room, target, { typeOnly }) ??
            forbiddenFloor(context.filename, target, { typeOnly });
          if (why !== undefined) context.report({ node, message: why });
        };
        return {
          ImportDeclaration: (node): void => check(node, node.source.value, node.importKind === "type"),
          ExportNamedDeclaration: (node): void => {
            if (node.source) check(node, node.source.value, false);
          },
          ExportAllDeclaration: (node): void => check(node, node.source.value, false),
          ImportExpression: (node): void => {
            if (node.source.type === "Literal" && typeof node.source.value === "string") {
              check(node, node.source.value, false);
            } else context.report({ node, message: "a dynamic import needs a literal name" });
          },
        };
      },
    },
    pure: {
      create(context): Deno.lint.LintVisitor {
        const room = roomOf(context.filename) ?? "";
        if (!pure.has(room) || context.filename.includes("/tests/")) return {};
        const report = (node: Deno.lint.Node, used: Deno.lint.Node): void => {
          if (used.type !== "Identifier" || !impureGlobals.has(used.name)) return;
          context.report({ node, message: `${room} is pure: no ${used.name}` });
        };
        return {
          MemberExpression: (node): void => report(node, node.object),
          CallExpression: (node): void => report(node, node.callee),
          "MemberExpression[object.name='Date'][property.name='now']": (
            node: Deno.lint.MemberExpression,
          ): void => context.report({ node, message: `${room} is pure: the time comes in as a value` }),
          "NewExpression[callee.name='Date'][arguments.length=0]": (node: Deno.lint.NewExpression): void =>
            context.report({ node, message: `${room} is pure: the time comes in as a value` }),
          "MemberExpression[object.name='Math'][property.name='random']": (
            node: Deno.lint.MemberExpression,
          ): void => context.report({ node, message: `${room} is pure: no randomness` }),
          AwaitExpression: (node): void => context.report({ node, message: `${room} is pure: no await` }),
        };
      },
    },
  },
};

// The lint plugin interface asks for a default export.
export default plugin;
