import { defineCommand, writeJson, writeLines } from "../command.ts";
import { debugLines } from "../debug_lines.ts";
import { exit } from "../failures.ts";

/** `svc debug`: what goes on inside a daemon. */
export const command = defineCommand({
  needs: "client",
  examples: ["svc debug", "svc debug --json"],
  exits: [["1", "the daemon is reached over TCP: it tells this over the control socket only"]],
  async run(context) {
    const client = await context.connect();
    const view = await client.debug();
    if (context.flags.json) writeJson(context, view);
    else writeLines(context, debugLines(view, { style: context.out, width: context.terminal.width }));
    return exit.done;
  },
});
