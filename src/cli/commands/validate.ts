import { asLines } from "../printable.ts";
import { defineCommand, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc validate`: every problem of a configuration file, without a daemon. */
export const command = defineCommand({
  needs: "file",
  define: (command) =>
    command.argument("[FILE]", "the file, - for standard input; none: the one that a daemon would read"),
  examples: ["svc validate", "svc validate /etc/svc/svc.toml --json"],
  exits: [["0", "valid, perhaps with warnings"], ["1", "there are errors"]],
  async run(context, { args: [file] }) {
    const { locals, flags, terminal, err: style } = context;
    const path = file ?? await locals.findConfig(flags);
    const name = path === "-" ? "standard input" : path;
    const validation = await locals.validate(path);
    if (flags.json) {
      terminal.out.copy(`${JSON.stringify(validation, null, 2)}\n`);
      return validation.valid ? exit.done : exit.failed;
    }
    writeLines(context, await locals.renderValidation(validation));
    if (validation.valid) {
      writeLines(context, [`${name} is valid`]);
      return exit.done;
    }
    const count = validation.errors.length;
    const text = `${path === "-" ? name : `"${path}"`} has ${count} ${count === 1 ? "error" : "errors"}`;
    terminal.err.write(asLines([`svc: ${style.paint(text, "bad")}`]));
    return exit.failed;
  },
});
