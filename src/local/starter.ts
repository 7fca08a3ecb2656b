import { dirname, resolve } from "node:path";
import { Fault, messageOf } from "../fault.ts";
import { findPlaces, type PlaceFlags } from "./places.ts";

/** A configuration file to begin with. */
export const starterText = `# Tasks run by schedule or by request, services run always.
# "svc validate" checks this file, "svc reload" puts a change into force.

[tasks.hello]
description = "Says hello at every full hour; svc run hello does it now"
cron = "0 * * * *"
run = 'echo "hello from $(hostname)"'

# [services.web]
# description = "Is started again whenever it ends"
# run = "exec python3 -m http.server 8000"
`;

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
    await Deno.writeTextFile(path, starterText, { createNew: true, mode: 0o644 });
    return { path, isNew: true };
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return { path, isNew: false };
    throw new Fault("internal", `cannot write "${path}": ${messageOf(error)}; name another file with -c`);
  }
}
