import type { Sweep } from "../../core/run_machine.ts";
import { messageOf } from "../../fault.ts";
import type { Finished, LaunchedProcess, RunMark, RunProcess } from "../../io/process/processes.ts";
import type { Run } from "../../types.ts";
import type { RunWorld } from "../world.ts";
import type { Patience } from "./bounded_executor.ts";
import type { AdoptOptions, Execution, Executor, LaunchOptions } from "./executor.ts";
import { launchSpecOf } from "./launch_spec.ts";

/** How long the machine is waited for, ms. */
export const localPatience: Patience = { look: 5000, act: 10_000 };

/** Starts runs as processes of this machine. */
export class LocalExecutor implements Executor {
  readonly #world: RunWorld;

  constructor(world: RunWorld) {
    this.#world = world;
  }

  launch(run: Run, { unit, traceparent, sink, say, needs, keep }: LaunchOptions): Execution {
    const spec = launchSpecOf(run, { unit, traceparent, keep });
    const { processes } = this.#world;
    const process = processes.launch({ ...spec, ...(needs === undefined ? {} : { needs }) }, sink);
    return new LocalExecution(this.#world, { run, process, say });
  }

  adopt(run: Run, { sink, say, positions }: AdoptOptions): Execution {
    const process = this.#world.processes.adopt(run.id, sink, positions);
    return new LocalExecution(this.#world, { run, process, say });
  }
}

/** A process with all that it starts. */
export class LocalExecution implements Execution {
  readonly #world: RunWorld;
  readonly #process: LaunchedProcess;
  readonly #runId: string;
  readonly #say: (text: string) => void;
  /** What was seen of it after its process had ended. */
  #rest: RunProcess[] = [];
  #looks = 0;

  constructor(
    world: RunWorld,
    { run, process, say }: { run: Run; process: LaunchedProcess; say: (text: string) => void },
  ) {
    this.#world = world;
    this.#say = say;
    this.#process = process;
    this.#runId = run.id;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get started(): Promise<void> {
    return this.#process.started;
  }

  get #mark(): RunMark {
    return { runId: this.#runId, pid: this.pid };
  }

  signal(name: string): Promise<void> {
    try {
      this.#process.signal(name);
    } catch (error) {
      this.#say(`cannot send ${name}: ${messageOf(error)}`);
    }
    return Promise.resolve();
  }

  /** Also those that left the group; what lives on is seen again when the run is cleared up after. */
  async kill(): Promise<void> {
    await this.signal("SIGKILL");
    await this.#world.processes.killAll(this.#mark);
  }

  lives(): Promise<boolean | undefined> {
    return this.#world.processes.lives(this.pid);
  }

  async look(): Promise<RunProcess[] | undefined> {
    const look = ++this.#looks;
    const seen = await this.#world.processes.left(this.#mark);
    // What comes late may name processes that are somebody else's by now.
    if (seen !== undefined && look === this.#looks) this.#rest = seen;
    return seen;
  }

  signalRest(name: string): void {
    this.#world.processes.signal(this.#rest.filter(({ group }) => group !== this.pid), name);
  }

  killRest(): Promise<void> {
    this.#world.processes.signal(this.#rest, "SIGKILL");
    return this.#world.processes.killAll(this.#mark);
  }

  finish(what: Sweep): Promise<Finished> {
    return this.#world.processes.finish(this.#mark, what);
  }

  leave(): Promise<void> {
    return this.#process.leave();
  }

  abandon(): void {
    this.#process.abandon();
  }

  release(): void {
    this.#process.release();
  }

  troubles(): string[] {
    return this.#process.troubles();
  }

  dismiss(): void {
    this.#process.dismiss();
  }
}
