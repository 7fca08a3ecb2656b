import type { Sweep } from "../../core/run_machine.ts";
import type { Finished, ProcessSink, RunProcess } from "../../io/process/processes.ts";
import type { Run, Unit } from "../../types.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";
import type { Containers } from "./containers.ts";
import type { AdoptOptions, Execution, Executor, LaunchOptions } from "./executor.ts";
import type { Patience } from "./bounded_executor.ts";
import { localPatience } from "./local_executor.ts";

/** Docker is waited for so long, ms. */
const dockerPatience = 60_000;
/** Both are: the client, and then docker. Its own bounds come first, so that one is not lost with the other. */
export const composePatience: Patience = {
  look: localPatience.look,
  act: localPatience.act + dockerPatience + 1000,
};

/**
 * Starts runs of services of compose files: a client of docker on this machine, and the container that it asks for.
 * `local` is within bounds.
 */
export class ComposeExecutor implements Executor {
  readonly #world: RunWorld;
  readonly #local: Executor;
  readonly #containers: Containers;

  constructor(world: RunWorld, { local, containers }: { local: Executor; containers: Containers }) {
    this.#world = world;
    this.#local = local;
    this.#containers = containers;
  }

  launch(run: Run, options: LaunchOptions): Execution {
    this.#containers.begin(run, options.unit);
    try {
      return this.#withContainer(
        run,
        options,
        (sink) => this.#local.launch(run, { ...options, sink, needs: "docker" }),
      );
    } catch (error) {
      this.#containers.forget(run);
      throw error;
    }
  }

  /** Its container was written down by the daemon that asked for it. */
  adopt(run: Run, options: AdoptOptions): Execution {
    return this.#withContainer(run, options, (sink) => this.#local.adopt(run, { ...options, sink }));
  }

  #withContainer(
    run: Run,
    { unit, sink, say }: Pick<LaunchOptions, "unit" | "sink" | "say">,
    startClient: (sink: ProcessSink) => Execution,
  ): Execution {
    let hasExited = false;
    const client = startClient({
      output: (stream, chunk, position) => sink.output(stream, chunk, position),
      exited(exit) {
        hasExited = true;
        sink.exited(exit);
      },
      pipesClosed: () => sink.pipesClosed(),
    });
    return new ComposeExecution(this.#world, {
      client,
      hasExited: () => hasExited,
      run,
      unit,
      containers: this.#containers,
      say,
    });
  }
}

interface Parts {
  client: Execution;
  /** The client has ended; its container may not have. */
  hasExited: () => boolean;
  run: Run;
  unit: Unit;
  containers: Containers;
  say: (text: string) => void;
}

/** The client of a container, and the container. */
class ComposeExecution implements Execution {
  readonly #world: RunWorld;
  readonly #parts: Parts;

  constructor(world: RunWorld, parts: Parts) {
    this.#world = world;
    this.#parts = parts;
  }

  get pid(): number {
    return this.#parts.client.pid;
  }

  get started(): Promise<void> {
    return this.#parts.client.started;
  }

  /** The client may keep a signal to itself, and end; where there is no container yet, that is right. */
  async signal(name: string): Promise<void> {
    const { client, hasExited, run, unit, containers } = this.#parts;
    const signal = containers.signal(run, { unit, signal: name });
    const sent = await answerWithin(this.#world.clock, signal, dockerPatience);
    if (!("value" in sent && sent.value) && !hasExited()) await client.signal(name);
  }

  kill(): Promise<void> {
    return this.#parts.client.kill();
  }

  lives(): Promise<boolean | undefined> {
    return this.#parts.client.lives();
  }

  look(): Promise<RunProcess[] | undefined> {
    return this.#parts.client.look();
  }

  signalRest(name: string): void {
    this.#parts.client.signalRest(name);
  }

  killRest(): Promise<void> {
    return this.#parts.client.killRest();
  }

  async finish(what: Sweep): Promise<Finished> {
    const { client, run, unit, containers, say } = this.#parts;
    const finished = await client.finish(what);
    const gone = await answerWithin(this.#world.clock, containers.finish(run, unit), dockerPatience);
    const trouble = "trouble" in gone ? gone.trouble : gone.value;
    if (trouble !== undefined) say(trouble);
    return finished;
  }

  leave(): Promise<void> {
    return this.#parts.client.leave();
  }

  abandon(): void {
    this.#parts.client.abandon();
  }

  release(): void {
    this.#parts.client.release();
  }

  troubles(): string[] {
    return this.#parts.client.troubles();
  }

  dismiss(): void {
    this.#parts.client.dismiss();
  }
}
