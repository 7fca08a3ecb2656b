import { defineCommand, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

/** What the service manager calls after a stop of the daemon: `__reap --data FOLDER`. It ends what is left. */
export const command = defineCommand({
  needs: "place",
  examples: ["svc __reap --data /var/lib/svc", "svc __reap --data ~/.local/share/svc"],
  async run(context) {
    writeLines(context, await context.locals.reap(context.flags.data ?? "."));
    return exit.done;
  },
});
