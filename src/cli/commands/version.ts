import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc version`. */
export const command = defineCommand({
  needs: "nothing",
  examples: ["svc version", "svc version --json"],
  async run(context) {
    const { version, commit, schema } = context.locals;
    if (context.flags.json) writeJson(context, { version, commit, schema: await schema() });
    else writeLines(context, [`svc ${version} (${commit})`]);
    return exit.done;
  },
});
