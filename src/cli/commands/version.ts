import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

/** `svc version`. */
export const command = defineCommand({
  needs: "nothing",
  examples: ["svc version", "svc version --json"],
  run(context) {
    const { version, commit } = context.locals;
    if (context.flags.json) writeJson(context, { version, commit });
    else writeLines(context, [`svc ${version} (${commit})`]);
    return Promise.resolve(exit.done);
  },
});
