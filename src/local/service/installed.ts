import { parseDotenv } from "../../core/dotenv.ts";
import { readManagerEnvironment, readUnit, type UnitSaid } from "../../core/service_environment.ts";
import { system } from "./manager.ts";

/** The environment of a daemon that a service manager starts. */
export interface ServiceEnvironment {
  /** The unit's name, e.g. "svc.service". */
  unit: string;
  env: Record<string, string>;
}

/** What systemd gives a service as PATH, unless it was built or told otherwise; see systemd.exec(5). */
const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * The environment that the daemon of a configuration file has, where systemd starts one for it: what is set in the shell
 * of whoever checks the file is not set there. Undefined where there is no such service, or it can't be read by this user.
 */
export async function installedEnvironment(
  configPath: string,
  env: Record<string, string> = Deno.env.toObject(),
): Promise<ServiceEnvironment | undefined> {
  const home = env["XDG_CONFIG_HOME"] || (env["HOME"] ? `${env["HOME"]}/.config` : "");
  const places = [
    { folder: "/etc/systemd/system", systemctl: ["systemctl"] },
    ...(home === "" ? [] : [{ folder: `${home}/systemd/user`, systemctl: ["systemctl", "--user"] }]),
  ];
  for (const { folder, systemctl } of places) {
    for (const unit of namesIn(folder).filter((name) => name.endsWith(".service"))) {
      const said = saidBy(folder, unit);
      if (said?.configPath !== configPath) continue;
      const files = said.files.map(variablesOf);
      if (files.some((it) => it === undefined)) return undefined;
      const given = await managerEnvironment(systemctl);
      return { unit, env: Object.assign({ PATH: usualPath }, given, said.env, ...files) };
    }
  }
  return undefined;
}

/** The environment that the daemon of a service will have which is not installed yet; `own` is what its unit will say. */
export async function futureEnvironment(
  systemctl: readonly string[],
  { own, envFile }: { own: Record<string, string>; envFile: string },
): Promise<Record<string, string>> {
  return { PATH: usualPath, ...await managerEnvironment(systemctl), ...own, ...variablesOf(`-${envFile}`) };
}

function saidBy(folder: string, unit: string): UnitSaid | undefined {
  const dropIns = namesIn(`${folder}/${unit}.d`).filter((name) => name.endsWith(".conf")).sort();
  const [text, ...more] = [unit, ...dropIns.map((name) => `${unit}.d/${name}`)].map((name) =>
    textOf(`${folder}/${name}`)
  );
  return text === undefined ? undefined : readUnit([text, ...more.map((it) => it ?? "")].join("\n"));
}

/** Of an environment file; undefined where it can't be read. */
function variablesOf(path: string): Record<string, string> | undefined {
  const text = textOf(path.replace(/^-/, ""));
  if (text === undefined) return path.startsWith("-") ? {} : undefined;
  return parseDotenv(text).entries;
}

async function managerEnvironment(systemctl: readonly string[]): Promise<Record<string, string>> {
  const { code, stdout } = await system([...systemctl, "show-environment"]).catch(() => ({
    code: 1,
    stdout: "",
  }));
  return code === 0 ? readManagerEnvironment(stdout) : {};
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
