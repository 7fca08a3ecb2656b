import { instanceWords } from "../../core/kept_words.ts";
import { later } from "../../core/time.ts";
import { endUnexecuted } from "../../core/unexecuted.ts";
import type { Run, Service } from "../../types.ts";
import type { Bus } from "../bus.ts";
import type { Ledger, LedgerEntry } from "../runs/ledger.ts";
import type { LeftRun, Runner, RunOwner } from "../runs/runner.ts";
import { begunLife, type Instance } from "./service_entry.ts";
import { storeUnexecutedEnd } from "../runs/unexecuted_end.ts";
import type { World } from "../world.ts";

/** What a new life needs. */
export interface LifeOptions {
  service: Service;
  /** The restart policy wants it. */
  isRestart: boolean;
  /** Who hears of its end. */
  owner: RunOwner & { amend: NonNullable<RunOwner["amend"]> };
}

/** Begins the lives of instances, a run each: row first, then process. Whatever the database refuses is tried again. */
export class ServiceLives {
  readonly #world: World;
  readonly #bus: Bus;
  readonly #runner: Runner;
  readonly #ledger: Ledger;
  #isClosed = false;

  constructor(world: World, bus: Bus, { runner, ledger }: { runner: Runner; ledger: Ledger }) {
    this.#world = world;
    this.#bus = bus;
    this.#runner = runner;
    this.#ledger = ledger;
  }

  /** Begins a life. Answers false when the database refuses: nothing runs then, and the next try takes the row that is there. */
  begin(instance: Instance, options: LifeOptions): boolean {
    const { service } = options;
    try {
      instance.life ??= this.#insert(instance, options);
      this.#start(instance.life, instance, options);
      return true;
    } catch (error) {
      const facts = { service: service.name, instance: instance.index };
      this.#world.refusals.note("cannot store that a service starts", { error, facts });
      // What executes all the same goes on: never two copies.
      return begunLife(instance) !== undefined;
    }
  }

  /** Ends the row of a life that could not begin and that nobody wants any more. */
  drop(instance: Instance, service: Service): void {
    const { life } = instance;
    if (life?.phase !== "launching") return;
    delete instance.life;
    this.#ledger.remove(life.id);
    const run = endUnexecuted(service, life.run, { reason: "stopped", at: this.#world.clock.now() });
    storeUnexecutedEnd(this.#world, this.#bus, { run, isOver: () => this.#isClosed });
  }

  /** From now on nothing is tried again: the next daemon ends rows that wait. */
  close(): void {
    this.#isClosed = true;
  }

  /** Goes on with a life that an earlier daemon began. Throws where the machine does not give it. */
  takeOver(
    instance: Instance,
    run: Run,
    { left, owner }: { left: LeftRun & { unit: Service } } & Pick<LifeOptions, "owner">,
  ): void {
    const life = instance.life = this.#ledger.add(run, "executing");
    try {
      this.#runner.takeOver(life.id, left, this.#ownerOf(instance, owner));
    } catch (error) {
      delete instance.life;
      this.#ledger.remove(life.id);
      throw error;
    }
    const { clock } = this.#world;
    instance.lastRunId = life.id;
    instance.definition = left.unit;
    instance.since = later(clock.monotonic(), -left.ranFor);
    if (left.found.ended !== undefined) instance.livedFor = left.ranFor;
  }

  #insert(instance: Instance, { service, isRestart }: LifeOptions): LedgerEntry {
    const run: Run = {
      id: this.#world.newId(),
      unit: service.name,
      status: "pending",
      exitCode: 0,
      trigger: "service",
      createdAt: this.#world.clock.now(),
      isFailure: false,
      retryAttempt: 0,
      instance: instance.index,
    };
    this.#world.store.runs.insert(run);
    const life = this.#ledger.add(run, "launching");
    this.#bus.publish({ type: "run.created", run, isRestart });
    return life;
  }

  #start(life: LedgerEntry, instance: Instance, { service, owner }: LifeOptions): void {
    const begin = (): void => void (instance.since = this.#world.clock.monotonic());
    begin();
    instance.lastRunId = life.id;
    instance.definition = service;
    delete instance.livedFor;
    this.#runner.start(life.id, service, {
      ...this.#ownerOf(instance, owner),
      // A database that takes its time over the row is no part of the life.
      started: begin,
    });
  }

  #ownerOf(instance: Instance, owner: LifeOptions["owner"]): RunOwner {
    return {
      words: () => instanceWords(instance.state),
      amend: owner.amend,
      ended(run) {
        delete instance.life;
        owner.ended(run);
      },
    };
  }
}
