import { dirname, resolve } from "node:path";
import { Fault, messageOf } from "../fault.ts";
import { Unreachable } from "./failures.ts";

/** How a file is to be written. */
export interface NewFileOptions {
  /** Replace a file that is there. */
  force: boolean;
  /** For messages: what is attempted, e.g. "back up". */
  attempt: string;
}

/**
 * Writes a file (0600) beside its place and puts it there once it is whole, so that nobody ever sees a half.
 * Answers its size in bytes. Throws `Fault`; conflict where there is a file and `force` is not set.
 */
export async function writeNewFile(
  path: string,
  body: ReadableStream<Uint8Array>,
  options: NewFileOptions,
): Promise<number> {
  const { force, attempt } = options;
  const place = resolve(path);
  if (!force && exists(place)) throw existsAlready(path, attempt);
  let beside: string | undefined;
  try {
    beside = await Deno.makeTempFile({ dir: dirname(place), prefix: ".svc-", suffix: ".part" });
    const bytes = await fill(beside, body);
    moveTo(beside, place, { force });
    return bytes;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) throw existsAlready(path, attempt);
    if (error instanceof Fault || error instanceof Unreachable) throw error;
    throw new Fault(
      "internal",
      `cannot ${attempt} to "${path}": ${
        messageOf(error)
      }; check that its folder is there, is yours and has room`,
    );
  } finally {
    await body.cancel().catch(() => {});
    if (beside !== undefined) await Deno.remove(beside).catch(() => {});
  }
}

/** Refuses a place that is taken before anything is asked of a daemon. Throws `Fault`. */
export function refuseTaken(path: string, attempt: string): void {
  if (exists(resolve(path))) throw existsAlready(path, attempt);
}

async function fill(path: string, body: ReadableStream<Uint8Array>): Promise<number> {
  using file = await Deno.open(path, { write: true });
  let bytes = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) at += await file.write(chunk.subarray(at));
    bytes += chunk.length;
  }
  await file.sync();
  return bytes;
}

/** A link refuses a name that is taken, also by somebody who was quicker; not every file system has links. */
function moveTo(from: string, to: string, { force }: { force: boolean }): void {
  if (force) {
    Deno.renameSync(from, to);
    return;
  }
  try {
    Deno.linkSync(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || exists(to)) {
      throw new Deno.errors.AlreadyExists(messageOf(error));
    }
    Deno.renameSync(from, to);
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    return true;
  }
}

function existsAlready(path: string, attempt: string): Fault {
  return new Fault(
    "conflict",
    `cannot ${attempt} to "${path}": there is something of that name; name another file, or add --force`,
  );
}
