import { defineCommand } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc schema`: the JSON Schema of the configuration file, for editors. */
export const command = defineCommand({
  needs: "nothing",
  examples: ["svc schema > svc.schema.json", "svc schema | jq '.properties | keys'"],
  async run({ locals, terminal }) {
    terminal.out.copy(`${JSON.stringify(await locals.configSchema(), null, 2)}\n`);
    return exit.done;
  },
});
