import { containerOf } from "../core/compose/script.ts";
import { messageOf } from "../fault.ts";

/** How long docker may take for a request, ms. */
const patience = 10_000;

/** What docker does with the containers of runs. `environment` is laid over the daemon's own, and may say where docker is. */
export interface Docker {
  /** Sends a signal to the first process of a run's container; false where docker can't, or there is no such container. */
  signal(runId: string, request: { signal: string; environment: Record<string, string> }): Promise<boolean>;
  /** Removes what is left of containers, by force; none is no trouble. Answers what could not be done, in a sentence. */
  remove(runIds: readonly string[], environment: Record<string, string>): Promise<string | undefined>;
}

/** The docker of this machine. */
export const docker: Docker = {
  async signal(runId, { signal, environment }) {
    const name = containerOf(runId);
    try {
      const { success, stdout } = await ask(["kill", "--signal", signal, name], environment);
      return success && stdout.includes(name);
    } catch {
      return false;
    }
  },

  async remove(runIds, environment) {
    const names = runIds.map(containerOf);
    const what = `cannot remove container ${names.join(", ")}`;
    try {
      const { success, stderr, isLate } = await ask(["rm", "--force", "--volumes", ...names], environment);
      // Older versions call it an error that there is none; by `--rm` it may be going already.
      const troubles = stderr.split("\n").filter((line) =>
        line.trim() !== "" && !/no such container|removal of container .* is already in progress/i.test(line)
      );
      if (success || (!isLate && troubles.length === 0)) return undefined;
      return `${what}: ${isLate ? `docker took longer than ${patience / 1000} s` : troubles.at(-1)}`;
    } catch (error) {
      return `${what}: ${messageOf(error)}`;
    }
  },
};

async function ask(
  args: string[],
  environment: Record<string, string>,
): Promise<{ success: boolean; stdout: string; stderr: string; isLate: boolean }> {
  const late = AbortSignal.timeout(patience);
  const { success, stdout, stderr } = await new Deno.Command("docker", {
    args,
    env: environment,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: late,
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, stdout: out!, stderr: err!, isLate: late.aborted };
}
