import { fingerprintOf, type Happening } from "../../core/notices.ts";
import { happeningOfGivenUp } from "../../core/daemon_notices.ts";
import { letterOf, trialLetter } from "../../core/notify/letter.ts";
import {
  type Content,
  type Delivery,
  type DeliveryEnd,
  deliveryOf,
  longestDelay,
  mostInDigest,
  nextBatch,
  retryOf,
} from "../../core/notify/outbox.ts";
import { pingOf } from "../../core/notify/ping.ts";
import { type Outgoing, outgoingOf } from "../../core/notify/requests.ts";
import type { Verdict } from "../../core/notify/verdict.ts";
import { nearest } from "../../core/nearest.ts";
import { Fault, messageOf } from "../../fault.ts";
import type { Config } from "../../types.ts";
import { retryAfter } from "../retry_after.ts";
import { Cooldowns } from "./cooldowns.ts";
import type { Bus, HappeningEvent } from "../bus.ts";
import type { World } from "../world.ts";

/** What is stored within this time may go as one message, ms. */
const gathering = 50;
/** So many receivers are served at once. */
const mostAtOnce = 8;
/** A receiver that can't be reached from this daemon is looked at again after that long, ms. */
const unreachable = 60_000;
const hour = 3_600_000;
const day = 24 * hour;
/** How long the end of the daemon waits for what is under way, ms. */
const farewell = 3000;

/** With a blank, which no name of a notifier has. */
const pingPrefix = "ping ";

/** What the courier must know of the rest. */
export interface CourierOptions {
  config(): Config;
  /** The time by which ages are reckoned, Unix ms. */
  ageNow(): number;
  /** Hears of deliveries that were given up. */
  happenings: Bus<HappeningEvent>;
}

/** Carries messages to notifiers and dead man's switches, out of the outbox, until they have arrived or are given up (docs/notifications.md#what-counts-as-delivered). */
export class Courier {
  readonly #world: World;
  readonly #options: CourierOptions;
  /** Receivers that are being served, and deliveries that are under way. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #underWay = new Set<string>();
  readonly #cooldowns: Cooldowns;
  #lookedAt = 0;
  readonly #ended = new Map<string, Map<DeliveryEnd, number>>();
  #cancelLook: (() => void) | undefined;
  #cancelPrune: () => void = () => {};
  #isGathering = false;
  #isRunning = false;

  constructor(world: World, options: CourierOptions) {
    this.#world = world;
    this.#options = options;
    this.#cooldowns = new Cooldowns(world.clock);
  }

  start(): void {
    this.#isRunning = true;
    this.#holdBack();
    this.#adoptSetBack();
    this.#hourly();
    this.#lookSoon();
  }

  /** Starts nothing more, and waits a little for what is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelLook?.();
    this.#cancelPrune();
    const all = Promise.allSettled(this.#busy.values());
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#world.clock.after(farewell, resolve);
    });
    await Promise.race([all, late]);
    cancel();
  }

  /** Stores what notifiers are to be told; belongs to a transaction. */
  post(happening: Happening, ids: readonly string[]): void {
    const { store, newId } = this.#world;
    const fingerprint = fingerprintOf(happening);
    const window = this.#options.config().notify.coalesceWindow;
    for (const channel of ids) {
      const newest = store.deliveries.newest(channel, fingerprint);
      // What is under way has been counted already: more must not be added to it.
      const former = newest &&
        { ...newest, isWaiting: newest.isWaiting && !this.#underWay.has(newest.delivery.id) };
      store.deliveries.put(deliveryOf(happening, { channel, fingerprint, former, window, id: newId }));
    }
    if (ids.length > 0) this.#lookSoon();
  }

  /** Stores a call to the dead man's switch of a task. */
  ping(content: Extract<Content, { about: "ping" }>): void {
    const now = this.#world.clock.now();
    const channel = pingPrefix + content.unit;
    const delivery = { id: this.#world.newId(), channel, fingerprint: content.what, content, windowAt: now };
    this.#world.store.deliveries.put({ ...delivery, count: 1, isSummary: false, dueAt: now, attempts: 0 });
    this.#lookSoon();
  }

  /** Sends a message that shows that a notifier works, at once and once. Throws `Fault` not_found. */
  async test(id: string): Promise<{ delivered: boolean; error: string }> {
    const notifier = this.#options.config().notify.notifiers.find((one) => one.id === id);
    if (notifier === undefined) throw new Fault("not_found", this.#unknown(id));
    const now = this.#world.clock.now();
    const verdict = await this.#send(outgoingOf(notifier, trialLetter(id, { ...this.#letterhead, now })));
    return verdict.is === "sent" ? { delivered: true, error: "" } : { delivered: false, error: verdict.why };
  }

  #unknown(id: string): string {
    const ids = this.#options.config().notify.notifiers.map((one) => one.id);
    const near = nearest(id, ids);
    if (near !== undefined) return `no notifier "${id}": did you mean "${near}"?`;
    const known = ids.length === 0 ? "none is defined under [notifiers]" : `there are ${ids.join(", ")}`;
    return `no notifier "${id}": ${known}`;
  }

  /** The configuration has changed: receivers that were away may be others now. */
  lookAnew(): void {
    this.#cooldowns.clear();
    // All of it, lest what is new overtakes what was tried before.
    this.#hasten({ patience: 0 });
    this.#lookSoon();
  }

  /** How many deliveries ended how, over the daemon's life. */
  ends(): Array<{ notifier: string; outcome: DeliveryEnd; count: number }> {
    return [...this.#ended].flatMap(([notifier, ends]) =>
      [...ends].map(([outcome, count]) => ({ notifier, outcome, count }))
    );
  }

  get #letterhead(): { externalUrl: string; host: string } {
    const { externalUrl = "" } = this.#options.config().daemon;
    return { externalUrl: externalUrl.replace(/\/+$/, ""), host: this.#world.hostName };
  }

  /** Who was tried in vain by the last daemon is left alone for as long as by that one, so that nothing is overtaken. */
  #holdBack(): void {
    try {
      for (const { channel, dueAt } of this.#world.store.deliveries.postponed()) {
        this.#cooldowns.set(channel, dueAt);
      }
    } catch (error) {
      this.#world.log.error("cannot read the outbox", { error: messageOf(error) });
    }
  }

  /** The clock was set back: what it said of when to try again must not be waited for. */
  #adoptSetBack(): void {
    const patience = Math.max(this.#options.config().notify.retryBudget, longestDelay);
    this.#cooldowns.shorten(patience);
    this.#hasten({ patience });
  }

  #hasten({ patience }: { patience: number }): void {
    try {
      this.#world.store.deliveries.hasten(this.#world.clock.now(), { patience });
    } catch (error) {
      this.#world.log.error("cannot write the outbox", { error: messageOf(error) });
    }
  }

