import { pidWords } from "../../core/pid_words.ts";
import type { Sweep } from "../../core/run_machine.ts";
import type { Finished, RunMark, RunProcess } from "../../io/process/processes.ts";
import type { Run, Unit } from "../../types.ts";
import { type Containers, isOfCompose } from "./containers.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";

/** What is left of a run is looked at for so long at most, at its end and before it, ms. */
const sweepPatience = 10_000;
const lookPatience = 5_000;
/** And docker is waited for so long, ms. */
const dockerPatience = 60_000;

/** What runs leave behind: looked at and killed, within bounds, whatever the machine makes of the questions. */
export class Leftovers {
  readonly #world: RunWorld;
  readonly #containers: Containers;

  constructor(world: RunWorld, containers: Containers) {
    this.#world = world;
    this.#containers = containers;
  }

  /** Sends a signal into the container of a run; false where there is none that takes it. */
  async signalContainer(run: Run, options: { unit: Unit; signal: string }): Promise<boolean> {
    const sent = await this.#answer(this.#containers.signal(run, options), dockerPatience);
    return "value" in sent && sent.value;
  }

  /** Kills all that a run has, wherever it went; answers what keeps that from being done. */
  async kill(mark: RunMark): Promise<string | undefined> {
    const killed = await this.#answer(this.#world.processes.killAll(mark), sweepPatience);
    return "trouble" in killed ? `cannot look for what has left the group: ${killed.trouble}` : undefined;
  }

  /** What still lives of a run whose process has ended; undefined where that can't be told. */
  async look(mark: RunMark): Promise<RunProcess[] | undefined> {
    const seen = await this.#answer(this.#world.processes.rest(mark), lookPatience);
    return "value" in seen ? seen.value : undefined;
  }

  /** Clears up after a run whose process has ended, and says in its log what is worth telling. */
  async clearUp(
    run: Run,
    { unit, mark, what, say }: { unit: Unit; mark: RunMark; what: Sweep; say: (text: string) => void },
  ): Promise<Finished> {
    const finished = await this.#finish(mark, what);
    if (isOfCompose(unit)) {
      const gone = await this.#answer(this.#containers.finish(run, unit), dockerPatience);
      const trouble = "trouble" in gone ? gone.trouble : gone.value;
      if (trouble !== undefined) say(trouble);
    }
    const killed = finished.killed.filter(({ pid }) => pid !== mark.pid);
    if (killed.length > 0) say(`killed what the run left behind: ${pidWords(killed)}`);
    if (finished.untold !== undefined) say(`cannot tell what is left of the run: ${finished.untold}`);
    if (finished.left.length > 0) {
      this.#world.log.error("what a run left behind can't be ended", {
        unit: run.unit,
        run: run.id,
        left: pidWords(finished.left),
      });
    }
    return finished;
  }

  async #finish(mark: RunMark, what: Sweep): Promise<Finished> {
    const finished = await this.#answer(this.#world.processes.finish(mark, what), sweepPatience);
    return "value" in finished ? finished.value : { killed: [], left: [], untold: finished.trouble };
  }

  #answer<T>(promise: Promise<T>, ms: number): Promise<{ value: T } | { trouble: string }> {
    return answerWithin(this.#world.clock, promise, ms);
  }
}
