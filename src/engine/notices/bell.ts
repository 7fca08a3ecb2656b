import { BUILT_IN_NOTIFIER } from "../../core/config/notify_schema.ts";
import { notifiersFor, tellsSuccess } from "../../core/notice_routes.ts";
import {
  coalesce,
  fingerprintOf,
  type Happening,
  happeningOfRun,
  happeningOfService,
  type Notice,
  type ServiceTrouble,
} from "../../core/notices.ts";
import { Fault, messageOf } from "../../fault.ts";
import type { NotifySettings, Run } from "../../types.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import type { NewsEvent } from "../news.ts";
import type { World } from "../world.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** How many of the last lines of a log are looked at for some that say something, and how many are told. */
const lines = { lookedAt: 20, told: 5 };

/** What the bell listens to, and must know of the configuration in force. */
export interface BellSettings {
  happenings: Bus<HappeningEvent>;
  notify(): NotifySettings;
  /** The time by which ages are reckoned, Unix ms. */
  ageNow(): number;
  /** Notifier ids that a unit names for itself. */
  ofUnit(name: string): readonly string[];
  /** Puts what happened into the outbox, for notifiers other than the bell; belongs to the transaction of its row. */
  post(happening: Happening, ids: readonly string[]): void;
}

/** The bell of page and terminal: rows that tell what went wrong, and when it works again (docs/notifications.md#what-is-told). */
export class Bell {
  readonly #world: World;
  readonly #news: Bus<NewsEvent>;
  readonly #settings: BellSettings;
  /** Tasks by whether their last run that succeeded or failed has failed. */
  readonly #failing = new Map<string, boolean>();
  #unsubscribe: (() => void)[] = [];
  #cancel: () => void = () => {};

  constructor(world: World, news: Bus<NewsEvent>, settings: BellSettings) {
    this.#world = world;
    this.#news = news;
    this.#settings = settings;
  }

