import type { Sweep } from "../../core/run_machine.ts";
import type { Finished, ProcessSink, RunProcess } from "../../io/process/processes.ts";
import type { Run } from "../../types.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";
import type { AdoptOptions, Execution, Executor, LaunchOptions } from "./executor.ts";

/** How long an executor is waited for, ms: until it has looked, and until it has acted. */
export interface Patience {
  look: number;
  act: number;
}

interface Bounds {
  world: Pick<RunWorld, "clock">;
  patience: Patience;
}

/**
 * An executor of which each answer comes within bounds, fails as no promise, and each end is told once: whatever that
 * behind it does. What is not known is said in the log of the run.
 */
export class BoundedExecutor implements Executor {
  readonly #executor: Executor;
  readonly #bounds: Bounds;

  constructor(executor: Executor, bounds: Bounds) {
    this.#executor = executor;
    this.#bounds = bounds;
  }

  launch(run: Run, options: LaunchOptions): Execution {
    const sink = toldOnce(options.sink);
    const execution = this.#executor.launch(run, { ...options, sink });
    return new BoundedExecution(execution, { ...this.#bounds, say: options.say });
  }

  adopt(run: Run, options: AdoptOptions): Execution {
    const sink = toldOnce(options.sink);
    const execution = this.#executor.adopt(run, { ...options, sink });
    return new BoundedExecution(execution, { ...this.#bounds, say: options.say });
  }
}

/** A sink that hears of each end once: of the first, where two are told. */
function toldOnce(sink: ProcessSink): ProcessSink {
  let hasExited = false;
  let haveClosed = false;
  return {
    output: (stream, chunk, position) => sink.output(stream, chunk, position),
    exited(exit) {
      if (hasExited) return;
      hasExited = true;
      sink.exited(exit);
    },
    pipesClosed() {
      if (haveClosed) return;
      haveClosed = true;
      sink.pipesClosed();
    },
  };
}

class BoundedExecution implements Execution {
  readonly #execution: Execution;
  readonly #bounds: Bounds & { say: (text: string) => void };
  /** The look that was asked for last. */
  #look: Promise<RunProcess[] | undefined> = Promise.resolve(undefined);

  constructor(execution: Execution, bounds: Bounds & { say: (text: string) => void }) {
    this.#execution = execution;
    this.#bounds = bounds;
  }

  get pid(): number {
    return this.#execution.pid;
  }

  get started(): Promise<void> {
    return this.#execution.started;
  }

  signal(name: string): Promise<void> {
    return this.#act(`cannot send ${name}`, () => this.#execution.signal(name));
  }

  kill(): Promise<void> {
    return this.#act("cannot look for what has left the group", () => this.#execution.kill());
  }

  killRest(): Promise<void> {
    return this.#act("cannot look for what has left the group", () => this.#execution.killRest());
  }

  async lives(): Promise<boolean | undefined> {
    const { value } = await this.#answer(() => this.#execution.lives(), this.#bounds.patience.look);
    return value;
  }

  /** Whoever asked earlier gets what was seen last: answers may overtake each other. */
  async look(): Promise<RunProcess[] | undefined> {
    let look = this.#look = this.#lookOnce();
    let seen = await look;
    while (look !== this.#look) seen = await (look = this.#look);
    return seen;
  }

  signalRest(name: string): void {
    this.#execution.signalRest(name);
  }

  async finish(what: Sweep): Promise<Finished> {
    const { value, trouble } = await this.#answer(
      () => this.#execution.finish(what),
      this.#bounds.patience.act,
    );
    return value ?? { killed: [], left: [], untold: trouble! };
  }

  leave(): Promise<void> {
    return this.#execution.leave();
  }

  abandon(): void {
    this.#execution.abandon();
  }

  release(): void {
    this.#execution.release();
  }

  troubles(): string[] {
    return this.#execution.troubles();
  }

  dismiss(): void {
    this.#execution.dismiss();
  }

  async #lookOnce(): Promise<RunProcess[] | undefined> {
    return (await this.#answer(() => this.#execution.look(), this.#bounds.patience.look)).value;
  }

  async #act(failure: string, act: () => Promise<void>): Promise<void> {
    const { trouble } = await this.#answer(act, this.#bounds.patience.act);
    if (trouble !== undefined) this.#bounds.say(`${failure}: ${trouble}`);
  }

  /** Also what is thrown at once is an answer. */
  async #answer<T>(question: () => Promise<T>, ms: number): Promise<{ value?: T; trouble?: string }> {
    const asked = (async () => await question())();
    return await answerWithin(this.#bounds.world.clock, asked, ms);
  }
}
