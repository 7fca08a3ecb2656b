import type { Happening, Severity } from "../notices.ts";
import { durationWords } from "../time_words.ts";
import type { Message } from "./message.ts";
import type { Delivery } from "./outbox.ts";

/** How many of many notices a message names. */
const named = 20;

const rank: Record<Severity, number> = { info: 0, warn: 1, error: 2 };

/** What a message says beside what happened. */
export interface Letterhead {
  /** Where people reach the page, without a slash at its end; empty: unknown. */
  externalUrl: string;
  /** The name of this machine. */
  host: string;
}

/** The message of deliveries of notices that go together. `now`: Unix ms. */
export function letterOf(deliveries: readonly Delivery[], head: Letterhead & { now: number }): Message {
  const notices = deliveries.flatMap(({ content, ...rest }) =>
    content.about === "notice" ? [{ ...rest, happening: content.happening }] : []
  );
  const [first] = notices;
  if (first === undefined) throw new RangeError("there is no notice to tell of");
  if (notices.length > 1) return digestOf(notices, head);
  const { happening, count, isSummary, windowAt } = first;
  const many = isSummary
    ? `: ${count} times within ${durationWords(Math.max(0, happening.at - windowAt))}`
    : "";
  return { ...partsOf(happening, head), title: `${happening.title}${many}`, count };
}

/** The message that shows that a notifier works. `now`: Unix ms. */
export function trialLetter(id: string, { externalUrl, host, now }: Letterhead & { now: number }): Message {
  return {
    kind: "notify.test",
    severity: "info",
    title: `svc on ${host}: a test`,
    body: `Notifier "${id}" works: this is what a message looks like.`,
    unit: "",
    runId: "",
    link: externalUrl,
    host,
    at: now,
    count: 1,
    isFailure: false,
    reason: "",
  };
}

function digestOf(
  notices: ReadonlyArray<{ happening: Happening; count: number; isSummary: boolean }>,
  { externalUrl, host, now }: Letterhead & { now: number },
): Message {
  // A summary counts what its first message has told already.
  const total = notices.reduce((sum, { count, isSummary }) => sum + (isSummary ? count - 1 : count), 0);
  const all = notices.map(({ happening }) => happening);
  const kinds = new Set(all.map(({ kind }) => kind));
  const worst = all.reduce((a, b) => rank[b.severity] > rank[a.severity] ? b : a);
  const lines = notices.slice(0, named).map(({ happening, count }) =>
    `- ${happening.title}${count > 1 ? ` (${count} times)` : ""}`
  );
  const rest = notices.length - named;
  return {
    kind: kinds.size === 1 ? worst.kind : "digest",
    severity: worst.severity,
    title: `${total} notices from ${host}`,
    body: [...lines, ...rest > 0 ? [`and ${rest} more`] : []].join("\n"),
    unit: "",
    runId: "",
    link: externalUrl,
    host,
    at: now,
    count: total,
    isFailure: all.some(({ isFailure }) => isFailure),
    reason: "",
  };
}

function partsOf(
  { kind, severity, title, body, unit, runId, at, isFailure, reason }: Happening,
  { externalUrl, host }: Letterhead,
): Omit<Message, "count"> {
  const page = runId !== "" ? `/runs/${runId}` : unit !== "" ? `/units/${encodeURIComponent(unit)}` : "";
  const link = externalUrl === "" ? "" : externalUrl + page;
  return { kind, severity, title, body, unit, runId, link, host, at, isFailure, reason };
}
