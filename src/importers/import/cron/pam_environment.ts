import { type Entry, type ImportContext, takenWith } from "../imported.ts";

/** What PAM gives to the jobs of this machine's cron, beneath what a table sets. */
export interface PamEnvironment {
  env: Record<string, string>;
  /** Where the variables stand. */
  files: string[];
  /** Whether this machine says at all what its cron does. */
  isKnown: boolean;
}

/** Variables that cron sets itself, whatever PAM says. */
const own: ReadonlySet<string> = new Set(["PATH", "HOME", "SHELL", "LOGNAME", "USER"]);

/** Reads the files of variables that pam_env(8) is to read for cron, as it reads them. */
export function readPamEnvironment({ files }: ImportContext): PamEnvironment {
  const found: PamEnvironment = { env: {}, files: [], isKnown: false };
  const [service] = [...files("/etc/pam.d/cron"), ...files("/etc/pam.d/crond")];
  if (service === undefined) return found;
  found.isKnown = true;
  for (const [, flags = ""] of service.text.matchAll(/^\s*session\s+\S+\s+\S*pam_env\.so\b(.*)$/gm)) {
    if (/\breadenv=0\b/.test(flags)) continue;
    const path = /\benvfile=(\/\S+)/.exec(flags)?.[1] ?? "/etc/environment";
    const [file] = files(path);
    const variables = variablesIn(file?.text ?? "");
    if (variables.length === 0) continue;
    found.files.push(path);
    for (const [name, value] of variables) found.env[name] = value;
  }
  return found;
}

/** An account of that: `isGiven` where the tasks got the variables. */
export function pamEntries(
  { env, files, isKnown }: PamEnvironment,
  { isGiven, file }: { isGiven: boolean; file: string },
): Entry[] {
  const names = Object.keys(env);
  if (!isKnown) {
    return [{
      file,
      line: 0,
      what: "variables of PAM",
      fate: takenWith([
        "cron of Debian and Ubuntu also gives its jobs what /etc/environment (proxies) and /etc/default/locale (LANG) set " +
        "there: env of a task, or of [defaults], does that here",
      ]),
    }];
  }
  if (names.length === 0) return [];
  const note = isGiven
    ? "cron gives them to its jobs by pam_env, and so does env of each task: they are put in once, here"
    : "cron gives them to its jobs by pam_env: the tasks don't have them, since the table may be another machine's. " +
      "env of [defaults] gives them to all; --system puts them in";
  return [{ file: files.join(", "), line: 0, what: names.join(", "), fate: takenWith([note]) }];
}

/** NAME=value lines: all behind a "#" is a remark, and a pair of quotes goes. */
function variablesIn(text: string): [name: string, value: string][] {
  return text.split("\n").flatMap((line): [string, string][] => {
    const [, name, value = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=([^#]*)/.exec(line) ?? [];
    if (name === undefined || own.has(name)) return [];
    const plain = value.trim();
    return [[name, /^["']/.test(plain) ? plain.slice(1).replace(/["']$/, "") : plain]];
  });
}
