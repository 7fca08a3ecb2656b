/** The program: hands the command line what works without a daemon, and exits with its code. */

import { dirname, resolve } from "node:path";
import type { Locals } from "./src/cli/locals.ts";
import { Fault, messageOf } from "./src/fault.ts";
import { version } from "./src/version.ts";

/** The address of the program, by which it starts itself again. */
const entry = import.meta.url;

/** Loaded when they are called, so that a client command starts fast. */
const locals: Locals = {
  version,
  findDaemon: async (flags) => (await import("./src/local/places.ts")).findDaemon(flags),
  findConfig: async (flags) => (await import("./src/local/places.ts")).findPlaces(flags).configPath,
  runDaemon: async (flags) => await (await import("./src/daemon/run.ts")).runDaemon(flags, { entry }),
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
    return runJson(await runStandalone(flags, order));
  },
  examine: async (flags) =>
    (await import("./src/local/doctor/examine.ts")).examine(flags, { now: Date.now(), version }),
  restore: async (flags, file) =>
    (await import("./src/local/restore.ts")).restore(flags, { file, now: Date.now() }),
};

/** Makes the folder, and writes the file where there is none: what is there already is kept. */
async function prepareDemo(folder: string): Promise<string> {
  const path = resolve(folder, "svc.toml");
  const { default: text } = await import("./docs/demo/svc.toml", { with: { type: "text" } });
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true, mode: 0o644 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return path;
    throw new Fault("internal", `cannot write "${path}": ${messageOf(error)}; name another folder`);
  }
  return path;
}

// The program is its own worker, so that it stays one file however it is built; a worker needs no command line.
if ("WorkerGlobalScope" in globalThis) {
  await (await import("./src/io/workers/serve.ts")).serveWorker(self.name);
} else if (import.meta.main) {
  const { runCli } = await import("./src/cli/cli.ts");
  Deno.exit(await runCli(Deno.args, locals));
}
