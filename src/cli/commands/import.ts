import { asLines } from "../printable.ts";
import { Argument } from "commander";
import { accountJson, accountLines } from "../../importers/import/account.ts";
import { defineCommand, writeJson } from "../command.ts";
import { exit, UsageError } from "../failures.ts";

interface Options {
  system?: boolean;
  write?: boolean;
}

/** `svc import KIND FILE...`: units from the files of another scheduler or supervisor, and an account of each entry. */
export const command = defineCommand<Options>({
  needs: "file",
  define: (command) =>
    command
      .addArgument(
        new Argument("<kind>", "what the files are").choices([
          "compose",
          "cron",
          "procfile",
          "supervisord",
          "systemd",
          "pm2",
        ]),
      )
      .argument("[FILE...]", "the files, - for standard input; none: standard input")
      .option(
        "--system",
        "lines of crontabs have an account column; without a file: the tables of this machine",
      )
      .option("--write", "put the result into a file that the configuration includes"),
  examples: ["svc import cron --system --write", "svc import procfile ./Procfile > svc.toml"],
  exits: [["0", "something was taken"], ["1", "nothing was, or it could not be read or written"]],
  async run(context, { args: [kind = "", ...files], options: { system = false, write = false } }) {
    const { terminal, flags, locals } = context;
    if (system && kind !== "cron") {
      throw new UsageError(`--system is for crontabs: leave it out, and name the files of ${kind}`);
    }
    if (files.length === 0 && !system && terminal.isInteractive) {
      throw new UsageError(`cannot import nothing: name a file of ${kind}, or pipe one in`);
    }
    const { imported, toml, written } = await locals.importUnits(flags, { kind, files, system, write });
    if (flags.json) {
      writeJson(context, { ...accountJson(imported), toml, ...(written === undefined ? {} : { written }) });
    } else {
      if (written === undefined && toml !== "") terminal.out.copy(toml);
      const lines = accountLines(imported);
      if (written !== undefined) lines.push(...tellWritten(written));
      terminal.err.write(asLines(lines));
    }
    return imported.units.length > 0 ? exit.done : exit.failed;
  },
});

function tellWritten(
  { path, root, missingInclude }: { path: string; root: string; missingInclude?: string },
): string[] {
  return [
    `wrote ${path}`,
    missingInclude === undefined
      ? `${root} includes it: "svc reload" puts it into force`
      : `${root} does not include it yet: add ${
        JSON.stringify(missingInclude)
      } to include = [...] under [daemon], ` +
        'then "svc reload" puts it into force',
  ];
}
