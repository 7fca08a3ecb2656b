/**
 * What the world may refuse, and so is asked in one place only, which knows what to do then: a lint plugin.
 */

/** What may not be asked for, and the one file that may. */
const askedIn: Record<string, string> = {
  // Throws where the folder has been removed.
  "Deno.cwd": "src/io/machine_places.ts",
  // Answers "Etc/Unknown" for much that the C library takes.
  "Temporal.Now.timeZoneId": "src/io/machine_places.ts",
  // They throw for what is not UTF-8; Deno.env.toObject() leaves it out.
  "Deno.env.get": "src/io/own_variable.ts",
  "Deno.env.has": "src/io/own_variable.ts",
};

/** The file that alone may use a name such as `Deno.cwd`; undefined where `path` may use it. */
export function askElsewhere(name: string, path: string): string | undefined {
  const place = Object.hasOwn(askedIn, name) ? askedIn[name] : undefined;
  const isOurs = /(?:^|\/)(?:src\/|main\.ts$)/.test(path) && !/(?:^|\/)tests\//.test(path);
  return place === undefined || !isOurs || path.endsWith(`/${place}`) ? undefined : place;
}

function nameOf(node: Deno.lint.Expression): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") {
    return undefined;
  }
  const object = nameOf(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}

const plugin: Deno.lint.Plugin = {
  name: "edges",
  rules: {
    "asked-in-one-place": {
      create(context) {
        return {
          MemberExpression(node) {
            const name = nameOf(node);
            const place = name === undefined ? undefined : askElsewhere(name, context.filename);
            if (place !== undefined) {
              context.report({
                node,
                message: `ask ${place} instead of ${name}: the world may refuse to tell`,
              });
            }
          },
        };
      },
    },
  },
};

export default plugin;
