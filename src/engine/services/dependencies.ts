import type { TroubleTeller } from "./trouble.ts";
import { isServing, isWaiting, type ServiceEntry, statusOf } from "./service_entry.ts";
import type { Clock } from "../../io/clock.ts";

/** After a service has waited this long for what it depends on, it is told (docs/behaviour.md#services), ms. */
const blockedAfter = 30_000;

/** Who waits for whom among services; a long wait is told, once. */
export class Dependencies {
  readonly #entries: ReadonlyMap<string, ServiceEntry>;
  readonly #clock: Clock;
  readonly #teller: TroubleTeller;

  constructor(
    entries: ReadonlyMap<string, ServiceEntry>,
    { clock, tell }: { clock: Clock; tell: TroubleTeller },
  ) {
    this.#entries = entries;
    this.#clock = clock;
    this.#teller = tell;
  }

  /** Whether each service that one depends on has a healthy instance. */
  isReady(entry: ServiceEntry): boolean {
    return this.#lacking(entry).length === 0;
  }

  /** Services that wait no longer than from now on. */
  ready(): ServiceEntry[] {
    return [...this.#entries.values()].filter((entry) => isWaiting(entry) && this.isReady(entry));
  }

  /** Looks whether a service waits; to be called after every change of it. */
  look(entry: ServiceEntry): void {
    if (isWaiting(entry)) entry.alarm ??= this.#clock.after(blockedAfter, () => this.#tellOfWait(entry));
    else {
      entry.alarm?.();
      delete entry.alarm;
    }
  }

  #tellOfWait(entry: ServiceEntry): void {
    const waitsFor = this.#lacking(entry).map((name) => {
      const needed = this.#entries.get(name);
      return needed === undefined ? `"${name}"` : `"${name}" (${statusOf(needed).state})`;
    });
    if (waitsFor.length > 0) this.#teller.blocked(entry, waitsFor);
  }

  #lacking({ service }: ServiceEntry): string[] {
    return service.dependsOn.filter((name) => {
      const needed = this.#entries.get(name);
      return needed === undefined || !isServing(needed);
    });
  }
}
