import { defineCommand } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc openapi`: the description of the API, as the daemon that answers has it. */
export const command = defineCommand({
  needs: "client",
  examples: ["svc openapi > svc-openapi.json", "svc openapi --url https://box:8420"],
  async run(context) {
    const client = await context.connect();
    context.terminal.out.copy(`${JSON.stringify(await client.openapi(), null, 2)}\n`);
    return exit.done;
  },
});
