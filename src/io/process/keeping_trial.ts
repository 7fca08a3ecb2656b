import { messageOf } from "../../fault.ts";
import { programPath } from "../programs.ts";
import { endOf } from "./child_end.ts";

/** So long the machine is given to show that it can keep runs, ms. */
const trialPatience = 4_000;

/** Shows whether a shell can hold its own pipes open for reading, and knows itself by /proc. */
const trial =
  `exec 3</proc/self/fd/1 4</proc/self/fd/2 && read -r pid _ </proc/self/stat && [ "$pid" = $$ ] &&
[ /proc/$$/fd/3 -ef /proc/$$/fd/1 ]`;

/** Why runs can't be kept, by what is missing. */
export function missing(): string | undefined {
  if (Deno.build.os !== "linux") return "that takes Linux";
  const programs = ["setsid", "mkfifo", "dd"].filter((name) => programPath(name) === undefined);
  return programs.length === 0 ? undefined : `"${programs.join('", "')}" is not in PATH`;
}

/** Why the machine does not let a shell be a keeper. */
export async function refusal(): Promise<string | undefined> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(programPath("setsid")!, {
      args: ["/bin/sh", "-c", trial],
      cwd: "/",
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    return `no shell can be started: ${messageOf(error)}`;
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), trialPatience);
  const [{ code }] = await Promise.all([endOf(child), child.stdout.cancel(), child.stderr.cancel()]);
  clearTimeout(timer);
  return code === 0 ? undefined : "a shell can't open its own pipes by way of /proc";
}
