import { Fault } from "../../fault.ts";
import { type Context, defineCommand } from "../command.ts";

/** `svc tui`: units, runs, logs and what can be done to them, on the whole screen. */
export const command = defineCommand({
  needs: "client",
  examples: ["svc tui", "svc tui --url https://server:8420"],
  withoutJson: '"svc status --json" and "svc list --json" tell the same',
  async run(context) {
    requireScreen(context);
    return await context.locals.openTui(context, await context.connection());
  },
});

/** Throws `Fault` where there is no terminal at both ends that could show a screen. */
export function requireScreen({ terminal }: Context): void {
  if (terminal.isInteractive) return;
  const why = terminal.env.TERM === "dumb"
    ? 'TERM is "dumb", which can show no screen'
    : "input and output are not both a terminal";
  throw new Fault(
    "invalid",
    `cannot open the terminal UI: ${why}; "svc status" and "svc list" tell the same`,
  );
}
