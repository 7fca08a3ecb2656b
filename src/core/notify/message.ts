import { withoutEscapes } from "../log/plain.ts";
import { utcTime } from "../time_words.ts";

/** What a receiver is told. */
export interface Message {
  kind: string;
  severity: "info" | "warn" | "error";
  title: string;
  body: string;
  /** Empty where it is about no unit; so is `runId` where no run can be named. */
  unit: string;
  runId: string;
  /** Address of the page; empty where `external_url` isn't set. */
  link: string;
  host: string;
  /** Unix ms. */
  at: number;
  /** How many occurrences it stands for. */
  count: number;
  isFailure: boolean;
  reason: string;
}

/** The message with nothing in it that steers a terminal, a header or the direction of text; only the body has lines. */
export function cleaned(message: Message): Message {
  const { kind, title, body, unit, runId, link, host, reason } = message;
  return {
    ...message,
    kind: oneLine(kind),
    title: oneLine(title),
    body: lines(body),
    unit: oneLine(unit),
    runId: oneLine(runId),
    link: oneLine(link),
    host: oneLine(host),
    reason: oneLine(reason),
  };
}

/** Where and when, and how often where it was more than once: `box1, 2026-11-28T08:30:00Z`. */
export function detailsOf({ host, at, count }: Message): string {
  const when = count > 1 ? `${count} times, last at ${utcTime(at)}` : utcTime(at);
  return host === "" ? when : `${host}, ${when}`;
}

/** All that there is to say below the title, as plain text. */
export function plainText(message: Message): string {
  return [message.body, message.link, detailsOf(message)].filter((part) => part !== "").join("\n");
}

/** Turns the direction of text around, so that what is read is not what was written. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

function oneLine(text: string): string {
  return plain(text).trim();
}

function lines(text: string): string {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => plain(line).trimEnd()).join("\n").trim();
}

function plain(text: string): string {
  return withoutEscapes(text).toWellFormed().replace(turns, "").replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
