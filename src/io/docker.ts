import { containerOf } from "../core/compose/script.ts";
import { messageOf } from "../fault.ts";

/** How long docker may take for a request, ms. */
const patience = 10_000;

/** What a request to remove containers has left. */
export interface Removal {
  /** Runs whose containers may still be there. */
  left: string[];
  /** Why, in a sentence; "" where nothing is left. */
  trouble: string;
}

/** What docker does with the containers of runs. `environment` is laid over the daemon's own, and may say where docker is. */
export interface Docker {
  /** Sends a signal to the first process of a run's container; false where docker can't, or there is no such container. */
  signal(runId: string, request: { signal: string; environment: Record<string, string> }): Promise<boolean>;
  /** Removes what is left of containers, by force; none is no trouble. Does not fail as a promise. */
  remove(runIds: readonly string[], environment: Record<string, string>): Promise<Removal>;
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
    const why = (left: readonly string[], reason: string): Removal => ({
      left: [...left],
      trouble: `cannot remove container ${left.map(containerOf).join(", ")}: ${reason}`,
    });
    try {
      const { success, stdout, stderr } = await ask(
        ["rm", "--force", "--volumes", ...runIds.map(containerOf)],
        environment,
      );
      if (success) return { left: [], trouble: "" };
      const lines = stderr.split("\n").filter((line) => line.trim() !== "");
      // Older versions call it an error that there is none; by `--rm` it may be going already.
      const isGone = (line: string): boolean =>
        /no such container|removal of container .* is already in progress/i.test(line);
      const gone = [stdout, ...lines.filter(isGone)].join("\n");
      const left = runIds.filter((runId) => !gone.includes(containerOf(runId)));
      if (left.length === 0) return { left, trouble: "" };
      return why(left, lines.findLast((line) => !isGone(line)) ?? "docker ended without a word");
    } catch (error) {
      return why(runIds, messageOf(error));
    }
  },
};

/** Throws what keeps docker from an answer. Nothing that it has started is waited for in vain. */
async function ask(
  args: string[],
  environment: Record<string, string>,
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const child = new Deno.Command("docker", {
    args,
    env: environment,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const late = AbortSignal.timeout(patience);
  late.addEventListener("abort", () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended, and its own children hold its pipes.
    }
  });
  try {
    const [stdout, stderr, { success }] = await Promise.all([
      textOf(child.stdout, late),
      textOf(child.stderr, late),
      child.status,
    ]);
    return { success, stdout, stderr };
  } catch (error) {
    throw late.aborted ? new RangeError(`docker took longer than ${patience / 1000} s`) : error;
  }
}

async function textOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const sink = new WritableStream<Uint8Array>({
    write: (chunk) => void (text += decoder.decode(chunk, { stream: true })),
  });
  await stream.pipeTo(sink, { signal });
  return text + decoder.decode();
}
