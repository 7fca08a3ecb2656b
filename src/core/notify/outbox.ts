import type { Happening } from "../notices.ts";

/** What a delivery is about: something that happened, or a call to a dead man's switch. */
export type Content =
  | { about: "notice"; happening: Happening }
  | { about: "ping"; what: "start" | "success" | "failure"; unit: string; runId: string; body: string };

/** A message on its way to one receiver. Times are Unix ms. */
export interface Delivery {
  /** Sortable. */
  id: string;
  /** Who receives it: the id of a notifier, or "ping " and the name of a task. */
  channel: string;
  /** The same for all that may become one message. */
  fingerprint: string;
  content: Content;
  /** When the first happening of its window took place. */
  windowAt: number;
  /** How many happenings the window has seen, those of an earlier message included. */
  count: number;
  /** It tells at the end of the window what came after the first message. */
  isSummary: boolean;
  dueAt: number;
  /** Absent: it has not been tried yet. */
  firstTriedAt?: number;
  attempts: number;
}

/** What becomes of a delivery in the end. */
export type DeliveryEnd = "sent" | "given_up" | "dropped";

/** More deliveries than this that are due for one receiver go as one message. */
export const mostSingles = 5;
/** Nobody is sent more messages than `mostSingles` in this time, ms: what comes meanwhile goes as one. */
export const singlesWithin = 10_000;
/** How many deliveries become one message at most. */
export const mostInDigest = 500;

const firstDelay = 1000;
/** The longest wait before another try, where the receiver does not ask for more, ms. */
export const longestDelay = 60_000;

/**
 * The delivery that tells a receiver of a happening: the first of a window at once, all others in one summary when it
 * closes (docs/notifications.md#what-counts-as-delivered). `former`: the newest delivery of the same receiver and fingerprint, with whether it still waits.
 * `window` in ms; 0: none.
 */
export function deliveryOf(
  happening: Happening,
  { channel, fingerprint, former, window, id }: {
    channel: string;
    fingerprint: string;
    former: { delivery: Delivery; isWaiting: boolean } | undefined;
    window: number;
    id: () => string;
  },
): Delivery {
  const { at } = happening;
  const content: Content = { about: "notice", happening };
  const begun = former?.delivery;
  // Before its beginning lies what comes after the clock was set back.
  const isOpen = begun !== undefined && at >= begun.windowAt && at - begun.windowAt < window;
  if (!isOpen) {
    const fresh = { channel, fingerprint, content, windowAt: at, count: 1, isSummary: false, dueAt: at };
    return { id: id(), ...fresh, attempts: 0 };
  }
  const count = begun.count + 1;
  if (begun.isSummary && former?.isWaiting) return { ...begun, content, count };
  const { windowAt } = begun;
  const dueAt = windowAt + Math.ceil(window); // moments are whole ms
  return { id: id(), channel, fingerprint, content, windowAt, count, isSummary: true, dueAt, attempts: 0 };
}

/**
 * Which of a receiver's due deliveries (oldest first) go next, as one message: few go one by one, many together, so
 * that a storm is one message that says how many. Pings are never put together.
 */
export function nextBatch(due: readonly Delivery[]): Delivery[] {
  const [first] = due;
  if (first === undefined) return [];
  const notices = due.filter(({ content }) => content.about === "notice");
  if (first.content.about === "ping" || notices.length <= mostSingles) return [first];
  return notices.slice(0, mostInDigest);
}

/** When a delivery that failed is tried again, or why it isn't. `after`: what the receiver asked for, ms. */
export function retryOf(
  { attempts, firstTriedAt }: { attempts: number; firstTriedAt: number },
  { now, budget, after = 0 }: { now: number; budget: number; after?: number | undefined },
): { at: number } | { giveUp: "asked_too_long" | "budget_spent" } {
  const delay = Math.max(after, Math.min(longestDelay, firstDelay * 2 ** Math.min(attempts - 1, 10)));
  // A clock that was set back must not lengthen the budget.
  const spent = Math.max(0, now - firstTriedAt);
  if (spent >= budget) return { giveUp: "budget_spent" };
  if (after > budget) return { giveUp: "asked_too_long" };
  return { at: now + delay };
}

/**
 * How long a receiver is left in peace, ms, so that a storm does not become as many messages. `sent`: when it was sent
 * the last ones, oldest first; times of a clock that is never set.
 */
export function cooldownAfter(sent: readonly number[], { now }: { now: number }): number {
  const oldest = sent.at(-mostSingles);
  return oldest === undefined ? 0 : Math.max(0, oldest + singlesWithin - now);
}
