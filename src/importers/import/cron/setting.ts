/** A line of a crontab that sets a variable, or what keeps one that is meant so from it. */
export type SettingLine = { name: string; value: string; isQuoted: boolean } | { fault: string };

/**
 * Reads a line as cron reads its settings: blanks may stand round the sign, name and value may be quoted, nothing
 * is expanded, and a remark behind belongs to the value. Undefined for a line that is nothing of that kind.
 */
export function readSetting(line: string): SettingLine | undefined {
  const text = line.replace(/^[ \t]+/, "");
  const head = /^(?:"([^"]*)"|'([^']*)'|([^\s="'@*\d~#-][^\s=]*))[ \t]*=[ \t]*/.exec(text);
  if (head === null) {
    if (/^export[ \t]+[A-Za-z_]\w*=/.test(text)) {
      return { fault: 'a crontab knows no "export": write NAME=value alone' };
    }
    return undefined;
  }
  const name = head[1] ?? head[2] ?? head[3] ?? "";
  if (name === "") return undefined;
  const rest = text.slice(head[0].length).trimEnd();
  if (rest === "") return { fault: `an empty value needs quotes: write ${name}=""` };
  const quote = rest[0];
  if (quote !== '"' && quote !== "'") return { name, value: rest, isQuoted: false };
  const end = rest.indexOf(quote, 1);
  if (end < 0) return { fault: `the quote in the value of ${name} is never closed` };
  if (end < rest.length - 1) {
    return { fault: `something stands behind the closing quote in the value of ${name}` };
  }
  return { name, value: rest.slice(1, end), isQuoted: true };
}

/** Why a setting of cron itself is no part of what is imported; undefined for a variable of the jobs. */
export function settingOfCron(name: string, value: string): string | undefined {
  const reason = reasons.get(name);
  if (reason === undefined) return undefined;
  const more = / [A-Za-z_]\w*=/.test(value) ? `; all of ${JSON.stringify(value)} is its value` : "";
  return reason + more;
}

const mail = "svc mails no output: it is kept, and a notifier (smtp, sendmail and others) tells of failures";

const reasons: ReadonlyMap<string, string> = new Map([
  ["MAILTO", mail],
  ["MAILFROM", mail],
  ["CONTENT_TYPE", mail],
  ["CONTENT_TRANSFER_ENCODING", mail],
  [
    "RANDOM_DELAY",
    "svc has no random delay: with jitter, tasks of one time start one after another within a span",
  ],
  ["LOGNAME", "it can't be set, in cron neither: it is the name of the account"],
]);
