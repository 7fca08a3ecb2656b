import { z } from "zod";
import type { NotifierType } from "../../types.ts";
import { readAnyKeys } from "../any_keys.ts";
import { faultOfTemplate } from "../notify/template.ts";
import { glob, path, webAddress } from "./formats.ts";
import { type Draft, type Section, section, type Shape } from "./section.ts";
import { choice, duration, flag, list, text, type Value, value, whole, words } from "./values.ts";

/** The notifier that is always there: the bell of page and terminal. */
export const BUILT_IN_NOTIFIER = "inapp";

/** What a notification may be about (docs/notifications.md#what-is-told). */
export const noticeKinds = [
  "run.failed",
  "run.timeout",
  "run.crashed",
  "run.missed",
  "run.succeeded",
  "run.recovered",
  "run.overdue",
  "run.slow",
  "service.fatal",
  "service.unhealthy",
  "service.failing",
  "service.blocked",
  "log.disk_pressure",
  "notify.delivery_failed",
  "config.stale",
] as const;

const notify = {
  global_notifiers: list(words()).describe("Notifiers that hear about everything."),
  coalesce_window: duration().describe(
    "Notices of one kind, unit and reason within it become one; 0 means none.",
  ),
  keep: whole({ min: 1 }).describe("How many notifications are kept."),
  keep_for: duration().describe("How long notifications are kept; 0 means for ever."),
  retry_budget: duration().describe("How long a failed delivery is tried again; 0 means not at all."),
} satisfies Shape;

/** `[notify]`. */
export const notifySection = section(notify, {
  defaults: {
    global_notifiers: [BUILT_IN_NOTIFIER],
    coalesce_window: "1h",
    keep: 1024,
    keep_for: "90d",
    retry_budget: "5m",
  },
});

const match = z.strictObject({
  kinds: list(choice(...noticeKinds)).describe("Kinds of notices; default: all.").optional(),
  severity: choice("info", "warn", "error").describe("Only notices of this severity.").optional(),
  task: glob().describe("A glob over names of units.").optional(),
  failure: flag().describe("Only what counts as a failure, or only what doesn't.").optional(),
});

const route = {
  match: (match as Value<z.output<typeof match>>).describe("Which notices take this route; default: all."),
  notify: list(words()).describe("Notifiers that hear about them."),
} satisfies Shape;

/** `[[route]]`. */
export const routeSection = section(route, { required: ["notify"] });

const secret = (): Value<string> => words({ secret: true });

/** One address or a list of them; read as a list. */
const addresses = value<string[]>({ type: ["string", "array"], items: { type: "string" } }, (raw) => {
  const items: unknown[] = Array.isArray(raw) ? raw : [raw];
  const found = items.filter((item) => typeof item === "string" && /^[^\s@]+@[^\s@]+$/.test(item));
  if (items.length > 0 && found.length === items.length) return { value: found.map(String) };
  return { fault: 'expected a mail address such as "ops@example.com", or a list of them' };
});

const mailbox = value<string>({ type: "string", examples: ["svc <svc@example.com>"] }, (raw) => {
  if (typeof raw === "string" && /^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/.test(raw)) return { value: raw };
  return { fault: 'expected a mail address such as "svc@example.com"' };
});

/** The value of a request header: no line of its own, no character beyond what HTTP knows. */
const header = text({
  secret: true,
  check: (raw) =>
    /^[\t\x20-\x7e\xa0-\xff]*$/.test(raw)
      ? undefined
      : "holds a line break or a character that no request header may hold",
});

/** Names of request headers (RFC 9110) and their values. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headers: Value<Record<string, string>> = z.unknown().transform(
  readAnyKeys(
    header,
    (key) =>
      headerName.test(key)
        ? undefined
        : 'the name of a request header is of letters, digits and dashes, as in "X-Team"',
  ),
).meta({
  type: "object",
  propertyNames: { type: "string", pattern: headerName.source },
  additionalProperties: { type: "string" },
});

const template = text({
  check: (raw) =>
    raw.trim() === "" ? "is empty: give it a value, or leave the key out" : faultOfTemplate(raw),
}).describe("The text of a message, with {{placeholders}}; default: a sentence that fits the kind.");

const chat = value<string>({ type: ["string", "integer"] }, (raw) => {
  if (typeof raw === "number" && Number.isSafeInteger(raw)) return { value: String(raw) };
  if (typeof raw === "string" && /^(-?\d+|@\w+)$/.test(raw)) return { value: raw };
  return { fault: 'expected the number of a chat or "@channel"' };
});

const url = (): Value<string> => webAddress().describe("Where messages are sent.");

/** `[notifiers.ID]` by type. */
export const notifierSections: Readonly<Record<NotifierType, NotifierSection>> = {
  webhook: notifier("webhook", {
    required: ["url"],
    shape: {
      url: url(),
      headers: headers.describe("Further request headers."),
      secret: secret().describe("Key of an HMAC-SHA256 signature over the body."),
    },
  }),
  slack: notifier("slack", { required: ["url"], shape: { url: url() } }),
  discord: notifier("discord", { required: ["url"], shape: { url: url() } }),
  telegram: notifier("telegram", {
    required: ["token", "chat_id"],
    shape: {
      token: secret().describe("The token of the bot."),
      chat_id: chat.describe("The chat that is written to."),
    },
  }),
  ntfy: notifier("ntfy", {
    required: ["url", "topic"],
    shape: {
      url: url(),
      topic: words().describe("The topic."),
      token: secret().describe("An access token."),
    },
  }),
  gotify: notifier("gotify", {
    required: ["url", "token"],
    shape: { url: url(), token: secret().describe("The application's token.") },
  }),
  pushover: notifier("pushover", {
    required: ["token", "user"],
    shape: {
      token: secret().describe("The application's token."),
      user: secret().describe("The key of the user or group."),
    },
  }),
  smtp: notifier("smtp", {
    required: ["host", "from", "to"],
    shape: {
      host: words().describe("The mail server."),
      port: whole({ min: 1, max: 65535 }).describe("Its port."),
      username: words().describe("The account."),
      password: secret().describe("Its password."),
      from: mailbox.describe("The sender."),
      to: addresses.describe("The receivers."),
      tls: choice("starttls", "tls", "off").describe("How the connection is protected."),
    },
    defaults: { port: 587, tls: "starttls" },
  }),
  sendmail: notifier("sendmail", {
    required: ["to"],
    shape: {
      path: path().describe("The sendmail program."),
      from: mailbox.describe("The sender."),
      to: addresses.describe("The receivers."),
    },
    defaults: { path: "/usr/sbin/sendmail" },
  }),
};

export type NotifyDraft = Draft<typeof notify>;
export type RouteDraft = Draft<typeof route>;

type NotifierSection = Section<Shape, string>;

function notifier(
  type: NotifierType,
  { required, shape, defaults = {} }: {
    required: string[];
    shape: Shape;
    defaults?: Record<string, unknown>;
  },
): NotifierSection {
  const all: Shape = { type: choice(type).describe("The kind of notifier."), template, ...shape };
  return section(all, { required: ["type", ...required], defaults });
}
