import { asLines } from "../printable.ts";
import { Argument } from "commander";
import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc notify test ID`: sends a message that shows that a notifier works. */
export const command = defineCommand({
  needs: "client",
  define: (command) =>
    command
      .addArgument(new Argument("<action>", "what to do").choices(["test"]))
      .argument("<id>", "a notifier, as it is called under [notifiers]"),
  examples: ["svc notify test ops", "svc notify test ops --json"],
  async run(context, { args: [, id = ""] }) {
    const client = await context.connect();
    const { delivered, error } = await client.testNotifier(id);
    if (context.flags.json) writeJson(context, { delivered, error });
    else if (delivered) {
      writeLines(context, [`${context.out.paint("sent", "good")} a test message to "${id}"`]);
    } else context.terminal.err.write(asLines([`svc: cannot reach "${id}": ${error}`]));
    return delivered ? exit.done : exit.failed;
  },
});
