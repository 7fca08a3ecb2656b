import type { Notifier } from "../../types.ts";
import { utcTime } from "../time_words.ts";
import { cut, fit } from "./fit.ts";
import { detailsOf, type Message } from "./message.ts";
import type { Post } from "./outgoing.ts";
import { fill } from "./template.ts";

/** A POST of JSON. */
export function jsonPost(url: string, value: Record<string, unknown>): Post {
  return { do: "post", url, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

/** Limits of Slack: of a header, and of any other text in a block. */
const slackTitle = 150;
const slackText = 3000;

/** A message to an incoming webhook of Slack. All texts are plain ones, in which nothing is formatted and nobody is called. */
export function slackPost({ template, settings }: Notifier, message: Message): Post {
  const { title, body, link } = message;
  const text = (raw: string): string => raw.replace(/[&<>]/g, (char) => entities[char]!);
  const plain = (raw: string, limit: number): Record<string, unknown> => ({
    type: "plain_text",
    text: fit(raw, { limit, render: text }),
    emoji: false,
  });
  const url = text(link).replaceAll("|", "%7C");
  const blocks = template === undefined
    ? [
      { type: "header", text: plain(title, slackTitle) },
      ...(body === "" ? [] : [{ type: "section", text: plain(body, slackText) }]),
      {
        type: "context",
        elements: [
          ...(link === "" || url.length > slackText - 16
            ? []
            : [{ type: "mrkdwn", text: `<${url}|Open in svc>`, verbatim: true }]),
          plain(detailsOf(message), slackText),
        ],
      },
    ]
    : [{ type: "section", text: plain(saidBy(template, message), slackText) }];
  return jsonPost(String(settings["url"]), {
    // What a phone shows before it shows the blocks.
    text: fit(template === undefined ? title : saidBy(template, message), { limit: slackText, render: text }),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks,
  });
}

/** Limits of Discord: of a message, and of the parts of an embed. */
const discordText = 2000;
const discordTitle = 256;
const discordBody = 4096;
const discordFooter = 2048;

const discordColors = { error: 0xd9_3f_3f, warn: 0xd9_9a_2b, info: 0x3f_9a_5b };

/** A message to a webhook of Discord: an embed, or text where there is a template, whose own markup counts. It calls nobody. */
export function discordPost({ template, settings }: Notifier, message: Message): Post {
  const { title, body, link, severity, at, count } = message;
  const escape = markdownEscaped;
  const said = template === undefined
    ? {
      embeds: [{
        title: fit(title, { limit: discordTitle, render: escape }),
        ...(body === "" ? {} : { description: fit(body, { limit: discordBody, render: escape }) }),
        ...(link === "" ? {} : { url: link }),
        color: discordColors[severity],
        timestamp: utcTime(at),
        footer: { text: cut(count > 1 ? `${message.host}, ${count} times` : message.host, discordFooter) },
      }],
    }
    : {
      content: fit(message.body, {
        limit: discordText,
        render: (body) => saidBy(template, { ...message, body }, { escape }),
      }),
    };
  return jsonPost(String(settings["url"]), { ...said, allowed_mentions: { parse: [] } });
}

/** Signs of Markdown, and those that only at the beginning of a line are; each means itself behind a backslash. */
function markdownEscaped(raw: string): string {
  return raw
    .replace(/[\\*_~`|[\]<@]/g, "\\$&")
    .replace(/^([ \t]*)([-#>+])/gm, "$1\\$2")
    .replace(/^([ \t]*\d+)([.)])/gm, "$1\\$2");
}

/** Limits of Telegram, which counts less than we do: entities and tags are free. */
const telegramText = 4096;
const telegramTitle = 250;
const telegramLink = 1000;

/**
 * A message of a Telegram bot. Output stands in a block of code, where "@name" calls nobody. A template may hold the
 * tags that Telegram knows.
 */
export function telegramPost({ template, settings }: Notifier, message: Message): Post {
  const token = String(settings["token"]).replace(/[/?#%\\\s]/g, encodeURIComponent);
  return jsonPost(`https://api.telegram.org/bot${token}/sendMessage`, {
    chat_id: settings["chat_id"],
    ...(template === undefined ? telegramDefault(message) : telegramFilled(template, message)),
    link_preview_options: { is_disabled: true },
  });
}

interface TelegramText {
  text: string;
  parse_mode?: "HTML";
}

function telegramDefault(message: Message): TelegramText {
  const title = `<b>${calm(cut(message.title, telegramTitle))}</b>`;
  const { link } = message;
  const open = link === "" || link.length > telegramLink ? "" : `<a href="${html(link)}">Open in svc</a>, `;
  const end = `${open}${calm(cut(detailsOf(message), telegramTitle))}`;
  const render = (body: string): string =>
    [title, ...(body === "" ? [] : [`<pre>${html(body)}</pre>`]), end].join("\n");
  return { text: fit(message.body, { limit: telegramText, render }), parse_mode: "HTML" };
}

function telegramFilled(template: string, message: Message): TelegramText {
  const render = (body: string): string => saidBy(template, { ...message, body }, { escape: calm });
  // Where the template alone is too long, a cut could go through a tag, which Telegram would refuse.
  if (render("").length > telegramText) return { text: cut(saidBy(template, message), telegramText) };
  return { text: fit(message.body, { limit: telegramText, render }), parse_mode: "HTML" };
}

/** What a template makes of a message; the title where that is nothing, which no service takes. */
export function saidBy(
  template: string,
  message: Message,
  { escape = (value) => value }: { escape?: (value: string) => string } = {},
): string {
  const text = fill(template, message, { escape });
  return text.trim() === "" ? escape(message.title) : text;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function html(raw: string): string {
  return raw.replace(/[&<>"]/g, (char) => entities[char]!);
}

/** The same where names would be found and called: an invisible sign stands between "@" and a name. */
function calm(raw: string): string {
  return html(raw).replace(/@(?=\w)/g, "@\u2060");
}
