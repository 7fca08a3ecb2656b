import { parseDotenv } from "./dotenv.ts";

/** What a unit of systemd says of the daemon that it starts. */
export interface UnitSaid {
  /** Of `Environment=`, later wins. */
  env: Record<string, string>;
  /** Of `EnvironmentFile=`; those that may be missing begin with "-". */
  files: string[];
  /** The file that its daemon is started with; undefined for a unit that starts none. */
  configPath: string | undefined;
}

/** Reads the text of a unit, or of a unit and its drop-ins one after the other. */
export function readUnit(text: string): UnitSaid {
  const values = (key: string): string[] =>
    [...text.matchAll(RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value.trim());
  const env: Record<string, string> = {};
  for (const word of values("Environment").flatMap(words)) {
    const at = word.indexOf("=");
    if (at > 0) env[word.slice(0, at)] = word.slice(at + 1);
  }
  const start = words(values("ExecStart").at(-1) ?? "");
  const at = start.indexOf("daemon");
  const configPath = at < 0 ? undefined : start[start.indexOf("--config", at) + 1];
  return { env, files: values("EnvironmentFile").map((path) => path.replaceAll("%%", "%")), configPath };
}

/** What `systemctl show-environment` prints: variables that every service is given. */
export function readManagerEnvironment(text: string): Record<string, string> {
  return parseDotenv(text.replace(/^(\w+)=\$'(.*)'$/gm, "$1='$2'")).entries;
}

/** The words of a line as `systemdUnit` writes them, and people. */
function words(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain = ""]) =>
    (quoted ?? plain).replace(/\\(.)/g, (_, sign) => sign === "n" ? "\n" : sign).replaceAll("%%", "%")
      .replaceAll("$$", "$")
  );
}
