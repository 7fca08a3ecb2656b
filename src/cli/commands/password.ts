import { asLines } from "../printable.ts";
import { Fault } from "../../fault.ts";
import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, tellFailure } from "../failures.ts";

/** `svc password`: the password that the daemon made for this life, over the control socket only. */
export const command = defineCommand({
  needs: "client",
  examples: ["svc password", "svc password --data /var/lib/svc"],
  exits: [["1", "SVC_PASSWORD names the password, and the daemon does not tell it"], [
    "5",
    "authentication is off",
  ]],
  async run(context) {
    const client = await context.connect();
    try {
      const { password, ephemeral } = await client.credentials();
      if (context.flags.json) writeJson(context, { password, ephemeral });
      else writeLines(context, [password]);
      return exit.done;
    } catch (error) {
      if (!(error instanceof Fault && error.code === "conflict")) throw error;
      const { lines } = tellFailure(error, { style: context.err, debug: false });
      context.terminal.err.write(asLines(lines));
      return exit.authOff;
    }
  },
});
