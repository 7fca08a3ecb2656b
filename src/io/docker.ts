import { endOf } from "./process/child_end.ts";
import { containerOf } from "../core/compose/script.ts";
import { messageOf } from "../fault.ts";
import { accountOf, ownAccount } from "./process/accounts.ts";
import { findProgram, ownEnvironment, plainEnvironment, userChange } from "./programs.ts";
import { ownVariable } from "./own_variable.ts";

/** How long docker may take for a request, ms. */
const patience = 10_000;

/** What a request to remove containers has left. */
export interface Removal {
  /** Runs whose containers may still be there. */
  left: string[];
  /** Why, in a sentence; "" where nothing is left. */
  trouble: string;
}

/** For whom docker is asked. */
export interface DockerClient {
  /** Of the unit's variables those named `DOCKER_...` count: they say where docker is, and how to speak to it. */
  environment: Readonly<Record<string, string>>;
  /** The unit's user: docker is asked as this one, since its settings name programs to be run. Absent: as the daemon. */
  user?: string;
}

/** What docker does with the containers of runs. */
export interface Docker {
  /** Sends a signal to the first process of a run's container; false where docker can't, or there is no such container. */
  signal(runId: string, request: DockerClient & { signal: string }): Promise<boolean>;
  /** Removes what is left of containers, by force; none is no trouble. Does not fail as a promise. */
  remove(runIds: readonly string[], client: DockerClient): Promise<Removal>;
}

/** The docker of this machine. */
export const docker: Docker = {
  async signal(runId, { signal, ...client }) {
    const name = containerOf(runId);
    try {
      const { success, stdout } = await ask(["kill", "--signal", signal, name], client);
      return success && stdout.includes(name);
    } catch {
      return false;
    }
  },

  async remove(runIds, client) {
    const why = (left: readonly string[], reason: string): Removal => ({
      left: [...left],
      trouble: `cannot remove container ${left.map(containerOf).join(", ")}: ${reason}`,
    });
    try {
      const { success, stdout, stderr } = await ask(
        ["rm", "--force", "--volumes", ...runIds.map(containerOf)],
        client,
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
  client: DockerClient,
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const { words: [program, ...words], env } = commandFor(client);
  const child = new Deno.Command(program!, {
    args: [...words, ...args],
    clearEnv: true,
    env,
    cwd: "/",
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
    const [stdout, stderr, { code }] = await Promise.all([
      textOf(child.stdout, late),
      textOf(child.stderr, late),
      endOf(child),
    ]);
    return { success: code === 0, stdout, stderr };
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

/**
 * How docker is called for a client: by its path among the folders of the daemon's own PATH, and as the client's
 * user. Throws where that can't be done.
 */
function commandFor({ environment, user }: DockerClient): { words: string[]; env: Record<string, string> } {
  const docker = findProgram("docker", { path: ownVariable("PATH") ?? "" });
  if (docker === undefined) {
    throw new RangeError(
      "docker is not in the daemon's PATH, or lies where others than its user and root may write",
    );
  }
  const asked = Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.startsWith("DOCKER_")),
  );
  const account = user === undefined ? ownAccount() : accountOf(user);
  const { uid, gid } = ownAccount();
  if (account.uid === uid && account.gid === gid) {
    const inherited = Object.entries(ownEnvironment()).filter(([name]) => !name.startsWith("SVC_"));
    return { words: [docker], env: { ...Object.fromEntries(inherited), ...asked } };
  }
  const { path: setpriv, why } = userChange();
  if (why !== undefined) throw new RangeError(`nothing is asked as ${user}: ${why}`);
  const person = { HOME: account.home, USER: account.name, LOGNAME: account.name };
  return {
    words: [setpriv, `--reuid=${account.uid}`, `--regid=${account.gid}`, "--init-groups", "--", docker],
    env: { ...plainEnvironment, ...person, ...asked },
  };
}
