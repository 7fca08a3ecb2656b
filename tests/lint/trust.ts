/**
 * Whatever the program opens to write, starts or makes is looked at by `src/io/trust.ts` and `src/io/programs.ts` first.
 * A lint plugin that knows who may do so beside them, and why.
 */

/** Files and folders of the source that write by themselves: what they write to has been looked at, or was just named by the user. */
const writers: Readonly<Record<string, string>> = {
  "main.ts": "the folder of a demo, which the user names",
  "src/cli/": "files that the user names, and saved sessions of his own",
  "src/http/listen/": "the control socket, in a folder that has been looked at",
  "src/io/folder_lock.ts": "in the data folder",
  "src/io/logs/": "in the data folder",
  "src/io/process/bell.ts": "in the data folder",
  "src/io/process/keeper_file.ts": "in the data folder",
  "src/io/process/launch_notes.ts": "notes in the data folder",
  "src/io/process/night_watch.ts": "a mark in the data folder",
  "src/io/process/spool_file.ts": "spools in the data folder",
  "src/io/service_manager/": "a socket in the data folder",
  "src/io/store/": "in the data folder",
  "src/io/trust.ts": "the looks themselves",
  "src/local/doctor/": "copies in a fresh folder",
  "src/local/restore.ts": "in the data folder",
  "src/local/standalone/": "a fresh folder",
  "src/local/upgrade/candidate.ts": "how a program begins that the user names, and that has been looked at",
  "src/local/starter.ts": "a file that the user asks for",
  "src/tui/launch_file.ts": "a fresh folder",
};

/** Changes something on disk at a path. */
const writes =
  /^(?:open|write(?:Text)?File|create|mkdir|chmod|chown|rename|remove|symlink|link|copyFile|truncate|makeTemp(?:Dir|File))(?:Sync)?$/;

/** Files of the source that read whole files by themselves: nobody else can put another thing in the place of those. */
const readers: Readonly<Record<string, string>> = {
  "src/cli/": "files that the user names, and saved sessions of his own",
  "src/io/folder_lock.ts": "in the data folder",
  "src/io/process/accounts.ts": "the system's list of users",
  "src/io/process/launch_notes.ts": "notes in the data folder",
  "src/io/process/tree_record.ts": "a record in the data folder",
  "src/io/tls.ts": "certificates and keys, whose places have been looked at",
  "src/local/background.ts": "the log of the daemon that is being started",
  "src/local/password_file.ts": "a file that has been looked at",
  "src/local/places.ts": "a record in a data folder that has been looked at",
  "src/local/service/": "service files of the system",
};

/** Reads what is at a path, however much that is, and waits where it is a pipe. */
const reads = /^read(?:Text)?File(?:Sync)?$/;

/** The path of a file within the project; undefined for tests and other projects. */
function placeOf(filename: string): string | undefined {
  const path = filename.replaceAll("\\", "/");
  if (path.includes("/tests/") || path.includes("/tools/")) return undefined;
  return /(?:^|\/)(src\/.+|main\.ts)$/.exec(path)?.[1];
}

/** Whether the options of a command say that nothing is inherited. */
function isEnvironmentChosen(options: Deno.lint.Node | undefined): boolean {
  return options?.type === "ObjectExpression" &&
    options.properties.some((property) =>
      property.type === "Property" && property.key.type === "Identifier" && property.key.name === "clearEnv"
    );
}

const plugin: Deno.lint.Plugin = {
  name: "trust",
  rules: {
    writing: {
      create(context): Deno.lint.LintVisitor {
        const place = placeOf(context.filename);
        if (place === undefined || Object.keys(writers).some((known) => place.startsWith(known))) return {};
        return {
          MemberExpression(node): void {
            const { object, property } = node;
            if (object.type !== "Identifier" || object.name !== "Deno" || property.type !== "Identifier") {
              return;
            }
            if (!writes.test(property.name)) return;
            context.report({
              node,
              message: `Deno.${property.name} goes round src/io/trust.ts: use claimPrivateFolder() or ` +
                "preparePrivateFile(), or say in tests/lint/trust.ts why this file may",
            });
          },
        };
      },
    },
    reading: {
      create(context): Deno.lint.LintVisitor {
        const place = placeOf(context.filename);
        if (place === undefined || Object.keys(readers).some((known) => place.startsWith(known))) return {};
        return {
          MemberExpression(node): void {
            const { object, property } = node;
            if (object.type !== "Identifier" || object.name !== "Deno" || property.type !== "Identifier") {
              return;
            }
            if (!reads.test(property.name)) return;
            context.report({
              node,
              message: `Deno.${property.name} waits at a pipe, and reads whatever size somebody has made a ` +
                "file: use readRegular() of src/io/read_regular.ts, or say in tests/lint/trust.ts why this file may",
            });
          },
        };
      },
    },
    starting: {
      create(context): Deno.lint.LintVisitor {
        // A terminal page starts what its user would, by that user's own PATH.
        if (placeOf(context.filename)?.startsWith("src/tui/") !== false) return {};
        return {
          NewExpression(node): void {
            const { callee, arguments: [program, options] } = node;
            if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
            if (callee.property.name !== "Command") return;
            if (!isEnvironmentChosen(options)) {
              context.report({
                node,
                message:
                  "a program is started with variables that were chosen for it (clearEnv): what it looks " +
                  "up itself is found by PATH; plainEnvironment or ownEnvironment() are made for that",
              });
            }
            if (program?.type !== "Literal") return;
            if (typeof program.value === "string" && program.value.startsWith("/")) return;
            context.report({
              node: program,
              message:
                "a program is started by its path: programPath() finds one that nobody else could change",
            });
          },
        };
      },
    },
  },
};

// The lint plugin interface asks for a default export.
export default plugin;
