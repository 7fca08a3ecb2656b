import { systemClock } from "./clock.ts";
import { endOf } from "./process/child_end.ts";
import type { Sendmail } from "../core/notify/outgoing.ts";
import { durationWords } from "../core/time_words.ts";
import { type Verdict, verdictOfExit } from "../core/notify/verdict.ts";
import { messageOf } from "../fault.ts";
import { distrusted, wordsOf as distrustWords } from "./trust.ts";
import { ownVariable } from "./own_variable.ts";

/** The most that is kept of what the program says, bytes. */
const longestWords = 8192;
/** How long a child that it left behind may hold its stderr open, ms. */
const grace = 500;

/**
 * Hands a mail to the sendmail program, on stdin, with its receivers in the headers. It gets no environment but what
 * such programs look at. After `timeout` (ms; 0: never) it is killed.
 */
export async function sendmail(
  { path, from, text }: Sendmail,
  { timeout }: { timeout: number },
): Promise<Verdict> {
  const distrust = distrusted(path);
  if (distrust !== undefined) {
    return { is: "refused", why: `will not start "${path}": ${distrustWords(distrust, path)}` };
  }
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(path, {
      // -i: a line with a single dot is no end. -t: receivers stand in the headers.
      args: ["-i", "-t", ...(from === undefined ? [] : ["-f", addressIn(from)])],
      clearEnv: true,
      env: environment(),
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    return { is: "refused", why: `cannot start "${path}": ${messageOf(error)}` };
  }
  let isLate = false;
  const cancel = timeout > 0
    ? systemClock.after(timeout, () => {
      isLate = true;
      killAll(child);
    })
    : (): void => {};
  const words = wordsOf(child.stderr);
  const written = write(child.stdin, text);
  const { code } = await endOf(child);
  cancel();
  await written;
  const said = await words.within(code === 0 ? 0 : grace);
  return isLate
    ? { is: "again", why: `it did not end within ${durationWords(timeout)}, and was killed` }
    : verdictOfExit({ code, said });
}

/** With what it has started: it may be a script that waits for another program. */
function killAll({ pid }: Deno.ChildProcess): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** A program that ends without reading says why by its exit code. */
async function write(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    await writer.abort().catch(() => {});
  }
}

/** Reads what a program says, for as long as it and those that it left behind may say something. */
function wordsOf(stream: ReadableStream<Uint8Array>): { within(ms: number): Promise<string> } {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const end = (async () => {
    for (let size = 0;;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (size < longestWords) {
        text += decoder.decode(value.subarray(0, longestWords - size), { stream: true });
      }
      size += value.length;
    }
  })().catch(() => {});
  return {
    async within(ms) {
      const timer = setTimeout(() => void reader.cancel().catch(() => {}), ms);
      await end;
      clearTimeout(timer);
      return text;
    },
  };
}

function addressIn(mailbox: string): string {
  return /<([^<>]*)>$/.exec(mailbox)?.[1] ?? mailbox.trim();
}

/** Nothing of the daemon's own, which may hold passwords. */
function environment(): Record<string, string> {
  const env: Record<string, string> = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
  };
  for (const name of ["HOME", "USER", "LOGNAME", "LANG", "TZ"]) {
    const value = ownVariable(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}