  #lookSoon(): void {
    if (this.#isGathering || !this.#isRunning) return;
    this.#isGathering = true;
    this.#world.clock.after(gathering, () => {
      this.#isGathering = false;
      this.#look();
    });
  }

  /** Serves who has something to receive, and comes back when somebody will. */
  #look(): void {
    if (!this.#isRunning) return;
    this.#cancelLook?.();
    const now = this.#world.clock.now();
    if (now < this.#lookedAt) this.#adoptSetBack();
    this.#lookedAt = now;
    let next = Infinity;
    try {
      const waiting = this.#world.store.deliveries.waiting();
      // However many pings hang: people are told first.
      for (const { channel, dueAt } of [...waiting.filter(isNotifier), ...waiting.filter(isPing)]) {
        if (this.#busy.has(channel)) continue;
        const at = Math.max(dueAt, this.#cooldowns.of(channel));
        if (at > now) next = Math.min(next, at);
        else if (this.#busy.size < mostAtOnce) this.#busy.set(channel, this.#serve(channel));
      }
    } catch (error) {
      this.#world.log.error("cannot read the outbox", { error: messageOf(error) });
      next = now + retryAfter;
    }
    if (next === Infinity) return;
    this.#cancelLook = this.#world.clock.after(Math.min(next - now, hour), () => this.#look());
  }

  async #serve(channel: string): Promise<void> {
    // Not within the loop that began it: that one must know first that this receiver is being served.
    await Promise.resolve();
    try {
      let goesOn = true;
      while (goesOn && this.#isRunning) {
        const now = this.#world.clock.now();
        const batch = nextBatch(this.#world.store.deliveries.due(channel, { now, limit: mostInDigest + 1 }));
        goesOn = batch.length > 0 && await this.#deliver(channel, batch);
      }
    } catch (error) {
      this.#world.log.error("cannot carry messages", { notifier: channel, error: messageOf(error) });
      this.#cooldowns.set(channel, this.#world.clock.now() + retryAfter);
    } finally {
      this.#busy.delete(channel);
      this.#look();
    }
  }

  /** Tries to deliver one message; false: the receiver is left alone for a while. */
  async #deliver(channel: string, batch: readonly Delivery[]): Promise<boolean> {
    const { store, clock, log } = this.#world;
    const outgoing = this.#outgoing(channel, batch);
    if (outgoing === undefined) {
      log.info("messages are dropped: their receiver is no longer configured", {
        notifier: channel,
        count: batch.length,
      });
      this.#end(channel, batch, "dropped");
      return true;
    }
    if (outgoing.do !== "sendmail" && this.#world.net === undefined) {
      this.#cooldowns.set(channel, clock.now() + unreachable);
      return false;
    }
    const now = clock.now();
    const tried = batch.map((one) => ({
      ...one,
      attempts: one.attempts + 1,
      firstTriedAt: one.firstTriedAt ?? now,
    }));
    store.transaction(() => tried.forEach((one) => store.deliveries.put(one)));
    for (const { id } of tried) this.#underWay.add(id);
    try {
      const verdict = await this.#send(outgoing);
      if (verdict.is === "sent") this.#end(channel, tried, "sent");
      else if (verdict.is === "refused") this.#giveUp(channel, tried, verdict.why);
      else return this.#postpone(channel, tried, verdict);
      return isPing({ channel }) || !this.#cooldowns.noteSent(channel);
    } finally {
      for (const { id } of tried) this.#underWay.delete(id);
    }
  }

  #postpone(
    channel: string,
    tried: ReadonlyArray<Delivery & { firstTriedAt: number }>,
    { why, after }: Extract<Verdict, { is: "again" }>,
  ): boolean {
    const { store, clock, log } = this.#world;
    const now = clock.now();
    const budget = this.#options.config().notify.retryBudget;
    const waiting: Delivery[] = [];
    const lost: Delivery[] = [];
    for (const one of tried) {
      const next = retryOf(one, { now, budget, after });
      if ("at" in next) waiting.push({ ...one, dueAt: next.at });
      else lost.push(one);
    }
    if (lost.length > 0) this.#giveUp(channel, lost, why);
    if (waiting.length === 0) return true;
    store.transaction(() => waiting.forEach((one) => store.deliveries.put(one)));
    this.#cooldowns.set(channel, Math.max(...waiting.map(({ dueAt }) => dueAt)));
    log.warn("a message did not arrive, it is tried again", {
      notifier: channel,
      attempt: waiting[0]!.attempts,
      error: why,
    });
    return false;
  }

  #giveUp(channel: string, lost: readonly Delivery[], why: string): void {
    this.#end(channel, lost, "given_up");
    this.#world.log.error("messages are given up", { notifier: channel, count: lost.length, error: why });
    const contents = lost.map(({ content }) => content);
    // Who hears that such a notice was lost, and can't be told either, will not be told again.
    if (contents.every((one) => one.about === "notice" && one.happening.kind === "notify.delivery_failed")) {
      return;
    }
    const at = this.#world.clock.now();
    const happening = happeningOfGivenUp({ channel, contents, why, at });
    this.#options.happenings.publish({ type: "happening", happening, except: channel });
  }

  #end(channel: string, deliveries: readonly Delivery[], end: DeliveryEnd): void {
    const { store, clock } = this.#world;
    const ids = deliveries.map(({ id }) => id);
    store.transaction(() => store.deliveries.end(ids, { end, at: clock.now() }));
    const ends = this.#ended.get(channel) ?? new Map<DeliveryEnd, number>();
    this.#ended.set(channel, ends.set(end, (ends.get(end) ?? 0) + ids.length));
  }

  /** What leaves the machine; undefined where the receiver is gone. */
  #outgoing(channel: string, batch: readonly Delivery[]): Outgoing | undefined {
    const { notify, units } = this.#options.config();
    const [{ content }] = batch as [Delivery];
    if (content.about === "ping") {
      const unit = units.find(({ name }) => name === content.unit);
      const url = unit?.kind === "task" ? unit.pingUrl : undefined;
      return url === undefined ? undefined : pingOf(url, content);
    }
    const notifier = notify.notifiers.find(({ id }) => id === channel);
    if (notifier === undefined) return undefined;
    return outgoingOf(notifier, letterOf(batch, { ...this.#letterhead, now: this.#world.clock.now() }));
  }

  async #send(outgoing: Outgoing): Promise<Verdict> {
    if (outgoing.do === "sendmail") return await this.#world.sendmail(outgoing, { timeout: sendTimeout });
    const { net } = this.#world;
    if (net !== undefined) return await net.deliver(outgoing, { timeout: sendTimeout });
    return {
      is: "again",
      why: "the daemon was started without a use for the network: restart it",
    };
  }

  #hourly(): void {
    try {
      const { coalesceWindow } = this.#options.config().notify;
      this.#world.store.deliveries.prune(this.#options.ageNow() - Math.max(day, coalesceWindow));
    } catch (error) {
      this.#world.log.error("cannot clear up the outbox", { error: messageOf(error) });
    }
    this.#cancelPrune = this.#world.clock.after(hour, () => this.#hourly());
  }
}

function isPing({ channel }: { channel: string }): boolean {
  return channel.startsWith(pingPrefix);
}

function isNotifier(one: { channel: string }): boolean {
  return !isPing(one);
}

/** How long a receiver may take, ms. */
const sendTimeout = 15_000;