  /** Rings from now on. */
  start(bus: Bus): void {
    this.#unsubscribe = [
      bus.subscribe((event) => {
        if (event.type === "run.completed" || event.type === "run.failed") {
          this.#try(() => this.#tellEnd(event.run));
        }
      }),
      this.#settings.happenings.subscribe((event) =>
        this.#try(() => {
          if (event.type === "service.trouble") this.#tellTrouble(event.trouble);
          else this.#ring(event.happening, event);
        })
      ),
    ];
    this.#try(() => this.#tellUntold());
    this.#hourly();
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#cancel();
  }

  /** A page, newest first; `next` is the id to go on before, empty at the end. */
  list(options: { limit: number; before?: string }): { notices: Notice[]; next: string } {
    const found = this.#world.store.notices.list({ ...options, limit: options.limit + 1 });
    const notices = found.slice(0, options.limit);
    return { notices, next: found.length > notices.length ? notices.at(-1)!.id : "" };
  }

  unreadCount(): number {
    return this.#world.store.notices.unreadCount();
  }

  readAll(): void {
    if (this.#world.store.notices.markAllRead(this.#world.clock.now()) > 0) this.#tellCount();
  }

  /** Marks one as read or unread. Throws `Fault` not_found. */
  mark(id: string, { isRead }: { isRead: boolean }): void {
    const { notices } = this.#world.store;
    const before = notices.get(id);
    if (before === undefined) throw new Fault("not_found", `no notification "${id}"`);
    if ((before.readAt !== undefined) === isRead) return;
    notices.mark(id, isRead ? this.#world.clock.now() : undefined);
    this.#news.publish({
      type: "notification.updated",
      notice: notices.get(id)!,
      unreadCount: this.unreadCount(),
    });
    this.#tellCount();
  }

  /** A service does not come up, or does not stay up. */
  #tellTrouble(trouble: ServiceTrouble): void {
    const { unit, runId } = trouble;
    this.#ring(happeningOfService(trouble, {
      at: this.#world.clock.now(),
      lastLines: runId === "" ? [] : this.#lastLines(unit, runId),
    }));
  }

  /** What the database refuses to tell is left out: nothing else may suffer from it. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#world.log.error("cannot look at the notifications", { error: messageOf(error) });
    }
  }

  /** Failures that an earlier daemon has stored, and died before it could tell of them. */
  #tellUntold(): void {
    const { store, clock } = this.#world;
    for (const id of store.notices.untold()) {
      const run = store.runs.get(id);
      const isNews = run !== undefined && clock.now() - (run.endedAt ?? run.createdAt) < day;
      if (isNews) this.#tellEnd(run);
      else store.notices.told(id);
    }
  }

  #tellEnd(run: Run): void {
    const wasFailing = this.#wasFailing(run);
    const happening = happeningOfRun(run, {
      wasFailing,
      tellsSuccess: tellsSuccess(this.#settings.notify()),
      lastLines: run.isFailure && run.startedAt !== undefined ? this.#lastLines(run.unit, run.id) : [],
    });
    if (happening !== undefined) this.#ring(happening, { ended: run.id });
    else if (run.isFailure) this.#world.store.notices.told(run.id);
  }

  /** Whether a task that has succeeded now had failed before; remembers how it stands. */
  #wasFailing(run: Run): boolean {
    if (run.trigger === "service" || !(run.isFailure || run.endReason === "success")) return false;
    const before = run.isFailure ||
      (this.#failing.get(run.unit) ?? this.#world.store.verdicts.hadFailed(run));
    this.#failing.set(run.unit, run.isFailure);
    return before;
  }

  /** `ended` is the run whose end this tells of. */
  #ring(happening: Happening, { except, ended }: { except?: string; ended?: string } = {}): void {
    const settings = this.#settings.notify();
    const ids = notifiersFor(happening, { settings, ofUnit: this.#settings.ofUnit(happening.unit) });
    if (except !== undefined) ids.delete(except);
    if (ids.size > 0) this.#record(happening, ids, ended);
    else if (ended !== undefined) this.#world.store.notices.told(ended);
  }

  /** Where the database refuses, it is tried again until row and deliveries are there. */
  #record(happening: Happening, ids: ReadonlySet<string>, ended: string | undefined): void {
    try {
      const rung = this.#world.store.transaction(() => {
        if (ended !== undefined) this.#world.store.notices.told(ended);
        this.#settings.post(happening, [...ids].filter((id) => id !== BUILT_IN_NOTIFIER));
        return ids.has(BUILT_IN_NOTIFIER) ? this.#store(happening) : undefined;
      });
      if (rung === undefined) return;
      this.#news.publish({
        type: rung.isNew ? "notification.created" : "notification.updated",
        notice: rung.notice,
        unreadCount: this.unreadCount(),
      });
    } catch (error) {
      const refused = { error, facts: { kind: happening.kind } };
      this.#world.refusals.tryAgain(
        "cannot store a notification",
        refused,
        () => this.#record(happening, ids, ended),
      );
    }
  }

  #store(happening: Happening): { notice: Notice; isNew: boolean } {
    const { store, newId } = this.#world;
    const rung = coalesce(happening, {
      former: store.notices.newest(fingerprintOf(happening)),
      window: this.#settings.notify().coalesceWindow,
      id: newId,
    });
    store.notices.put(rung.notice);
    if (rung.isNew) this.#prune();
    return rung;
  }

  /** What a run printed last, on either stream; a log that can't be read says nothing. */
  #lastLines(unit: string, runId: string): string[] {
    try {
      const page = { from: -lines.lookedAt, limit: lines.lookedAt, finalized: true };
      const { lines: last } = this.#world.logs.page(unit, runId, page);
      const telling = last.filter(({ stream, text }) => stream !== "system" && text.trim() !== "");
      return telling.slice(-lines.told).map(({ text }) => text);
    } catch (error) {
      this.#world.log.warn("cannot read the log of a run", { unit, run: runId, error: messageOf(error) });
      return [];
    }
  }

  #hourly(): void {
    this.#try(() => this.#prune() > 0 && this.#tellCount());
    this.#cancel = this.#world.clock.after(hour, () => this.#hourly());
  }

  #prune(): number {
    const { keep, keepFor } = this.#settings.notify();
    const before = keepFor > 0 ? { before: this.#settings.ageNow() - keepFor } : {};
    return this.#world.store.notices.prune({ keep, ...before });
  }

  #tellCount(): void {
    this.#news.publish({ type: "notification.unread_count", unreadCount: this.unreadCount() });
  }
}
