import type { RunSelector } from "../../src/core/selector.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { Fault } from "../../src/fault.ts";
import type { Run } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import type { Fact } from "./book.ts";
import type { Life } from "./life.ts";
import type { Machine } from "./machine.ts";
import type { Model } from "./model.ts";
import type { Move } from "./moves.ts";

/** A request about a unit, or about some runs. */
export type UnitRequest = Extract<
  Move,
  { do: "run" | "hook" | "start" | "stop" | "restart" | "pause" | "resume" }
>;
export type RunsRequest = Extract<Move, { count: number }>;

/** Asks a daemon for what clients can ask for, and tells the model what is to come of it. */
export class Client {
  readonly #machine: Machine;
  readonly #model: Model;
  readonly #life: Life;
  readonly #engine: Engine;

  constructor(machine: Machine, model: Model, daemon: { life: Life; engine: Engine }) {
    this.#machine = machine;
    this.#model = model;
    this.#life = daemon.life;
    this.#engine = daemon.engine;
  }

  /** Puts what the files say into force. */
  async reload(): Promise<void> {
    const model = this.#model;
    const { refusals, isDraining } = model.book;
    model.reloading();
    const answer = await this.#askFor(this.#engine.reload({ dryRun: false }));
    const isStored = model.reloaded();
    if (this.#life.isDead) return;
    const isRefused = model.book.refusals > refusals;
    const due = isDraining ? "stopping" : isRefused && !isStored ? "database_refuses" : "done";
    if (answer !== due) model.book.violate(`a reload is answered with ${answer}, ${due} was due`);
  }

  async request(move: UnitRequest | RunsRequest): Promise<void> {
    const { book } = this.#model;
    const request = { made: 0 };
    book.request = request;
    if ("count" in move) await this.#askAboutRuns(move);
    else {
      const { refusals } = book;
      const due = this.#due(move);
      const answer = this.#ask(() => this.#askAboutUnit(move));
      if (due !== undefined && answer === "done" && request.made !== due && book.refusals === refusals) {
        book.violate(`${move.do} of ${move.name} made ${request.made} runs, ${due} were due`);
      }
    }
    await settle();
    if (book.request === request) book.request = undefined;
  }

  /** Does what a client asks for; says how it went: `done`, `dead`, `refused` by the database, or the code of a Fault. */
  #ask(body: () => void): string {
    try {
      body();
      return this.#life.isDead ? "dead" : "done";
    } catch (error) {
      return this.#failure(error);
    } finally {
      this.#model.answered();
    }
  }

  /** The same for what takes its time. */
  async #askFor(doing: Promise<unknown>): Promise<string> {
    try {
      await doing;
      return this.#life.isDead ? "dead" : "done";
    } catch (error) {
      return this.#failure(error);
    } finally {
      this.#model.answered();
    }
  }

  #failure(error: unknown): string {
    if (this.#life.isDead) return "dead";
    if (error instanceof Fault) return error.code;
    if (!isRefusal(error)) this.#model.escaped(error);
    return "refused";
  }

  /** How many runs a request must make, if it is not refused. Tells the model what is asked for. */
  #due({ do: what, name }: UnitRequest): number | undefined {
    const model = this.#model;
    const { book, tasks, services } = model;
    const unit = book.unit(name);
    if (unit === undefined) return undefined;
    const mayRun = unit.apiTrigger && !book.isDraining;
    switch (what) {
      case "run":
      case "hook":
        return 1;
      case "start":
        if (unit.kind === "task") {
          return tasks.of(name).places.length + tasks.of(name).queue.length > 0 ? 0 : 1;
        }
        if (mayRun) services.start(name);
        return 0;
      case "stop":
        if (unit.kind === "task") model.stopping(name, { restarts: false });
        else if (unit.apiTrigger) services.stop(name);
        return 0;
      case "restart":
        if (unit.kind === "task" && mayRun) model.stopping(name, { restarts: true });
        else if (mayRun) services.restart(name);
        return unit.kind === "task" ? 1 : 0;
      default:
        return 0;
    }
  }

  #askAboutUnit({ do: what, name }: UnitRequest): void {
    const engine = this.#engine;
    switch (what) {
      case "run":
        return void engine.run(name, { trigger: "api" });
      case "hook":
        return void engine.run(name, { trigger: "hook", byHook: true });
      case "start":
        return void engine.startUnit(name, { trigger: "api" });
      case "stop":
        return void engine.stopUnit(name).catch((error: unknown) => this.#model.escaped(error));
      case "restart":
        return void engine.restartUnit(name, { trigger: "api" });
      case "pause":
        return engine.pause(name);
      case "resume":
        return engine.resume(name);
    }
  }

  async #askAboutRuns(move: RunsRequest): Promise<void> {
    const engine = this.#engine;
    if (move.do === "stop run") return this.#stopRun(move.pick);
    const ids = this.#picked(move).map(({ run }) => run.id);
    const [id] = ids;
    if (id === undefined) return;
    if (move.do === "delete" && ids.length === 1) return void this.#ask(() => engine.deleteRun(id));
    const selector: RunSelector = { ids };
    if (move.do === "stop runs") {
      for (const id of ids) this.#tellOfStop(this.#model.book.runs.get(id)!);
    }
    const asked = {
      delete: () => engine.bulk.delete(selector),
      restore: () => engine.bulk.restore(selector),
      rerun: () => engine.bulk.rerun(selector),
      "stop runs": () => engine.bulk.stop(selector),
    }[move.do]();
    asked.catch((error: unknown) => {
      if (!this.#life.isDead && !(error instanceof Fault) && !isRefusal(error)) this.#model.escaped(error);
    });
    await this.#machine.clock.advance(0);
    this.#model.goesOn();
  }

  #stopRun(pick: number): void {
    const { book } = this.#model;
    const active = book.active();
    const fact = active[pick % active.length];
    if (fact === undefined) return;
    const due = this.#isStoppable(fact.run) ? "done" : "forbidden";
    this.#tellOfStop(fact);
    const answer = this.#ask(() => this.#engine.stopRun(fact.run.id));
    if (answer !== due && answer !== "dead") {
      book.violate(
        `the stop of run ${fact.run.id} of ${fact.run.unit} is answered with ${answer}, ${due} was due`,
      );
    }
  }

  #tellOfStop(fact: Fact): void {
    const { tasks, services } = this.#model;
    if (!this.#isStoppable(fact.run)) return;
    if (fact.run.trigger === "service") services.stopRun(fact);
    else tasks.stopOne(fact);
  }

  #isStoppable({ trigger, unit }: Run): boolean {
    const known = this.#model.book.unit(unit);
    return trigger !== "service" || known?.kind !== "service" || known.apiTrigger;
  }

  #picked({ do: what, pick, count }: RunsRequest): Fact[] {
    const { book } = this.#model;
    const runs = what === "stop runs" ? book.active() : [...book.runs.values()].reverse().filter(
      ({ isRemoved, hiddenAt }) => !isRemoved && (hiddenAt !== undefined) === (what === "restore"),
    );
    return runs.slice(pick % (runs.length || 1), pick % (runs.length || 1) + count);
  }
}

/** Whether an error is the database that refuses. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === "database is locked";
}
