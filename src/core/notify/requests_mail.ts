import type { Notifier } from "../../types.ts";
import { cut } from "./fit.ts";
import { type Message, plainText } from "./message.ts";
import type { Mail, Sendmail } from "./outgoing.ts";
import { saidBy } from "./requests_chat.ts";

/** A mail for a mail server. */
export function smtpMail({ template, settings }: Notifier, message: Message): Mail {
  const { username, password } = settings;
  return {
    do: "mail",
    host: String(settings["host"]),
    port: Number(settings["port"]),
    tls: settings["tls"] as Mail["tls"],
    ...(username === undefined ? {} : { username: String(username) }),
    ...(password === undefined ? {} : { password: String(password) }),
    from: String(settings["from"]),
    to: settings["to"] as string[],
    subject: subjectOf(message),
    text: textOf(template, message),
    // A short name is no greeting that servers accept.
    ...(/^[\w-]+(\.[\w-]+)+$/.test(message.host) ? { name: message.host } : {}),
  };
}

/** A mail for the sendmail program. */
export function sendmailOf({ template, settings }: Notifier, message: Message): Sendmail {
  const from = settings["from"] === undefined ? undefined : String(settings["from"]);
  const to = settings["to"] as string[];
  const text = textOf(template, message);
  const { encoding, lines } = encoded(text);
  const headers = [
    ...(from === undefined ? [] : [`From: ${mailboxHeader(from)}`]),
    `To: ${to.join(",\n ")}`,
    `Subject: ${headerText(subjectOf(message))}`,
    `Date: ${new Date(message.at).toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Transfer-Encoding: ${encoding}`,
    // No absence note and no mailing list may answer it (RFC 3834).
    "Auto-Submitted: auto-generated",
  ];
  return {
    do: "sendmail",
    path: String(settings["path"]),
    ...(from === undefined ? {} : { from }),
    to,
    text: [...headers, "", ...lines, ""].join("\n"),
  };
}

const longestSubject = 200;
/** The most bytes that a line of a mail may have. */
const longestLine = 998;

function subjectOf({ host, title }: Message): string {
  return cut(host === "" ? title : `${host}: ${title}`, longestSubject);
}

function textOf(template: string | undefined, message: Message): string {
  return template === undefined ? plainText(message) : saidBy(template, message);
}

/** As it is where a mail may hold it, so that people can read it in the spool, too; else in base64. */
function encoded(text: string): { encoding: string; lines: string[] } {
  const lines = text.split(/\r\n|\n|\r/);
  const encoder = new TextEncoder();
  if (lines.every((line) => encoder.encode(line).length <= longestLine)) return { encoding: "8bit", lines };
  const base64 = encoder.encode(lines.join("\r\n")).toBase64();
  return { encoding: "base64", lines: base64.match(/.{1,76}/g) ?? [] };
}

/** The text of a header; where it has other than ASCII, as words after RFC 2047, each short enough for a line. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("=?")) return text;
  const words: string[] = [];
  let word = "";
  for (const char of text) {
    if (new TextEncoder().encode(word + char).length > 39) {
      words.push(word);
      word = "";
    }
    word += char;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${new TextEncoder().encode(part).toBase64()}?=`).join(
    "\n ",
  );
}

/** "Name <address>" or an address, with the name as a header may have it. */
function mailboxHeader(mailbox: string): string {
  const [, name = "", address = mailbox] = /^\s*(.*?)\s*<([^<>]*)>$/.exec(mailbox) ?? [];
  if (name === "") return address;
  if (!/^[\x20-\x7e]*$/.test(name)) return `${headerText(name.replace(/^"(.*)"$/, "$1"))} <${address}>`;
  return /^".*"$/.test(name) || /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name)
    ? `${name} <${address}>`
    : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;
}
