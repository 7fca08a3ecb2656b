import {
  type DaemonProcess,
  spawnDaemonProcess,
  type SpawnedDaemon,
  type StartOptions,
} from "../support/daemon_process.ts";
import { endKept } from "../support/kept.ts";
import { Random } from "../simulation/random.ts";
import { lifeMark, markedProcesses } from "./marks.ts";

/** How a scene is played. */
export interface Play {
  seed: number;
  /** Only as much of it as every test run can afford. */
  short: boolean;
  print: (line: string) => void;
}

/** One kind of torture: does it, and answers what it did and saw in a line. */
export type Scene = (stage: Stage) => Promise<string>;

/** What a scene may say of the start of its daemon. */
type OwnOptions = Pick<StartOptions, "dataDir" | "args" | "first" | "unread">;

/** A scene that this machine can't play says why. */
export class NotPlayed extends Error {}

/** What a scene has: a folder, moments that are a function of the seed, daemons that end with it, and a place for complaints. */
export class Stage {
  readonly folder: string;
  readonly random: Random;
  readonly short: boolean;
  /** Six digits that all processes of this stage carry, see `lifeMark`. */
  readonly key: string;
  /** Everything that must not be. */
  readonly complaints: string[] = [];
  readonly #daemons: SpawnedDaemon[] = [];
  readonly #cleanups: (() => Promise<void>)[] = [];
  #lives = 0;

  constructor(folder: string, { seed, short }: Pick<Play, "seed" | "short">) {
    this.folder = folder;
    this.random = new Random(seed);
    this.short = short;
    this.key = String(100_000 + crypto.getRandomValues(new Uint32Array(1))[0]! % 900_000);
  }

  /** The life of the daemon that was started last, from 1. */
  get life(): number {
    return this.#lives;
  }

  /** Complains unless it holds; answers whether it does. */
  expect(holds: boolean, what: string): boolean {
    if (!holds) this.complaints.push(`life ${this.#lives}: ${what}`);
    return holds;
  }

  /** Starts the next life of the daemon, and does not wait for it. */
  async spawn(config: string, options: OwnOptions = {}): Promise<SpawnedDaemon> {
    const env = { LIFE: lifeMark(this.key, ++this.#lives), LEDGER: `${this.folder}/ledger` };
    const daemon = await spawnDaemonProcess(config, {
      folder: this.folder,
      env,
      leavesNoCoverage: true,
      ...options,
    });
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Starts the next life of the daemon; throws when it doesn't get ready. */
  async start(config: string, options: OwnOptions = {}): Promise<DaemonProcess> {
    const spawned = await this.spawn(config, options);
    const daemon = await spawned.ready();
    if (daemon === undefined) throw new Error(`the daemon did not start:\n${spawned.log()}`);
    return daemon;
  }

  /** Something to be done at the end, however that comes; the last is done first. */
  atEnd(cleanup: () => Promise<void>): void {
    this.#cleanups.unshift(cleanup);
  }

  /** Ends what is left of the daemons and their processes, and tidies up. */
  async clear(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.end("SIGKILL");
    for (
      let rest = await markedProcesses(this.key);
      rest.length > 0;
      rest = await markedProcesses(this.key)
    ) {
      for (const { pid } of rest) kill(pid);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const { dataDir } of this.#daemons) endKept(dataDir);
    for (const cleanup of this.#cleanups) await cleanup();
    await Deno.remove(this.folder, { recursive: true });
  }

  /** The end of the daemon's last log, for complaints. */
  lastWords(): string {
    return this.#daemons.at(-1)?.log().slice(-4000) ?? "";
  }
}

/** Stages on which something is played. */
const open = new Set<Stage>();

/** Breaks off whatever is played, and tidies up. */
export async function breakOff(): Promise<void> {
  for (const stage of [...open]) await stage.clear();
}

/** Plays a scene, prints what came of it, and answers the complaints. */
export async function play(name: string, scene: Scene, options: Play): Promise<string[]> {
  const folder = await Deno.makeTempDir({ prefix: "svc-torture-" });
  const stage = new Stage(folder, options);
  open.add(stage);
  const began = performance.now();
  let saw: string;
  try {
    saw = await scene(stage);
  } catch (error) {
    saw = error instanceof NotPlayed ? `NOT PLAYED: ${error.message}` : "it broke off";
    if (!(error instanceof NotPlayed)) {
      stage.complaints.push(`${error instanceof Error ? error.stack : error}\n${stage.lastWords()}`);
    }
  } finally {
    await stage.clear();
    open.delete(stage);
  }
  const { complaints } = stage;
  options.print(
    `${name}: ${saw} (${Math.round((performance.now() - began) / 1000)} s, seed ${options.seed})${
      complaints.length === 0 ? "" : `: ${complaints.length} COMPLAINTS`
    }`,
  );
  for (const complaint of complaints.slice(0, 20)) options.print(`  ${complaint}`);
  return complaints;
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Asks until the answer is yes; answers false when that took more than `ms`. */
export async function within(ms: number, answer: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!(await answer())) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Lets time pass, where the passing of time is what the scene is about. */
export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
