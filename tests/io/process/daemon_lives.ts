import type { KeptRun, LaunchedProcess, Processes, ProcessExit } from "../../../src/io/process/processes.ts";
import { recordBytes } from "../../../src/core/keeper.ts";
import type { KeeperFolders } from "../../../src/io/process/keepers.ts";
import { systemProcesses } from "../../../src/io/process/system.ts";
import { until } from "../../support/machine.ts";
import { type Journal, journalOf, keyOf } from "./journal.ts";
import { readersOf } from "./pipe_keeper.ts";

/** A data folder with daemons that are killed, one after the other; nothing of it is left when the test ends. */
export class DaemonLives implements AsyncDisposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "svc-lives-" });
  readonly said: string[] = [];
  /** Run ids; nobody else's on this machine begin so. */
  readonly #prefix: string = `T${crypto.randomUUID().replaceAll("-", "").toUpperCase()}R`;
  #daemon: Deno.ChildProcess | undefined;
  #processes: Processes | undefined;

  constructor() {
    for (const name of ["keepers", "spools", "notes"]) {
      Deno.mkdirSync(`${this.folder}/${name}`, { mode: 0o700 });
    }
  }

  /** Id of the run of a script, by its place. */
  id(index = 0): string {
    return `${this.#prefix}${index}`;
  }

  /** What a run's keeper has written down. */
  keeperText(index = 0): string {
    return Deno.readTextFileSync(`${this.folder}/keepers/${this.id(index)}`).slice(0, recordBytes);
  }

  /** Starts a daemon that starts these, or takes them over; resolves when it has. */
  async live(
    scripts: readonly string[],
    { isLong = true, night = {} }: { isLong?: boolean; night?: KeeperFolders["night"] } = {},
  ): Promise<void> {
    const program = new URL("./journaling_daemon.ts", import.meta.url).pathname;
    const args = [
      "run",
      "-A",
      "--no-prompt",
      "--no-check",
      program,
      this.folder,
      isLong ? "long" : "short",
      JSON.stringify(night),
      this.#prefix,
    ];
    this.#daemon = new Deno.Command(Deno.execPath(), { args: [...args, ...scripts], stdin: "null" }).spawn();
    await this.seen("a daemon is up", () => isThere(`${this.folder}/up`));
    Deno.removeSync(`${this.folder}/up`);
  }

  /** Kills the daemon. */
  async die(): Promise<void> {
    this.#daemon?.kill("SIGKILL");
    await this.#daemon?.status;
    this.#daemon = undefined;
  }

  /** The processes as the next daemon has them, which is this test. */
  async next(): Promise<Processes> {
    const processes = this.#processes = systemProcesses({
      noteFolder: `${this.folder}/notes`,
      key: keyOf(this.folder),
      keepers: { keepers: `${this.folder}/keepers`, spools: `${this.folder}/spools` },
      say: (text) => this.said.push(text),
    });
    await processes.prepare();
    return processes;
  }

  journal(index = 0): Journal {
    return journalOf(this.folder, this.id(index));
  }

  /** Names of what lies in a folder. */
  names(folder: "keepers" | "spools"): string[] {
    return [...Deno.readDirSync(`${this.folder}/${folder}`)].map(({ name }) => name).sort();
  }

  /** What lies in files of spools whose names begin so. */
  spooled(prefix: string): { bytes: number; text: string } {
    const parts = this.names("spools").filter((name) => name.startsWith(prefix)).map((name) =>
      Deno.readFileSync(`${this.folder}/spools/${name}`)
    );
    return {
      bytes: parts.reduce((sum, { length }) => sum + length, 0),
      text: parts.map((part) => new TextDecoder().decode(part.subarray(0, 1000))).join(""),
    };
  }

  /** Waits for what is seen by looking alone. */
  seen(what: string, is: () => boolean): Promise<void> {
    return until(what, () => Promise.resolve(is()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.die();
    const processes = this.#processes ?? await this.next();
    await processes.dropKept();
    await processes.killLeftovers([0, 1, 2].map((index) => this.id(index)));
    await processes.close();
    for (const pid of readersOf(`${this.folder}/spools`).values()) Deno.kill(pid, "SIGKILL");
    Deno.removeSync(this.folder, { recursive: true });
  }
}

/** A run that was taken over, whose output goes on in the journal. */
export class Adopted {
  readonly process: LaunchedProcess;
  readonly exited: Promise<ProcessExit>;
  readonly drained: Promise<void>;

  constructor(processes: Processes, { runId }: Pick<KeptRun, "runId">, journal: Journal) {
    const exited = Promise.withResolvers<ProcessExit>();
    const drained = Promise.withResolvers<void>();
    this.exited = exited.promise;
    this.drained = drained.promise;
    const sink = { output: journal.write, exited: exited.resolve, pipesClosed: drained.resolve };
    this.process = processes.adopt(runId, sink, journal.read().positions);
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}
