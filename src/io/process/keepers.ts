import { bellPath, keeperPath, keeperText, type KeeperWords, type KeptGroup } from "../../core/keeper.ts";
import { keeperScript, type KeeperStart, keeperStart, quoted } from "../../core/keeper_script.ts";
import { Fault, messageOf } from "../../fault.ts";
import { programPath } from "../programs.ts";
import { Bell } from "./bell.ts";
import { endOf } from "./child_end.ts";
import { realFolder, removeKeeperFile, writeKeeperFile } from "./keeper_file.ts";
import { KeptHandle } from "./kept_handle.ts";
import { readTroubles } from "./launch_notes.ts";
import { launcherOrder, type LaunchPlace, type LaunchPlan, planLaunch, readerOf } from "./launch_plan.ts";
import { launcherParts, restoreCallersState } from "./launcher.ts";
import { AdoptedRuns } from "./adopted_runs.ts";
import { missing, refusal } from "./keeping_trial.ts";
import { keptProcess } from "./kept_process.ts";
import { NightWatch, type NightWatchOptions, systemdLook } from "./night_watch.ts";
import type { KeepAbility, KeepOrder, LaunchedProcess, LaunchSpec, ProcessSink } from "./processes.ts";
import { ownUid } from "../trust.ts";

/** Where kept runs are looked after. */
export interface KeeperFolders {
  /** Takes the keepers' files, and the bell. */
  keepers: string;
  /** Takes their output. */
  spools: string;
  /** How the night watch is to be otherwise than it is. */
  night?: Pick<NightWatchOptions, "delay" | "round" | "most" | "manager">;
}

/** A place where runs are started that know their group. */
export interface KeptPlace extends LaunchPlace {
  /** The group that `groups` has given to the run. */
  group: () => KeptGroup | undefined;
}

/** The kernel takes no longer word for a program, bytes. */
const longestWord = 128 * 1024;
/** It may take no more in all than a quarter of the stack; so much is always taken, bytes. */
const mostWords = 1024 * 1024;

/** So long keepers that were killed are waited for at the end, ms. */
const closePatience = 1_000;

/** A keeper that was started here, and has not ended. */
interface LiveKeeper {
  handle: KeptHandle;
  child: Deno.ChildProcess;
  /** Resolves when it has ended; never rejects. */
  over: Promise<void>;
}

/** Starts runs as children of shells that outlive this daemon. */
export class Keepers {
  readonly #folder: string;
  readonly #say: (text: string) => void;
  /** By the pids of the keepers. */
  readonly #live = new Map<number, LiveKeeper>();
  /** What earlier daemons have left. */
  readonly adopted: AdoptedRuns;
  readonly #night: NightWatch;
  #bell: Bell | undefined;
  #keeping: KeepAbility = { available: false };
  #hasSaid = false;

