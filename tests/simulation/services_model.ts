import { mustRecycle } from "../../src/core/reload_plan.ts";
import type { Config, Service } from "../../src/types.ts";
import { type Book, type Fact, nameOf } from "./book.ts";
import { instanceIn } from "./kept_model.ts";
import { type InstanceFact, isIdle, newInstance } from "./instance_fact.ts";

/** How long one instance may hold up the round of a reload. */
const roundLimit = 31_000;

/** What each instance of each service has to do (docs/behaviour.md#services, docs/behaviour.md#reload). */
export class ServicesModel {
  readonly #book: Book;
  readonly #instances = new Map<string, InstanceFact[]>();
  /** Until when a reload may bounce instances of a service. */
  readonly #loose = new Map<string, number>();

  constructor(book: Book) {
    this.#book = book;
  }

  boot(): void {
    this.#instances.clear();
    this.#loose.clear();
    for (const unit of this.#services()) this.#add(unit);
  }

  #add(service: Service): void {
    this.#instances.set(
      service.name,
      Array.from({ length: service.instances }, () => newInstance(service.autostart ? "up" : "down")),
    );
  }

  /** A life begins. */
  inserted(fact: Fact): void {
    const book = this.#book;
    const { unit, instance } = fact.run;
    const known = this.#instances.get(unit)?.[instance];
    if (known === undefined) return book.violate(`${nameOf(fact)} is made, and there is no such instance`);
    const other = book.active().find(({ run, mustEnd }) =>
      run !== fact.run && mustEnd === undefined && run.trigger === "service" && run.unit === unit &&
      run.instance === instance
    );
    if (other !== undefined) {
      book.violate(`${nameOf(fact)} is made beside ${nameOf(other)}`);
    }
    if (known.want === "down") book.violate(`${nameOf(fact)} starts, and was stopped`);
    if (book.stoppingSince !== undefined) book.violate(`${nameOf(fact)} starts while the daemon stops`);
    if (!this.#isLoose(unit)) this.#checkTime(known, fact);
    known.fact = fact;
    delete known.isUnsure;
    known.want = "up";
    known.again = false;
    known.isWaiting = false;
    delete known.nextAt;
    delete known.rest;
    delete known.mayBounce;
  }

  #checkTime(known: InstanceFact, fact: Fact): void {
    const book = this.#book;
    const { unit } = fact.run;
    if (known.rest === "done" || known.rest === "fatal") {
      book.violate(`${nameOf(fact)} starts, and is ${known.rest}`);
    }
    const { dependsOn } = book.unit(unit) as Service;
    // Where its first try was refused, what it waited for may be gone by the next, which a standstill holds up.
    const isSure = !book.isStalled && book.refusedAt < book.mono - 2000 &&
      book.slowSince(book.mono - 61_000) === 0 &&
      !dependsOn.some((name) => this.#isLoose(name));
    if (known.isWaiting && isSure && !this.#isReady(unit)) {
      book.violate(`${nameOf(fact)} starts before what it depends on is healthy`);
    }
    const { nextAt } = known;
    if (nextAt === undefined) return;
    if (book.mono < nextAt && !known.mayBounce) {
      book.violate(`${nameOf(fact)} starts ${nextAt - book.mono} ms too early`);
    }
    // A life that came before may not have ended yet: what is left of it can't be looked for.
    if (book.helpersFailedAt > nextAt - 30_000) return;
    const isLate = book.mono > nextAt + book.slowSince(nextAt - 61_000);
    if (isLate && book.isCalmSince(nextAt)) {
      book.violate(`${nameOf(fact)} starts ${book.mono - nextAt} ms too late`);
    }
  }

  /** A life of an earlier daemon goes on: as it was, unless the files say otherwise by now. */
  adopted(fact: Fact): void {
    const book = this.#book;
    const { unit, instance } = fact.run;
    const known = this.#instances.get(unit)?.[instance];
    const hasEnded = fact.taken?.endedAt !== undefined;
    if (known === undefined) {
      if (!hasEnded) book.end(fact, "stopped");
      return;
    }
    if (known.fact !== undefined) book.violate(`${nameOf(fact)} is taken over beside ${nameOf(known.fact)}`);
    const service = book.unit(unit) as Service;
    const words = instanceIn(fact);
    known.fact = fact;
    known.isWaiting = false;
    known.want = words.want;
    known.failed = words.failedStarts;
    known.again = words.again;
    const { autostart } = service;
    if (fact.want?.reason === "daemon_stopped") {
      Object.assign(known, { want: autostart ? "up" : "down", again: autostart });
    }
    // It was to end, and its daemon died before it had asked for that.
    if (words.phase === "stopping" && !hasEnded) book.end(fact, words.unhealthy ? "unhealthy" : "stopped");
    if (fact.unit?.kind === "service" && mustRecycle(fact.unit, service)) {
      known.mayBounce = true;
      known.failed = undefined;
      this.#loose.set(unit, book.mono + roundLimit * (service.instances + 1) * 2);
    }
  }

  /** What is written down of an instance is what is wanted of it. */
  #checkWords(known: InstanceFact): void {
    const book = this.#book;
    const { fact, want, failed, again, mayBounce } = known;
    if (fact?.row === undefined || fact.run.status !== "running" || fact.exit !== undefined) return;
    // What a daemon stopped starts anew with the next, whatever else is written down. When a reload bounces is its own affair.
    if (fact.want?.reason === "daemon_stopped" || mayBounce) return;
    const words = instanceIn(fact);
    const isSame = words.want === want && words.again === again &&
      (failed === undefined || words.failedStarts === failed);
    if (isSame) return;
    book.violate(
      `${nameOf(fact)} is written down as ${JSON.stringify(words)}, it is ${
        JSON.stringify({ want, again, failed })
      }`,
    );
  }

  /** A life has ended. */
  ended(fact: Fact): void {
    const book = this.#book;
    const { unit, instance } = fact.run;
    const known = this.#instances.get(unit)?.[instance];
    const service = book.unit(unit);
    if (known?.fact !== fact || service?.kind !== "service") return;
    delete known.fact;
    if (fact.run.endReason === "daemon_stopped" && !known.again) known.want = "down";
    if (known.want === "down") {
      known.failed = 0;
      return;
    }
    const reason = fact.want?.isUnsure === true ? fact.run.endReason : fact.want?.reason;
    if (known.again || reason === "stopped") {
      known.again = false;
      known.nextAt = book.mono;
      return;
    }
    this.#afterLife(known, { fact, service });
  }

  #afterLife(known: InstanceFact, { fact, service }: { fact: Fact; service: Service }): void {
    const book = this.#book;
    const { restart, startRetries } = service;
    if (restart === "never" || (restart === "on_failure" && !fact.run.isFailure)) {
      known.rest = "done";
      known.failed = 0;
      return;
    }
    const started = fact.process === undefined ? book.mono : fact.startedAt!;
    const endedAt = fact.triedAt?.mono ?? book.mono;
    // Of what ended while no daemon was there the wall clock alone tells how long it lived.
    const livedFor = fact.taken?.in === book.life && fact.taken.endedAt !== undefined
      ? fact.taken.endedAt - fact.run.startedAt!
      : endedAt - started;
    const wasUp = fact.process !== undefined && livedFor >= service.healthyAfter;
    if (wasUp) known.failed = 0;
    else if (known.failed !== undefined) known.failed++;
    const { failed } = known;
    const gaveUp = fact.run.endReason === "start_failed" && fact.process !== undefined;
    if (failed === undefined) {
      known.rest = "either";
      return;
    }
    const isFatal = startRetries >= 0 && failed > startRetries;
    if (isFatal !== gaveUp && fact.process !== undefined) {
      book.violate(
        `${nameOf(fact)} gives up: ${gaveUp}, after ${failed} failed starts of ${startRetries + 1}`,
      );
    }
    if (isFatal) {
      known.rest = "fatal";
      return;
    }
    const n = Math.max(1, failed);
    const factor = service.restartBackoff === "constant"
      ? 1
      : service.restartBackoff === "linear"
      ? n
      : 2 ** (n - 1);
    known.nextAt = book.mono + Math.min(60_000, service.restartDelay * factor);
  }

  start(name: string): void {
    for (const known of this.#instances.get(name) ?? []) {
      if (isIdle(known)) this.#startAnew(known);
      else if (known.want === "down" || known.fact?.triedAt !== undefined) {
        Object.assign(known, { want: "up", again: true });
      }
    }
  }

  restart(name: string): void {
    for (const known of this.#instances.get(name) ?? []) {
      if (isIdle(known)) this.#startAnew(known);
      else {
        this.#book.end(known.fact!, "stopped");
        Object.assign(known, { want: "up", again: true, failed: 0 });
      }
    }
  }

  #startAnew(known: InstanceFact): void {
    Object.assign(known, { want: "up", failed: 0, isWaiting: false });
    if (known.fact === undefined) known.nextAt = this.#book.mono;
    delete known.rest;
  }

  stop(name: string): void {
    for (const known of this.#instances.get(name) ?? []) this.#stop(known);
  }

  stopRun(fact: Fact): void {
    const known = this.#instances.get(fact.run.unit)?.[fact.run.instance];
    if (known?.fact === fact) return this.#stop(known);
    if (known !== undefined && known.fact === undefined) known.isUnsure = true;
    this.#book.end(fact, "stopped");
  }

  #stop(known: InstanceFact): void {
    Object.assign(known, { want: "down", again: false, isWaiting: false });
    delete known.isUnsure;
    delete known.nextAt;
    delete known.rest;
    if (known.fact === undefined) return;
    this.#book.end(known.fact, "stopped");
    if (!isIdle(known)) return;
    // A life that could not begin: nobody wants its row any more.
    known.fact.mustEnd = { at: this.#book.mono, wall: this.#book.now };
    delete known.fact;
  }

  reloading(before: Config): void {
    const old = new Map(before.units.map((unit) => [unit.name, unit]));
    for (const [name, unit] of old) {
      if (unit.kind === "service" && this.#book.unit(name)?.kind !== "service") this.#remove(name);
    }
    for (const service of this.#services()) {
      const known = old.get(service.name);
      if (known?.kind !== "service") this.#add(service);
      else if (JSON.stringify(known) !== JSON.stringify(service)) this.#change(service);
    }
  }

  #remove(name: string): void {
    this.stop(name);
    this.#instances.delete(name);
  }

  #change(service: Service): void {
    const instances = this.#instances.get(service.name)!;
    const isUp = instances.some(({ want }) => want === "up");
    for (const extra of instances.splice(service.instances)) this.#stop(extra);
    while (instances.length < service.instances) instances.push(newInstance(isUp ? "up" : "down"));
    // One that is fatal starts anew.
    for (const known of instances) {
      known.failed = undefined;
      if (!isIdle(known)) known.mayBounce = true;
      if (known.rest === "fatal") known.rest = "either";
    }
    this.#loose.set(service.name, this.#book.mono + roundLimit * (instances.length + 1) * 2);
  }

  /** A daemon does nothing for so long: a round goes on after it. */
  stalled(ms: number): void {
    const { mono } = this.#book;
    for (const [name, until] of this.#loose) if (until >= mono - ms) this.#loose.set(name, until + ms);
  }

  /** Whether a reload may be bouncing instances of a service. */
  mayBounce(name: string): boolean {
    return this.#isLoose(name);
  }

  #isLoose(name: string): boolean {
    return (this.#loose.get(name) ?? -Infinity) >= this.#book.mono;
  }

  check(): void {
    const book = this.#book;
    for (const [name, instances] of this.#instances) {
      if (this.#isLoose(name)) continue;
      if (!book.isStalled && book.refusedAt < book.mono - 2000 && book.stoppingSince === undefined) {
        for (const known of instances) if (known.isUnsure === undefined) this.#checkWords(known);
      }
      instances.forEach(({ want, fact, nextAt, isUnsure }, index) => {
        if (isUnsure) return;
        // A row that is refused is tried again each second.
        if (nextAt !== undefined && book.refusedAt >= Math.max(nextAt, book.mono - 2000)) return;
        if (nextAt !== undefined && book.helpersFailedAt > nextAt - 30_000 && book.mono < nextAt + 30_000) {
          return;
        }
        if (
          want === "up" && fact === undefined && nextAt !== undefined &&
          book.isOverdue(nextAt + book.slowSince(nextAt - 61_000)) &&
          book.stoppingSince === undefined
        ) {
          book.violate(`instance ${index} of ${name} was due ${book.mono - nextAt} ms ago, and is not up`);
        }
      });
    }
  }

  /** Nothing was done for long, and processes of services live for ever: what is wanted, is. */
  checkQuiet(): void {
    const book = this.#book;
    const { processes } = book.machine;
    for (const service of this.#services()) {
      const instances = this.#instances.get(service.name) ?? [];
      instances.forEach(({ want, fact, rest, nextAt = -Infinity, isUnsure }, index) => {
        const alive = processes.alive(service.name).filter(({ spec }) =>
          spec.env.SVC_INSTANCE === String(index)
        );
        const what = `instance ${index} of ${service.name}`;
        if (want === "down" && alive.length > 0) book.violate(`${what} is up, and was stopped`);
        if (
          want === "up" && !isUnsure && alive.length === 0 && rest === undefined && nextAt < book.mono &&
          fact?.lostAt === undefined && // else it may not be known yet that its process is gone
          this.#isReady(service.name)
        ) {
          book.violate(`${what} is down, and nobody stopped it`);
        }
        for (const { spec } of alive) {
          if (fact?.unit?.kind === "service" && mustRecycle(fact.unit, service)) {
            book.violate(`${what} still runs an old definition: ${spec.script}`);
          }
        }
      });
    }
    for (const { spec } of processes.alive()) {
      if (book.runs.get(spec.runId)?.run.trigger === "service" && book.unit(spec.name)?.kind !== "service") {
        book.violate(`a process of ${spec.name} lives on, and there is no such service`);
      }
    }
  }

  /** Whether all that a service depends on had the time to become healthy. */
  #isReady(name: string): boolean {
    const service = this.#book.unit(name);
    if (service?.kind !== "service") return true;
    return service.dependsOn.every((other) => {
      const { healthyAfter } = this.#book.unit(other) as Service;
      return this.#instances.get(other)?.some(({ fact }) =>
        fact?.startedAt !== undefined && this.#book.mono - fact.startedAt >= healthyAfter
      );
    });
  }

  #services(): Service[] {
    return this.#book.config.units.filter((unit) => unit.kind === "service");
  }
}
