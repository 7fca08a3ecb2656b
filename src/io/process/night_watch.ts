import { ownVariable } from "../own_variable.ts";
import { plainEnvironment, programPath } from "../programs.ts";
import { preparePrivateFile } from "../trust.ts";
import { messageOf } from "../../fault.ts";
import { endOf } from "./child_end.ts";
import { nightScript } from "./night_script.ts";
import { reach } from "./reach.ts";

/** What a night watch is told. */
export interface NightWatchOptions {
  keepers: string;
  spools: string;
  say: (text: string) => void;
  /** After the daemon's death it waits so long for another, s. */
  delay?: number;
  /** So often it looks for streams that nobody reads, s. */
  round?: number;
  /** So many bytes of each stream are kept. */
  most?: number;
  /** The service manager that the daemon was started by; absent: none that could be asked. */
  manager?: ServiceManagerLook | undefined;
}

/** How a night watch sees that no other daemon is to come. */
export interface ServiceManagerLook {
  /** Path of the program. */
  systemctl: string;
  /** The daemon's unit; found by its control group unless given. */
  unit?: string;
  /** So long it must have been inactive, and what is asked to end then has until it is killed, s. */
  last?: number;
  grace?: number;
}

/** How systemd is asked, where it is what has started this daemon. */
export function systemdLook(): ServiceManagerLook | undefined {
  const isOurs = ownVariable("NOTIFY_SOCKET") !== undefined ||
    ownVariable("SYSTEMD_EXEC_PID") === String(Deno.pid);
  const systemctl = isOurs ? programPath("systemctl") : undefined;
  return systemctl === undefined ? undefined : { systemctl };
}

/** One that has ended by itself is started again, so late, ms. */
const againAfter = 60_000;

/** Looks after what runs write when this daemon has died; see night_script.ts. */
export class NightWatch {
  readonly #options: NightWatchOptions;
  readonly #word: string = crypto.randomUUID();
  #child: Deno.ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: NightWatchOptions) {
    this.#options = options;
  }

  /** When the daemon before this one was gone (Unix ms), where its watch has seen it. */
  diedAt: number | undefined;

  /** Shows the watch of an earlier daemon that there is another by now, and starts this one's own. */
  start(): void {
    const { keepers, say } = this.#options;
    try {
      this.diedAt ??= takeTime(`${keepers}/died`);
      preparePrivateFile(`${keepers}/daemon`, `${this.#word}\n`)();
      this.#child = this.#spawn();
    } catch (error) {
      return say(`nobody will read what runs write after this daemon's death: ${messageOf(error)}`);
    }
    this.#ended = this.#follow(this.#child);
  }

  /** Pid of the shell; undefined where there is none at the moment. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ends it, before the end of its input tells it of a death. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#child !== undefined) reach(this.#child.pid, "SIGKILL");
    await this.#ended;
  }

  async #follow(child: Deno.ChildProcess): Promise<void> {
    await endOf(child);
    await child.stdin.abort().catch(() => {}); // gives the pipe back
    this.#child = undefined;
    if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), againAfter);
  }

  #spawn(): Deno.ChildProcess {
    const { keepers, spools, delay = 5, round = 3, most = 16 * 1024 * 1024, manager } = this.#options;
    const runtimeDir = ownVariable("XDG_RUNTIME_DIR");
    return new Deno.Command("/bin/sh", {
      // Not as an argument: lists of processes would show all of it.
      args: ["-c", 'script=$SCRIPT; unset SCRIPT; eval "$script"', "svc-night"],
      clearEnv: true,
      env: {
        ...plainEnvironment,
        SCRIPT: nightScript,
        KEEPERS: keepers,
        SPOOLS: spools,
        WORD: this.#word,
        DELAY: String(delay),
        ROUND: String(round),
        MOST: String(most),
        SYSTEMCTL: manager?.systemctl ?? "",
        UNIT: manager?.unit ?? "",
        LAST: String(manager?.last ?? 60),
        GRACE: String(manager?.grace ?? 10),
        // By which a user's own systemd is found.
        ...(manager === undefined || runtimeDir === undefined ? {} : { XDG_RUNTIME_DIR: runtimeDir }),
      },
      cwd: "/",
      detached: true,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }
}

/** When a file was written last, Unix ms; it is removed. Undefined where there is none. */
function takeTime(path: string): number | undefined {
  try {
    const { isFile, mtime } = Deno.lstatSync(path);
    Deno.removeSync(path);
    return isFile ? mtime?.getTime() : undefined;
  } catch {
    return undefined;
  }
}