  constructor(
    folders: KeeperFolders,
    { ask, say = (): void => {} }: {
      ask: (question: string) => Promise<string[] | undefined>;
      say?: ((text: string) => void) | undefined;
    },
  ) {
    this.#folder = folders.keepers;
    this.#say = say;
    this.#night = new NightWatch({ manager: systemdLook(), ...folders.night, ...folders, say });
    this.adopted = new AdoptedRuns({ ...folders, ask, say, isOwn: (runId) => this.#has(runId) });
  }

  /** What `prepare` has found. */
  get keeping(): KeepAbility {
    return this.#keeping;
  }

  /** The FIFO by which keepers call; undefined where runs can't be kept. */
  get bell(): Bell | undefined {
    return this.#bell;
  }

  /** Finds out whether runs can be kept here. `blindness`: why processes can't be looked for. Never rejects. */
  async prepare(blindness: string | undefined): Promise<KeepAbility> {
    const why = blindness ?? missing() ?? await refusal();
    if (why !== undefined) return this.#keeping = { available: false, why };
    const bell = new Bell(bellPath(this.#folder), { mkfifo: programPath("mkfifo")!, say: this.#say });
    if (!await bell.hang()) {
      await bell.close();
      return this.#keeping = { available: false, why: `no FIFO can be made in "${this.#folder}"` };
    }
    this.#bell = bell;
    this.adopted.bell = bell;
    this.#night.start();
    return this.#keeping = { available: true };
  }

  /**
   * Starts a run as the child of a keeper; undefined where that can't be, and it is to be started without. Throws
   * `Fault` as `launchProcess` does.
   */
  launch(
    spec: LaunchSpec & { keep: KeepOrder },
    sink: ProcessSink,
    place: KeptPlace,
  ): LaunchedProcess | undefined {
    const bell = this.#bell;
    if (bell === undefined) return undefined;
    const plan = planLaunch(spec);
    const start = this.#startOf(plan);
    if (start === undefined) return undefined;
    bell.check();
    const file = keeperPath(this.#folder, spec.runId);
    const { note, text } = this.#textOf({
      spec,
      plan,
      place,
      file,
      bell: bell.path,
      inherits: start.inherits,
    });
    try {
      writeKeeperFile(file, text);
    } catch (error) {
      this.#sayOnce(`runs do not outlive this daemon for now: cannot write "${file}": ${messageOf(error)}`);
      return undefined;
    }
    const child = spawnKeeper(file, spec, start);
    const handle = new KeptHandle({
      runId: spec.runId,
      keeper: child.pid,
      file,
      note,
      bell,
      exited: (exit) => sink.exited(exit),
    });
    this.#live.set(child.pid, { handle, child, over: this.#watch(handle, child) });
    const pipes = this.adopted.output.launched(child, {
      ...{ runId: spec.runId, keeper: child.pid, sink },
      isLong: spec.keep.isLong,
      isOver: () => handle.isOver,
    });
    return keptProcess(handle, { pipes, sink, troubles: () => readTroubles(note) });
  }

  /** The pid of the run whose keeper has this one, as far as it is known; any other as it is. */
  pidOf(pid: number): number {
    return this.#live.get(pid)?.handle.pid ?? pid;
  }

  /** Looks at what the keeper of a run has written down, whose call may not have been heard; `pid`: of either. */
  look(pid: number): void {
    for (const { handle } of this.#live.values()) {
      if (handle.pid === pid || handle.keeper === pid) handle.look();
    }
    this.adopted.look(pid);
    this.#bell?.check();
  }

  /** See `Processes.diedAt`. */
  get diedAt(): number | undefined {
    return this.#night.diedAt;
  }

  /** Lets go of all that runs: nothing here waits for it any more. Keepers that were killed have a moment to end. */
  async close({ isLeft } = { isLeft: false }): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, closePatience);
    const dismissed = [...this.#live.values()].filter(({ handle }) => handle.isDismissed);
    await Promise.race([Promise.all(dismissed.map(({ over }) => over)), late.promise]);
    clearTimeout(timer);
    for (const { child } of this.#live.values()) child.unref();
    this.adopted.close();
    // The end of its input tells it that nobody is there.
    if (!isLeft) await this.#night.close();
    await this.#bell?.close();
  }

  #has(runId: string): boolean {
    return [...this.#live.values()].some(({ handle }) => handle.runId === runId);
  }

  async #watch(handle: KeptHandle, child: Deno.ChildProcess): Promise<void> {
    const how = await endOf(child);
    this.#live.delete(child.pid);
    try {
      handle.lost(how);
    } catch (error) {
      reportError(error);
    }
  }

  #textOf({ spec, plan, place, file, bell, inherits }: {
    spec: LaunchSpec & { keep: KeepOrder };
    plan: LaunchPlan;
    place: KeptPlace;
    file: string;
    bell: string;
    inherits: boolean;
  }): { note: string | undefined; text: string } {
    const groups = place.groups();
    const order = launcherOrder(plan, { spec, place, groups, reader: readerOf(plan.env) });
    const parts = order === undefined ? undefined : launcherParts(order);
    const { runId, keep: { nonce, about, isLong } } = spec;
    const group = place.group();
    const words: KeeperWords = {
      ...{ runId, nonce, isLong, folder: realFolder(this.#folder) },
      ...(order === undefined ? {} : { note: order.note }),
      ...(plan.as === undefined || plan.as.uid === ownUid() ? {} : { owner: plan.as.uid }),
      ...(group === undefined ? {} : { group }),
    };
    const script = keeperScript({
      ...{ runId, file, bell, inherits },
      setsid: programPath("setsid")!,
      env: programPath("env"),
      cwd: plan.as === undefined ? plan.cwd : undefined,
      restore: restoreCallersState(),
      ...(parts === undefined ? {} : { launcher: parts }),
      become: parts?.become ?? plan.command.map(quoted).join(" "),
      variables: parts?.variables ?? plan.env,
    });
    return { note: order?.note, text: keeperText(words, { about, script }) };
  }

  /** How a keeper is to be started; undefined for what the machine would refuse, and what it may: that goes the usual way. */
  #startOf({ command, env }: LaunchPlan): KeeperStart | undefined {
    const words = [...command, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    if (words.some(isRefused)) return undefined;
    const start = keeperStart(env, { bash: programPath("bash"), env: programPath("env") });
    if (start === undefined) {
      this.#sayOnce(
        'runs with variables that no shell takes do not outlive this daemon: "env" is not in PATH',
      );
    } else if (words.reduce((sum, word) => sum + word.length, 0) >= mostWords) {
      this.#sayOnce(
        "runs that are started with more than 1 MiB of words and variables do not outlive this daemon",
      );
      return undefined;
    }
    return start;
  }

  #sayOnce(text: string): void {
    if (!this.#hasSaid) this.#say(text);
    this.#hasSaid = true;
  }
}

/** Whether the kernel takes no such word for a program. */
function isRefused(word: string): boolean {
  if (word.includes("\0")) return true;
  // No character takes more than three bytes for each of its units.
  return word.length * 3 >= longestWord && new TextEncoder().encode(word).length >= longestWord;
}

/** Starts a keeper. Throws `Fault`. */
function spawnKeeper(file: string, { shell, cwd }: LaunchSpec, start: KeeperStart): Deno.ChildProcess {
  try {
    return new Deno.Command(programPath("setsid")!, {
      args: [...start.shell, file],
      cwd: "/",
      clearEnv: true,
      env: start.env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    removeKeeperFile(file);
    throw new Fault("internal", `cannot start "${shell}" in "${cwd}": ${messageOf(error)}`);
  }
}
