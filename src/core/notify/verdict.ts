import { readable } from "../log/plain.ts";

/** How a delivery ended. `again`: it may yet succeed; `refused`: no use in trying again. */
export type Verdict =
  | { is: "sent" }
  | { is: "again"; why: string; /** What the receiver asks to wait for, ms. */ after?: number }
  | { is: "refused"; why: string };

/** What a receiver answered over HTTP: the headers by their names, empty ones left out, and the beginning of the body. */
export interface Answer {
  status: number;
  retryAfter?: string;
  /** The target of a redirect. */
  location?: string;
  body: string;
}

/** What an answer to a request means; `now` in Unix ms. */
export function verdictOf({ status, retryAfter, location, body }: Answer, now: number): Verdict {
  if (status >= 200 && status < 300) return { is: "sent" };
  if (status >= 300 && status < 400) return { is: "refused", why: redirectWords(status, location) };
  const said = wordsOf(body);
  const why = said === "" ? `status ${status}` : `status ${status}: ${said}`;
  if (!passing.has(status) && status < 500) return { is: "refused", why };
  const after = waitOf(retryAfter, now) ?? waitInBody(body);
  return { is: "again", why, ...(after === undefined ? {} : { after }) };
}

/** Below 500, what asks to come again: a timeout, too early, too much. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** How a mail server ended a conversation: its code, or 0 where it was none of its words that did. */
export function verdictOfMail({ code, said }: { code: number; said: string }): Verdict {
  if (code === 0) return { is: "again", why: reasonWords(said) };
  return { is: code >= 500 ? "refused" : "again", why: readable(said) };
}

/** How the sendmail program ended; `said` is what it wrote to stderr. Codes are those of sysexits.h. */
export function verdictOfExit({ code, said }: { code: number; said: string }): Verdict {
  if (code === 0) return { is: "sent" };
  const words = readable(said);
  const why = `exit code ${code}${words === "" ? "" : `: ${words}`}`;
  return { is: hopeless.has(code) ? "refused" : "again", why };
}

/** Usage, data, no user, no host, no permission, configuration; a program that is missing or can't be started. */
const hopeless: ReadonlySet<number> = new Set([64, 65, 67, 68, 77, 78, 126, 127]);

/** Why nothing was reached, in plain words where the library's own are none. */
export function reasonWords(text: string): string {
  const plain = reasons.find(([pattern]) => pattern.test(text))?.[1];
  return plain ?? readable(text);
}

const reasons: readonly [RegExp, string][] = [
  [/NotValidForName|altnames|Hostname\/IP/i, "its certificate is for another name"],
  [/NotValidYet|not yet valid/i, "its certificate is not valid yet"],
  [/certificate.*expired|Expired/, "its certificate has expired"],
  [
    /UnknownIssuer|self.signed|unable to (?:verify|get)|CaUsedAsEndEntity/i,
    "its certificate is of no authority that this machine trusts",
  ],
  [/ENOTFOUND|EAI_|dns error|failed to lookup|Name or service/i, "its name can't be resolved"],
  [/refused/i, "the connection was refused"],
  [
    /reset|EPIPE|broken pipe|closed before|closed unexpectedly|disconnected before|unexpected eof|incomplete/i,
    "the connection was cut",
  ],
  [/InvalidContentType|wrong version number/i, "it does not speak TLS there"],
  [/unreachable/i, "the network leads to no such machine"],
];

/** Only the place of a target: its path and query may be as secret as those of the address itself. */
function redirectWords(status: number, location: string | undefined): string {
  const target = location === undefined ? undefined : URL.parse(location);
  const where = target === null || target === undefined ? "" : ` to ${target.protocol}//${target.host}`;
  return `status ${status}: redirected${where}, which is not followed; give the address that it leads to`;
}

/** Seconds, or a date (RFC 9110); undefined where it is neither. */
function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return bounded(Number(retryAfter) * 1000);
  // A number that is out of place here would be read as a year.
  const at = /[A-Za-z]{3}/.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

/** Nobody is waited for longer than a day, ms. */
const longestWait = 86_400_000;

function bounded(wait: number): number {
  return Math.min(longestWait, Math.max(0, Math.ceil(wait)));
}

/** Telegram and Discord say in the body how long to wait, in seconds. */
function waitInBody(body: string): number | undefined {
  const json = jsonOf(body);
  const wait = json?.["retry_after"] ??
    (json?.["parameters"] as Record<string, unknown> | null)?.["retry_after"];
  return typeof wait === "number" ? bounded(wait * 1000) : undefined;
}

/** What an answer says for people: the field of a JSON that holds it, or a short text; a page of HTML says nothing. */
function wordsOf(body: string): string {
  const json = jsonOf(body);
  if (json !== undefined) {
    const { errors } = json;
    const fields = [json["errorDescription"], json["description"], json["message"], json["error"]];
    const found = [Array.isArray(errors) ? errors[0] : undefined, ...fields]
      .find((field) => typeof field === "string");
    return readable(typeof found === "string" ? found : "");
  }
  return body.trimStart().startsWith("<") ? "" : readable(body.slice(0, 2000));
}

function jsonOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}
