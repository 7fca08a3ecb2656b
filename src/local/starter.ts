import { dirname, resolve } from "node:path";
import { Fault, messageOf } from "../fault.ts";
import { knowsPipefail } from "../io/shell_options.ts";
import { findPlaces, type PlaceFlags } from "./places.ts";

/** A configuration file to begin with. */
export const starterText = `# Tasks run by schedule or by request, services run always.
# "svc validate" checks this file, "svc reload" puts a change into force.

[defaults]
shell = "/bin/bash"
pipefail = true

[tasks.hello]
description = "Says hello at every full hour; svc run hello does it now"
cron = "0 * * * *"
run = 'echo "hello from $(hostname)"'

# [services.web]
# description = "Is started again whenever it ends"
# run = "exec python3 -m http.server 8000"
`;

/** What a file to begin with says of pipes: a failure in one must not pass for a success. */
const pipes = /^shell = "\/bin\/bash"\npipefail = true\n/m;

/** A file to begin with, for a machine that may have no bash. */
export function fitShell(text: string, hasBash: boolean): string {
  return hasBash ? text : text.replace(pipes, "").replace(/^\[defaults\]\n\n/m, "");
}

/** The same for this machine. */
export function fitShellHere(text: string): string {
  return fitShell(text, knowsPipefail("/bin/bash", "") === true);
}

/** Writes a configuration file where a daemon would find none; answers its path, and whether it is new. Throws `Fault`. */
export async function prepareStarter(
  flags: PlaceFlags,
  env: Record<string, string> = Deno.env.toObject(),
): Promise<{ path: string; isNew: boolean }> {
  const named = flags.config || env.SVC_CONFIG;
  if (!named) {
    try {
      return { path: findPlaces(flags, env).configPath, isNew: false };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "not_found") throw error;
    }
  }
  const path = resolve(named || "svc.toml");
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, fitShellHere(starterText), { createNew: true, mode: 0o644 });
    return { path, isNew: true };
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return { path, isNew: false };
    throw new Fault("internal", `cannot write "${path}": ${messageOf(error)}; name another file with -c`);
  }
}
