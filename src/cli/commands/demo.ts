import { asLines } from "../printable.ts";
import { defineCommand } from "../command.ts";

/** `svc demo`: a folder with a configuration to look at, and a daemon on it in the foreground. */
export const command = defineCommand({
  needs: "daemon",
  define: (command) => command.argument("[FOLDER]", "where the file goes, or is already", "./svc-demo"),
  examples: ["svc demo", "svc demo /tmp/try --port 9000"],
  withoutJson: "--log-format json makes the daemon's log JSON",
  async run({ locals, flags, terminal }, { args: [folder = "./svc-demo"] }) {
    const config = await locals.prepareDemo(folder);
    terminal.err.write(
      asLines([`svc: running "${config}"; Ctrl-C ends it, "svc list -c ${config}" looks at it`]),
    );
    return await locals.runDaemon({ ...flags, config });
  },
});
