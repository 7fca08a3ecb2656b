/** The program: hands the command line what works without a daemon, and exits with its code. */

import { folderOf } from "./src/core/config/path.ts";
import type { Locals } from "./src/cli/locals.ts";
import type { GlobalFlags } from "./src/cli/flags.ts";
import { Fault, messageOf } from "./src/fault.ts";
import { absolutePath, shownTimezone } from "./src/io/machine_places.ts";
import { commit, version } from "./src/version.ts";

/** The address of the program, by which it starts itself again. */
const entry = import.meta.url;

/** Loaded when they are called, so that a client command starts fast. */
const locals: Locals = {
  version,
  commit,
  schema: async () => (await import("./src/io/store/migrations.ts")).migrations.length,
  upgradeTools: async () => (await import("./src/local/upgrade/tools.ts")).upgradeTools({ entry }),
  findDaemon: async (flags) => (await import("./src/local/places.ts")).findSocket(flags),
  findConfig: async (flags) => (await import("./src/local/places.ts")).findPlaces(flags).configPath,
  runDaemon: async (flags) => await (await import("./src/daemon/run.ts")).runDaemon(flags, { entry }),
  readPassword: async (path) =>
    (await import("./src/local/password_file.ts")).passwordOf(path, {
      attempt: `cannot read the password, which is in "${path}"`,
      mend: "run svc as the daemon's user or as root",
    }),
  validate: async (path) => (await import("./src/local/validate.ts")).validate(path),
  renderValidation: async (validation) =>
    (await import("./src/local/validate.ts")).renderValidation(validation),
  readConfig: async (path) => await (await import("./src/io/config_files.ts")).loadConfigFile(path),
  configSchema: async () => (await import("./src/local/schema.ts")).configSchema(),
  planService: async (flags, target) =>
    (await import("./src/local/service/service.ts")).planService(flags, { ...target, entry }),
  installService: async (plan, target) =>
    await (await import("./src/local/service/service.ts")).installService(plan, { ...target, entry }),
  uninstallService: async (target) =>
    await (await import("./src/local/service/service.ts")).uninstallService({ ...target, entry }),
  serviceState: async (target) =>
    await (await import("./src/local/service/service.ts")).serviceState({ ...target, entry }),
  reap: async (dataDir) => await (await import("./src/local/reap.ts")).reap(absolutePath(dataDir)),
  openTui: async (context, connection) =>
    await (await import("./src/tui/run_tui.ts")).runTui(context, connection),
  prepareStarter: async (flags) => await (await import("./src/local/starter.ts")).prepareStarter(flags),
  startBackground: async (flags, isReady) =>
    await (await import("./src/local/background.ts")).startBackground(flags, {
      isReady,
      entry: import.meta.url,
    }),
  prepareDemo,
  runStandalone: async (flags, order) => {
    const { runStandalone } = await import("./src/local/standalone/run_task.ts");
    const { runJson } = await import("./src/http/run_json.ts");
    const { run, mask } = await runStandalone(flags, order);
    return runJson(run, (_, text) => mask(text));
  },
  examine: async (flags) =>
    (await import("./src/local/doctor/examine.ts")).examine(flags, { now: Date.now(), version }),
  importUnits: async (flags, order) =>
    await (await import("./src/local/import/run_import.ts")).runImport(flags, order),
  restore: async (flags, file) =>
    (await import("./src/local/restore.ts")).restore(flags, { file, now: Date.now() }),
};

/** Makes the folder, and writes the file where there is none: what is there already is kept. */
async function prepareDemo(folder: string): Promise<string> {
  const path = absolutePath(`${folder}/svc.toml`);
  const { default: text } = await import("./docs/demo/svc.toml", { with: { type: "text" } });
  const { fitShellHere } = await import("./src/local/starter.ts");
  try {
    await Deno.mkdir(folderOf(path), { recursive: true });
    await Deno.writeTextFile(path, fitShellHere(text), { createNew: true, mode: 0o644 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return path;
    throw new Fault("internal", `cannot write "${path}": ${messageOf(error)}; name another folder`);
  }
  return path;
}

async function runCommand(): Promise<number> {
  const { runCli } = await import("./src/cli/cli.ts");
  return await runCli(Deno.args, locals, { timezone: shownTimezone() });
}

/** A daemon without the command line, which is loaded only to tell why there is none. */
async function runQuickly(flags: GlobalFlags): Promise<number> {
  try {
    return await locals.runDaemon(flags);
  } catch (error) {
    return (await import("./src/cli/cli.ts")).tellAlone(error);
  }
}

// The program is its own worker, so that it stays one file however it is built; a worker needs no command line.
if ("WorkerGlobalScope" in globalThis) {
  await (await import("./src/io/workers/serve.ts")).serveWorker(self.name);
} else if (import.meta.main) {
  const { quickDaemonFlags } = await import("./src/cli/quick_daemon.ts");
  const flags = quickDaemonFlags(Deno.args);
  const code = flags === undefined ? await runCommand() : await runQuickly(flags);
  // Behind all that the runtime has read of the output of runs by now: who hands over loses none of it.
  setImmediate(() => Deno.exit(code));
}
