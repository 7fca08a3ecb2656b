import type { ReloadResultJson } from "../../http/schemas/daemon.ts";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

interface Options {
  dryRun?: boolean;
}

/** `svc reload`: what was, or would be, added, removed and changed. */
export const command = defineCommand<Options>({
  needs: "client",
  define: (command) => command.option("-n, --dry-run", "only say what would change"),
  examples: ["svc reload --dry-run", "svc reload"],
  exits: [["0", "done, also where nothing has changed"], ["1", "the file has errors; nothing was changed"]],
  async run(context, { options }) {
    const client = await context.connect();
    const dryRun = options.dryRun ?? false;
    const result = await client.reload({ dryRun });
    if (context.flags.json) {
      writeJson(context, {
        dry_run: dryRun,
        added: result.added ?? [],
        removed: result.removed ?? [],
        changed: (result.changed ?? []).map(({ name, reasons }) => ({ name, reasons: reasons ?? [] })),
      });
      return exit.done;
    }
    const lines = changes(result, context);
    const where = client.isDefault ? "" : ` (at ${client.place})`;
    const head = lines.length === 0
      ? `nothing has changed${where}`
      : dryRun
      ? `a reload would change${where}:`
      : `reloaded${where}:`;
    writeLines(context, [head, ...lines]);
    return exit.done;
  },
});

function changes({ added, removed, changed }: ReloadResultJson, { out: style }: Context): string[] {
  return [
    ...(added ?? []).map((name) => `  ${style.paint("+", "good")} ${name}`),
    ...(removed ?? []).map((name) => `  ${style.paint("-", "bad")} ${name}`),
    ...(changed ?? []).map(({ name, reasons }) =>
      `  ${style.paint("~", "warn")} ${name}${reasons?.length ? `: ${reasons.join(", ")}` : ""}`
    ),
  ];
}
