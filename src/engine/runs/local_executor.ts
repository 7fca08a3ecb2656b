import { pidWords } from "../../core/pid_words.ts";
import type { Sweep } from "../../core/run_machine.ts";
import { messageOf } from "../../fault.ts";
import type { Finished, LaunchedProcess, RunMark, RunProcess } from "../../io/process/processes.ts";
import type { Run } from "../../types.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";
import type { Execution, Executor, LaunchOptions } from "./executor.ts";
import { launchSpecOf } from "./launch_spec.ts";

/** What is left of a run is looked at for so long at most, at its end and before it, ms. */
const sweepPatience = 10_000;
const lookPatience = 5_000;

/** Starts runs as processes of this machine. */
export class LocalExecutor implements Executor {
  readonly #world: RunWorld;

  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** `needs`: a program that must be there. */
  launch(run: Run, { unit, traceparent, sink, say }: LaunchOptions, needs?: string): LocalExecution {
    const spec = launchSpecOf(run, { unit, traceparent });
    const process = this.#world.processes.launch(
      { ...spec, ...(needs === undefined ? {} : { needs }) },
      sink,
    );
    return new LocalExecution(this.#world, { run, process, say });
  }
}

/** A process with all that it starts. */
export class LocalExecution implements Execution {
  readonly #world: RunWorld;
  readonly #run: Run;
  readonly #process: LaunchedProcess;
  readonly #say: (text: string) => void;
  readonly #mark: RunMark;
  /** What was seen of it after its process had ended. */
  #rest: RunProcess[] = [];

  constructor(
    world: RunWorld,
    { run, process, say }: { run: Run; process: LaunchedProcess; say: (text: string) => void },
  ) {
    this.#world = world;
    this.#say = say;
    this.#run = run;
    this.#process = process;
    this.#mark = { runId: run.id, pid: process.pid };
  }

  get pid(): number {
    return this.#mark.pid;
  }

  signal(name: string): Promise<void> {
    this.#signal(name);
    return Promise.resolve();
  }

  kill(): Promise<void> {
    this.#signal("SIGKILL");
    return this.#killAll();
  }

  async look(): Promise<RunProcess[] | undefined> {
    const seen = await this.#answer(this.#world.processes.rest(this.#mark), lookPatience);
    if (!("value" in seen)) return undefined;
    if (seen.value !== undefined) this.#rest = seen.value;
    return seen.value;
  }

  signalRest(name: string): void {
    this.#world.processes.signal(this.#rest.filter(({ group }) => group !== this.pid), name);
  }

  killRest(): Promise<void> {
    this.#world.processes.signal(this.#rest, "SIGKILL");
    return this.#killAll();
  }

  async finish(what: Sweep): Promise<Finished> {
    const answer = await this.#answer(this.#world.processes.finish(this.#mark, what), sweepPatience);
    const finished: Finished = "value" in answer
      ? answer.value
      : { killed: [], left: [], untold: answer.trouble };
    const killed = finished.killed.filter(({ pid }) => pid !== this.pid);
    if (killed.length > 0) this.#say(`killed what the run left behind: ${pidWords(killed)}`);
    if (finished.untold !== undefined) this.#say(`cannot tell what is left of the run: ${finished.untold}`);
    if (finished.left.length > 0) {
      this.#world.log.error("what a run left behind can't be ended", {
        unit: this.#run.unit,
        run: this.#run.id,
        left: pidWords(finished.left),
      });
    }
    return finished;
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

  #signal(name: string): void {
    try {
      this.#process.signal(name);
    } catch (error) {
      this.#say(`cannot send ${name}: ${messageOf(error)}`);
    }
  }

  /** Also those that left the group; what lives on is seen again when the run is cleared up after. */
  async #killAll(): Promise<void> {
    const killed = await this.#answer(this.#world.processes.killAll(this.#mark), sweepPatience);
    if ("trouble" in killed) this.#say(`cannot look for what has left the group: ${killed.trouble}`);
  }

  #answer<T>(promise: Promise<T>, ms: number): Promise<{ value: T } | { trouble: string }> {
    return answerWithin(this.#world.clock, promise, ms);
  }
}
