import type { Notifier } from "../../types.ts";
import { utcTime } from "../time_words.ts";
import { cleaned, type Message } from "./message.ts";
import type { Outgoing, Post } from "./outgoing.ts";
import { discordPost, slackPost, telegramPost } from "./requests_chat.ts";
import { sendmailOf, smtpMail } from "./requests_mail.ts";
import { gotifyPost, ntfyPost, pushoverPost } from "./requests_push.ts";
import { fill, fillJson } from "./template.ts";

export type { Mail, Outgoing, Post, Sendmail } from "./outgoing.ts";

/** What is sent to a notifier to tell it a message. */
export function outgoingOf(notifier: Notifier, message: Message): Outgoing {
  return senders[notifier.type](notifier, cleaned(message));
}

const senders: Record<Notifier["type"], (notifier: Notifier, message: Message) => Outgoing> = {
  webhook: webhookPost,
  slack: slackPost,
  discord: discordPost,
  telegram: telegramPost,
  ntfy: ntfyPost,
  gotify: gotifyPost,
  pushover: pushoverPost,
  smtp: smtpMail,
  sendmail: sendmailOf,
};

/** The form of a webhook's body; it goes up when a key changes its meaning or goes away. */
const schemaVersion = 1;

function webhookPost({ template, settings }: Notifier, message: Message): Post {
  const { body, type } = webhookBody(template, message);
  const headers: Record<string, string> = { "content-type": type };
  for (const [name, value] of Object.entries((settings["headers"] ?? {}) as Record<string, string>)) {
    headers[name.toLowerCase()] = value;
  }
  const secret = settings["secret"];
  return {
    do: "post",
    url: String(settings["url"]),
    headers,
    body,
    ...(secret === undefined ? {} : { secret: String(secret) }),
  };
}

function webhookBody(template: string | undefined, message: Message): { body: string; type: string } {
  if (template === undefined) return { body: JSON.stringify(webhookJson(message)), type: "application/json" };
  const json = fillJson(template, message);
  return json === undefined
    ? { body: fill(template, message), type: "text/plain; charset=utf-8" }
    : { body: json, type: "application/json" };
}

function webhookJson(message: Message): Record<string, unknown> {
  const { kind, severity, title, body, unit, runId, link, host, at, count, isFailure, reason } = message;
  return {
    schema_version: schemaVersion,
    kind,
    severity,
    title,
    body,
    unit,
    run_id: runId,
    link,
    host,
    at: utcTime(at),
    count,
    is_failure: isFailure,
    reason,
  };
}
