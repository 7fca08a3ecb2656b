import { elapsed, later } from "../../core/time.ts";
import { runEnvironment } from "../../core/environment.ts";
import { messageOf } from "../../fault.ts";
import type { DockerClient, Removal } from "../../io/docker.ts";
import type { StoredContainer } from "../../io/store/containers.ts";
import type { Run, Unit } from "../../types.ts";
import { answerWithin } from "../waits.ts";
import type { RunWorld } from "../world.ts";

/** How long a run's end waits for docker to remove its container, ms; it is tried on after that, without the run. */
const longestWait = 15_000;
/** Between two tries, ms: at first, and at most. */
const firstWait = 1_000;
const mostWait = 60_000;
/** Docker is waited for so long at each try, ms. */
const answerPatience = 20_000;

/** Whether a unit's process only stands for a container, which may outlive it. */
export function isOfCompose(unit: Unit | undefined): boolean {
  return unit?.kind === "service" && unit.compose !== undefined;
}

/**
 * The containers of runs. Each is written down before it is asked for and until it is known to be gone, since neither
 * the end of its run nor that of the daemon ends it; as long as one is left, no other takes its place.
 */
export class Containers {
  readonly #world: RunWorld;
  /** Those whose run is over, by the run. */
  readonly #left = new Map<string, Left>();
  /** Set once the daemon is about to stop: nothing is waited for any more. */
  readonly #hurry = Promise.withResolvers<void>();
  #isHurried = false;
  #isClosed = false;
  #cancel: (() => void) | undefined;
  #wait = firstWait;

  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** To be called before a run is launched. Throws where an earlier container of the same instance is left. */
  begin({ id, instance }: Run, unit: Unit): void {
    for (const left of this.#left.values()) {
      if (left.unit === unit.name && left.instance === instance) {
        throw new RangeError(`the container of its run ${left.runId} is still there: ${left.trouble}`);
      }
    }
    this.#world.store.containers.add({ runId: id, unit: unit.name, instance });
  }

  /** Nothing was launched after all. */
  forget({ id }: Run): void {
    this.#strike([id]);
  }

  /** Sends a signal into the container of a run; false where there is none that takes it. */
  signal(run: Run, { unit, signal }: { unit: Unit; signal: string }): Promise<boolean> {
    return this.#world.docker.signal(run.id, { signal, ...clientOf(unit, runEnvironment(unit, run)) });
  }

  /** Removes the container of a run that is over. Answers why it could not: that is tried again from then on. */
  async finish(run: Run, unit: Unit): Promise<string | undefined> {
    const { clock } = this.#world;
    const client = clientOf(unit, runEnvironment(unit, run));
    const until = later(clock.monotonic(), longestWait);
    for (let wait = firstWait;; wait *= 2) {
      const { left, trouble } = await this.#remove([run.id], client);
      if (left.length === 0) {
        this.#strike([run.id]);
        return undefined;
      }
      if (this.#isHurried || elapsed(clock.monotonic(), until) < wait) {
        this.#left.set(run.id, {
          runId: run.id,
          unit: unit.name,
          instance: run.instance,
          trouble,
          client,
        });
        this.#wait = firstWait;
        this.#later();
        return `${trouble}; that is tried again, and nothing takes its place before it is gone`;
      }
      const waited = Promise.withResolvers<void>();
      const cancel = clock.after(wait, waited.resolve);
      await Promise.race([this.#hurry.promise, waited.promise]);
      cancel();
    }
  }

  /**
   * Removes what an earlier daemon left, together with the containers of `running`, which it may not have written down.
   * What can't be removed now is tried again. Those of runs that go on (`taken`, by id) are left alone.
   */
  async recover(
    running: readonly Run[],
    units: ReadonlyMap<string, Unit>,
    taken: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const known = new Map<string, StoredContainer>(
      running.filter((run) => isOfCompose(units.get(run.unit)))
        .map(({ id, unit, instance }) => [id, { runId: id, unit, instance }]),
    );
    for (const one of this.#world.store.containers.all()) known.set(one.runId, one);
    for (const one of known.values()) {
      if (taken.has(one.runId)) continue;
      this.#world.store.containers.add(one);
      const unit = units.get(one.unit);
      this.#left.set(one.runId, {
        ...one,
        trouble: "",
        client: clientOf(unit, { ...unit?.env, ...unit?.secrets }),
      });
    }
    await this.#removeLeft();
  }

  /** The daemon is about to stop: a try that is under way is the last one. */
  beginStop(): void {
    this.#isHurried = true;
    this.#hurry.resolve();
  }

  /** Nothing is tried any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #later(): void {
    this.#cancel?.();
    if (this.#left.size === 0 || this.#isClosed) return;
    this.#cancel = this.#world.clock.after(this.#wait, () => void this.#removeLeft().catch(reportError));
    this.#wait = Math.min(mostWait, this.#wait * 2);
  }

  /** One request for all that are in one place. */
  async #removeLeft(): Promise<void> {
    const { log } = this.#world;
    const places = Map.groupBy(this.#left.values(), ({ client }) => JSON.stringify(client));
    await Promise.all([...places.values()].map(async (lefts) => {
      const { left, trouble } = await this.#remove(lefts.map(({ runId }) => runId), lefts[0]!.client);
      const [still, gone] = [true, false].map((is) =>
        lefts.filter(({ runId }) => left.includes(runId) === is)
      );
      for (const { runId, unit } of gone!) {
        this.#left.delete(runId);
        log.info("what was left of a container is gone", { unit, run: runId });
      }
      this.#strike(gone!.map(({ runId }) => runId));
      // Once for each trouble, not for each try.
      if (still!.some((one) => one.trouble !== trouble)) log.error(`${trouble}; that is tried again`);
      for (const one of still!) one.trouble = trouble;
    }));
    this.#later();
  }

  /** What docker says nothing of may be there. */
  async #remove(runIds: readonly string[], client: DockerClient): Promise<Removal> {
    const { clock, docker } = this.#world;
    const answer = await answerWithin(clock, docker.remove(runIds, client), answerPatience);
    if ("value" in answer) return answer.value;
    return { left: [...runIds], trouble: `cannot tell whether its container is gone: ${answer.trouble}` };
  }

  /** They are gone: where the database refuses that, the next daemon finds so. */
  #strike(runIds: readonly string[]): void {
    if (this.#isClosed) return;
    try {
      this.#world.store.containers.remove(runIds);
    } catch (error) {
      this.#world.log.warn("cannot store that a container is gone", {
        run: runIds[0],
        error: messageOf(error),
      });
    }
  }
}

interface Left extends StoredContainer {
  /** Why it is still there. */
  trouble: string;
  client: DockerClient;
}

function clientOf(unit: Unit | undefined, environment: Record<string, string>): DockerClient {
  return { environment, ...(unit?.user === undefined ? {} : { user: unit.user }) };
}
