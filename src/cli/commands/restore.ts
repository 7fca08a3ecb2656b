import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";

/** `svc restore FILE`: a backup in place of the database, while the daemon is stopped. */
export const command = defineCommand({
  needs: "folder",
  define: (command) => command.argument("<FILE>", 'a file that "svc backup" has written'),
  examples: ["svc restore /srv/backups/svc.db", "svc restore svc.db --data /var/lib/svc"],
  async run(context, { args: [file = ""] }) {
    if (file === "") throw new UsageError('cannot restore "": name the file of a backup');
    const { database, kept, runs, schema } = await context.locals.restore(context.flags, file);
    if (context.flags.json) {
      writeJson(context, { file, database, ...(kept === undefined ? {} : { kept }), runs, schema });
      return exit.done;
    }
    writeLines(context, [
      `restored ${file} with ${runs} ${runs === 1 ? "run" : "runs"} to ${database}`,
      ...(kept === undefined ? [] : [`the database before it is kept as ${kept}`]),
    ]);
    return exit.done;
  },
});
