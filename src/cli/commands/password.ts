import { passwordFile } from "../../core/auth_settings.ts";
import { Fault } from "../../fault.ts";
import { clientOf } from "../client.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, tellFailure } from "../failures.ts";
import { asLines } from "../printable.ts";

/**
 * `svc password`: the password of the daemon, over the control socket only: the one that it made for this life, else the
 * one in the file that it names, where this user may read that.
 */
export const command = defineCommand({
  needs: "client",
  examples: ["svc password", "svc password --data /var/lib/svc"],
  exits: [["1", "SVC_PASSWORD names the password, or its file can't be read"], [
    "5",
    "authentication is off",
  ]],
  async run(context) {
    const connection = await context.connection();
    try {
      const { password, ephemeral } = await clientOf(connection).credentials();
      if (context.flags.json) writeJson(context, { password, ephemeral });
      else writeLines(context, [password]);
      return exit.done;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const file = fileIn(error);
      // Another machine's file is none of this one's, and who else may listen at a socket may name any.
      const isOurs = connection.remote === undefined && connection.doubt === undefined;
      if (file !== undefined && isOurs) return await readFrom(file, context);
      // An older daemon names no code, and its status has no other meaning here.
      if (error.code !== "auth_off" && error.code !== "conflict") throw error;
      const { lines } = tellFailure(error, {
        style: context.err,
        debug: false,
        withCode: context.flags.json ?? false,
      });
      context.terminal.err.write(asLines(lines));
      return exit.authOff;
    }
  },
});

async function readFrom(file: string, context: Context): Promise<number> {
  const password = await context.locals.readPassword(file);
  if (context.flags.json) writeJson(context, { password, ephemeral: false, file });
  else {
    writeLines(context, [password]);
    context.terminal.err.write(asLines([`it is the one in "${file}"`]));
  }
  return exit.done;
}

function fileIn({ details }: Fault): string | undefined {
  const value = details.find(({ location }) => location === passwordFile)?.value;
  return typeof value === "string" && value.startsWith("/") ? value : undefined;
}
