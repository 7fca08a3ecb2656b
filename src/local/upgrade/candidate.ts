import { resolve } from "node:path";
import { readAtMost } from "../../core/bytes.ts";
import { inheritedVariables } from "../../core/inherited.ts";
import { unfitBecause } from "../../core/upgrade/program_kind.ts";
import { Fault, messageOf } from "../../fault.ts";
import { demandTrusted } from "../../io/trust.ts";
import type { Problem } from "../../types.ts";
import { renderProblem } from "../validate.ts";

/** A program that may take the place of another. */
export interface Candidate {
  /** Absolute. */
  path: string;
  version: string;
  commit: string;
  /** Of the database. */
  schema: number;
}

/** A first start may unpack the program, ms. */
const longestAnswer = 30_000;
/** No answer is longer, bytes. */
const mostAnswered = 1024 * 1024;

/** Tries a program out: whether it is one of ours, and runs here. Throws `Fault`, having changed nothing. */
export async function examineProgram(file: string, patience: number = longestAnswer): Promise<Candidate> {
  const path = resolve(file);
  const attempt = `cannot upgrade to "${file}"`;
  const { mode, head } = await look(path, attempt);
  const unfit = unfitBecause(head, Deno.build);
  if (unfit !== undefined) {
    throw new Fault("invalid", `${attempt}: ${unfit}; give the file of a release for this machine`);
  }
  if ((mode & 0o111) === 0) {
    throw new Fault("invalid", `${attempt}: it is not executable; run chmod +x "${file}" first`);
  }
  const { code, stdout, stderr } = await run(path, ["version", "--json"], { attempt, patience });
  const told = code === 0 ? parsed(stdout) : undefined;
  if (told === undefined || typeof told.version !== "string") {
    const said = firstLine(stderr) || firstLine(stdout) || "nothing";
    throw new Fault(
      "invalid",
      `${attempt}: "${file} version --json" does not answer as svc does (exit code ${code}: ${said}); give the file of a release`,
    );
  }
  const { version, commit, schema } = told;
  if (typeof schema !== "number") {
    throw new Fault(
      "invalid",
      `${attempt}: it is svc ${version}, which can't take over what runs; give a later release, or stop the daemon and replace the program by hand`,
    );
  }
  return { path, version, commit: typeof commit === "string" ? commit : "unknown", schema };
}

/** Has a program check the configuration in force. Throws `Fault` with what it finds wrong. */
export async function demandAccepted(
  { path, version }: Candidate,
  config: string,
  patience: number = longestAnswer,
): Promise<void> {
  const attempt = `cannot upgrade to svc ${version}`;
  const { code, stdout, stderr } = await run(path, ["validate", "--json", config], { attempt, patience });
  const told = parsed(stdout);
  if (code === 0 && told?.valid === true) return;
  const errors = Array.isArray(told?.errors) ? told.errors as Problem[] : [];
  const why = errors.length === 0
    ? `: it can't check it (exit code ${code}: ${firstLine(stderr) || "it said nothing"})`
    : "";
  throw new Fault(
    "invalid",
    `${attempt}: it refuses the configuration "${config}"${why}; "${path} validate ${config}" says more`,
    errors.slice(0, 20).map((problem) => ({ location: "", message: renderProblem(problem) })),
  );
}

async function look(path: string, attempt: string): Promise<{ mode: number; head: Uint8Array }> {
  try {
    // To open a named pipe would wait for its writer.
    const { isFile, isDirectory, mode } = await Deno.stat(path);
    if (!isFile) {
      throw new Fault(
        "invalid",
        `${attempt}: it is ${isDirectory ? "a folder" : "no file"}; name the program`,
      );
    }
    demandTrusted(path, { attempt, mend: "copy it to a place that nobody else may write" });
    using file = await Deno.open(path, { read: true });
    const head = new Uint8Array(64);
    const length = await file.read(head) ?? 0;
    return { mode: mode ?? 0o755, head: head.subarray(0, length) };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const why = error instanceof Deno.errors.NotFound ? "there is no such file" : messageOf(error);
    throw new Fault("invalid", `${attempt}: ${why}; give the file of a release`);
  }
}

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs it in a session of its own, which is ended where it takes too long. */
async function run(
  path: string,
  args: string[],
  { attempt, patience }: { attempt: string; patience: number },
): Promise<Answer> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(path, {
      args,
      clearEnv: true,
      env: foreignEnvironment(),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    throw new Fault(
      "invalid",
      `${attempt}: it can't be run here: ${
        messageOf(error)
      }; give the file of a release for this machine, in a place from which programs may run`,
    );
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, patience);
  const text = async (stream: ReadableStream<Uint8Array>): Promise<string> =>
    new TextDecoder().decode(await readAtMost(stream, mostAnswered));
  const [stdout, stderr, { code }] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.status,
  ]);
  clearTimeout(timer);
  if (!isLate) return { code, stdout, stderr };
  throw new Fault(
    "invalid",
    `${attempt}: "${args[0]}" of it has said nothing for ${patience / 1000} s; it hangs, or is no svc`,
  );
}

/** What another program is started with: what this one was, but not what speaks of its own start. */
export function foreignEnvironment(): Record<string, string> {
  const env = Deno.env.toObject();
  const own = Object.entries(env).filter(([name]) =>
    name.startsWith("SVC_") && !/^SVC_(?:PROGRAM|CALLER_|OPEN_FILES)/.test(name)
  );
  return { ...inheritedVariables(env), ...Object.fromEntries(own) };
}

function endGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has ended just now.
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]!.slice(0, 200);
}
