import { asLines } from "../printable.ts";
import { clientOf } from "../client.ts";
import { type Context, defineCommand } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exit, Unreachable, UsageError } from "../failures.ts";

/** `svc up`: all that a first use needs, from the configuration file to the terminal UI. */
export const command = defineCommand({
  needs: "daemon",
  examples: ["svc up", "svc up -c /srv/app/svc.toml --port 9000"],
  withoutJson: '"svc status --json" tells how the daemon is',
  async run(context) {
    const { flags, terminal, locals } = context;
    if (flags.url !== undefined || terminal.env.SVC_URL) {
      const source = flags.url === undefined ? "SVC_URL" : "--url";
      throw new UsageError(`"svc up" is for a daemon on this machine: leave ${source} out, or use "svc tui"`);
    }
    const say = (text: string): void => terminal.err.write(asLines([text]));
    const starter = await locals.prepareStarter(flags);
    if (starter.isNew) say(`wrote ${starter.path}`);
    if (!await answers(context)) {
      const log = await locals.startBackground(flags, () => answers(context));
      say(`started a daemon; its log goes to ${log}`);
    } else if (!terminal.isInteractive) {
      say("a daemon runs already");
    }
    // Without a screen the daemon is what was asked for.
    return terminal.isInteractive ? await locals.openTui(context, await local(context)) : exit.done;
  },
});

/** For a daemon `--host` and `--port` say where it listens; it is spoken to over its socket all the same. */
async function local(context: Context): Promise<Connection> {
  const { host: _, port: __, ...flags } = context.flags;
  return await context.connection(flags);
}

async function answers(context: Context): Promise<boolean> {
  try {
    await clientOf(await local(context)).daemon();
    return true;
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  }
}
