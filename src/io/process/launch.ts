import { Fault, messageOf } from "../../fault.ts";
import { programPath } from "../programs.ts";
import { endOf } from "./child_end.ts";
import { exitOf, readTroubles } from "./launch_notes.ts";
import { launcherOrder, type LaunchPlace, planLaunch, readerOf } from "./launch_plan.ts";
import { launcherStart, withCallersState } from "./launcher.ts";
import { leavePipes, letGo, type OutputPipe, readOutput } from "./output.ts";
import type { LaunchedProcess, LaunchSpec, ProcessSink } from "./processes.ts";
import { signalGroup } from "./reach.ts";

/**
 * Starts a process as leader of its own session and group. Throws `Fault` when shell, folder or user do not
 * exist or the machine refuses.
 */
export function launchProcess(spec: LaunchSpec, sink: ProcessSink, place: LaunchPlace): LaunchedProcess {
  const plan = planLaunch(spec);
  const { cwd, env, command, as } = plan;
  const reader = readerOf(env);
  const groups = reader === undefined ? [] : place.groups();
  const order = launcherOrder(plan, { spec, place, groups, reader });
  const note = order?.note;
  const start = order === undefined ? { words: command, env } : launcherStart(order);
  // Spawning with `detached` forks, which copies the daemon's page tables: 1 ms and more, growing with its memory. A
  // plain spawn does not, and setsid(1) then makes the session in the child, with the same pid.
  const setsid = programPath("setsid");
  const words = note === undefined ? withCallersState(start.words, env) : start.words;
  const [program, ...args] = setsid === undefined ? words : [setsid, ...words];
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program!, {
      args,
      cwd: as === undefined ? cwd : "/",
      clearEnv: true,
      env: start.env,
      detached: setsid === undefined,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    throw new Fault("internal", `cannot start "${spec.shell}" in "${cwd}": ${messageOf(error)}`);
  }
  const pipes = [
    readOutput(child.stdout, (chunk) => sink.output("stdout", chunk)),
    readOutput(child.stderr, (chunk) => sink.output("stderr", chunk)),
  ];
  let leaderLives = true;
  void tellEnds(child, { note, pipes, sink, over: () => leaderLives = false }).catch(reportError);
  return {
    pid: child.pid,
    started: Promise.resolve(),
    dismiss(): void {},
    signal: (name) => sendSignal(child.pid, { name, leaderLives }),
    abandon: () => pipes.forEach((pipe) => pipe.cancel()),
    leave: () => leavePipes(pipes),
    release: () => letGo(pipes),
    troubles: () => readTroubles(note),
  };
}

/** After these nothing is to go on: they suspend, or need nobody who hears them. */
const suspending: ReadonlySet<string> = new Set([
  "SIGKILL",
  "SIGCONT",
  "SIGSTOP",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
]);

/** Tells of the end of a process and of its pipes. Neither promise rejects. */
async function tellEnds(
  child: Deno.ChildProcess,
  { note, pipes, sink, over }: {
    note: string | undefined;
    pipes: readonly OutputPipe[];
    sink: ProcessSink;
    over: () => void;
  },
): Promise<void> {
  const exited = async (): Promise<void> => {
    const exit = await endOf(child);
    over();
    sink.exited(exitOf(exit, note));
  };
  const drained = async (): Promise<void> => {
    await Promise.all(pipes.map((pipe) => pipe.ended));
    sink.pipesClosed();
  };
  await Promise.all([exited(), drained()]);
}

/** Sends a signal as `LaunchedProcess.signal` does; `leaderLives`: see `signalGroup`. Throws `Fault`. */
export function sendSignal(pid: number, { name, leaderLives }: { name: string; leaderLives: boolean }): void {
  const reach = signalGroup(pid, { name, leaderLives });
  if (reach === "refused") throw new Fault("forbidden", `process ${pid} belongs to another user by now`);
  if (reach === "sent" && !suspending.has(name)) signalGroup(pid, { name: "SIGCONT", leaderLives });
}
