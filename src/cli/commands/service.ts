import { Argument, Option } from "commander";
import { type Context, defineCommand, writeJson, writeLines } from "../command.ts";
import { exit } from "../failures.ts";

interface Options {
  user?: boolean;
  name: string;
  print?: boolean;
  dryRun?: boolean;
}

/** `svc service install|uninstall|status`: the daemon under systemd or launchd. */
export const command = defineCommand<Options>({
  needs: "place",
  define: (command) =>
    command
      .addArgument(new Argument("<action>", "what to do").choices(["install", "uninstall", "status"]))
      .option("--user", "a service of this user, not of the machine")
      .option("--name <NAME>", "what the service is called", "svc")
      .addOption(new Option("--print", "print the service file and do nothing").conflicts(["dryRun", "json"]))
      .option("-n, --dry-run", "only say what would be done"),
  examples: ["svc service install --config /etc/svc/svc.toml", "svc service status --user"],
  exits: [["0", "done; status: it is installed and active"], ["1", "refused; status: it is not"]],
  async run(context, { args: [action], options }) {
    const target = { scope: options.user ? "user" as const : "system" as const, name: options.name };
    if (action === "install") return await install(context, { ...options, target });
    if (action === "uninstall") return await uninstall(context, { ...options, target });
    return await status(context, target);
  },
});

type Target = { scope: "system" | "user"; name: string };

async function install(context: Context, options: Options & { target: Target }): Promise<number> {
  const { target } = options;
  const plan = await context.locals.planService(context.flags, target);
  if (options.print) {
    context.terminal.out.copy(plan.file.text);
    return exit.done;
  }
  const steps = [
    `write ${plan.file.path}`,
    `write ${plan.env.path} with a password that stays, unless it has one`,
    ...plan.commands.map((words) => words.join(" ")),
  ];
  if (options.dryRun) {
    if (context.flags.json) {
      writeJson(context, { dry_run: true, current: plan.isCurrent, steps, changes: plan.changes });
    } else {
      writeLines(context, [
        "an installation would",
        ...indented(steps),
        ...told("what changes", plan.changes),
      ]);
    }
    return exit.done;
  }
  const isNew = await context.locals.installService(plan, target);
  if (context.flags.json) {
    writeJson(context, { dry_run: false, current: true, steps, changed: isNew, changes: plan.changes });
  } else {
    writeLines(context, [
      `${
        isNew ? "installed" : "was installed already"
      }: ${plan.file.path}; it runs, and starts with the machine`,
      ...told("what has changed in it", plan.changes),
      `the password of its page is in ${plan.env.path}`,
      ...(target.scope === "user" ? ["to let it run while you are logged out: loginctl enable-linger"] : []),
    ]);
  }
  return exit.done;
}

function told(what: string, changes: readonly string[]): string[] {
  return changes.length === 0 ? [] : [`${what}:`, ...indented(changes)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

async function uninstall(
  context: Context,
  { target, dryRun }: Options & { target: Target },
): Promise<number> {
  if (dryRun) {
    const { file, installed } = await context.locals.serviceState(target);
    const steps = installed ? [`stop ${target.name}`, `remove ${file}`] : [];
    if (context.flags.json) writeJson(context, { dry_run: true, removed: false, steps });
    else if (installed) {
      writeLines(context, ["an uninstallation would", ...steps.map((step) => `  ${step}`)]);
    } else writeLines(context, [`there is no service "${target.name}": nothing would be done`]);
    return exit.done;
  }
  const wasThere = await context.locals.uninstallService(target);
  if (context.flags.json) writeJson(context, { dry_run: false, removed: wasThere });
  else {
    writeLines(context, [
      wasThere
        ? `${target.name} was stopped and removed; its configuration, data and password stay`
        : `there is no service "${target.name}": nothing was done`,
    ]);
  }
  return exit.done;
}

async function status(context: Context, target: Target): Promise<number> {
  const state = await context.locals.serviceState(target);
  if (context.flags.json) writeJson(context, { ...state });
  else if (!state.installed) {
    writeLines(context, [`not installed: there is no ${state.file}`, "to install it: svc service install"]);
  } else {
    writeLines(context, [
      `${state.active ? "active" : "not active"}${state.detail === "" ? "" : ` (${state.detail})`}`,
      `${state.enabled ? "starts" : "does not start"} with the machine`,
      `file: ${state.file}`,
    ]);
  }
  return state.installed && state.active ? exit.done : exit.failed;
}
