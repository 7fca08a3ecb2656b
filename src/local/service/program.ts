import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ownVariable } from "../../io/own_variable.ts";

/** What V8 is told however the program is started; compile.sh says why. */
export const v8Flags = "--v8-flags=--max-semi-space-size=1,--expose-gc";

/**
 * How this very program is started again, in each of its forms: the words before the name of a command. `write`: where
 * alone it may write, for the forms that can be told; the start script finds that out by itself.
 */
export function ownProgram(entry: string, { write = [] }: { write?: readonly string[] } = {}): string[] {
  // The start script of the portable form says where it is.
  const script = ownVariable("SVC_PROGRAM");
  if (script) return [resolve(script)];
  if (Deno.build.standalone) return [Deno.execPath()];
  const flags = ["--quiet", "--no-prompt", "--no-remote", v8Flags];
  // Lists are parted by commas.
  const places = write.some((path) => path.includes(",")) || write.length === 0
    ? []
    : [`--allow-write=${write.join(",")}`];
  return [Deno.execPath(), "run", "-P=svc", ...places, ...flags, fileURLToPath(entry)];
}
