import { dirname } from "node:path";
import { Fault, messageOf } from "../../fault.ts";
import type { ListenLog } from "./listen_log.ts";

/** Between two looks at whether the file is still there, ms. */
const lookEvery = 2_000;

export interface ControlSocketFileOptions {
  path: string;
  keptAs?: string;
  log: ListenLog;
}

/**
 * The file of a control socket. Nobody can bind it again once the permission `net` is gone, but it may have a second
 * name: by that it is put back after somebody has removed it.
 */
export class ControlSocketFile {
  readonly #options: ControlSocketFileOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** What was told last of a file that is not there. */
  #told = false;

  constructor(options: ControlSocketFileOptions) {
    this.#options = options;
  }

  /** Binds it for this user alone (0600), in place of what stands there. Throws `Fault`. */
  listen(): Deno.Listener {
    const { path, keptAs } = this.#options;
    try {
      for (const old of [path, keptAs]) if (old !== undefined) removeIfThere(old);
    } catch (error) {
      throw new Fault("internal", `cannot replace control socket "${path}": ${messageOf(error)}`);
    }
    try {
      const listener = bindPrivately(path);
      this.#keep();
      return listener;
    } catch (error) {
      throw new Fault("internal", `cannot listen on control socket "${path}": ${messageOf(error)}`);
    }
  }

  /** Looks every 2 s, until it is closed, whether the file is still there. */
  watch(): void {
    if (this.#options.keptAs !== undefined) this.#timer ??= setInterval(() => this.look(), lookEvery);
  }

  /** Puts the file back where it is gone; what others have put there is left alone. */
  look(): void {
    const { path, keptAs, log } = this.#options;
    if (keptAs === undefined) return;
    try {
      if (isThere(path)) {
        this.#told = false;
        return;
      }
      Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      Deno.linkSync(keptAs, path);
      log.warn(`the control socket had been removed and was put back`, { path });
    } catch (error) {
      if (!this.#told) {
        log.error(`the control socket has been removed and can't be put back: restart the daemon`, {
          path,
          error: messageOf(error),
        });
      }
      this.#told = true;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    const { keptAs } = this.#options;
    if (keptAs === undefined) return;
    try {
      removeIfThere(keptAs);
    } catch {
      // On a disk that has turned read-only it stays, and the next daemon replaces it.
    }
  }

  /** Gives the file its second name; on another file system there is none, and a removed file stays away. */
  #keep(): void {
    const { path, keptAs } = this.#options;
    if (keptAs === undefined) return;
    try {
      Deno.linkSync(path, keptAs);
    } catch {
      // Then a look finds nothing to put back, and says so.
    }
  }
}

/**
 * Binds in a folder of this user's own, and moves the file to its place when nobody else may open it: there must be no
 * moment in which others may, and a program with limited permissions can't set its umask.
 */
function bindPrivately(path: string): Deno.Listener {
  // Short, since the path of a socket may have 107 bytes.
  const folder = `${dirname(path)}/.${crypto.randomUUID().slice(0, 4)}`;
  Deno.mkdirSync(folder, { mode: 0o700 });
  const own = `${folder}/s`;
  let listener: Deno.Listener | undefined;
  try {
    listener = Deno.listen({ transport: "unix", path: own });
    Deno.chmodSync(own, 0o600);
    Deno.renameSync(own, path);
    return listener;
  } catch (error) {
    listener?.close();
    throw error;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    // What can't be looked at for another reason is not known to be gone.
    return !(error instanceof Deno.errors.NotFound);
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
