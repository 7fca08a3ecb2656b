import { containerOf } from "../core/compose/script.ts";
import { messageOf } from "../fault.ts";

/** How long docker may take to remove a container, ms. */
const patience = 20_000;

/**
 * Removes what is left of the containers of runs, by force; none is no trouble. `environment` is laid over the
 * daemon's own. Answers what could not be done, in a sentence.
 */
export async function removeContainers(
  runIds: readonly string[],
  environment: Record<string, string>,
): Promise<string | undefined> {
  const names = runIds.map(containerOf);
  const what = `cannot remove container ${names.join(", ")}`;
  try {
    const { success, stderr } = await new Deno.Command("docker", {
      args: ["rm", "--force", "--volumes", ...names],
      env: environment,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      signal: AbortSignal.timeout(patience),
    }).output();
    const said = new TextDecoder().decode(stderr).trim();
    // Older versions of docker call it an error that there is none.
    if (success || /no such container/i.test(said)) return undefined;
    return `${what}: ${said.split("\n").at(-1)}`;
  } catch (error) {
    return `${what}: ${messageOf(error)}`;
  }
}
