import { defineCommand } from "../command.ts";

/** `svc daemon`: in the foreground until SIGTERM or Ctrl-C; SIGHUP reloads. */
export const command = defineCommand({
  needs: "daemon",
  examples: ["svc daemon", "svc daemon -c /etc/svc/svc.toml --port 0"],
  withoutJson: "--log-format json makes its log JSON",
  run: ({ locals, flags }) => locals.runDaemon(flags),
});
