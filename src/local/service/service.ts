import { dirname } from "node:path";
import {
  daemonCommand,
  launchdPlist,
  passwordIn,
  personVariables,
  serviceEnvironment,
  type ServiceFacts,
  systemdUnit,
  temporaryPath,
} from "../../core/service_file.ts";
import { unitChanges } from "../../core/unit_changes.ts";
import { Fault } from "../../fault.ts";
import { loadConfigFile } from "../../io/config_files.ts";
import { claimPrivateFolder, ownUid } from "../../io/trust.ts";
import { ownVariable } from "../../io/own_variable.ts";
import { accountOf } from "../../io/process/accounts.ts";
import { findPlaces, listenAddress, type PlaceFlags, type Places } from "../places.ts";
import { renderProblem } from "../validate.ts";
import { futureEnvironment, installedEnvironment } from "./installed.ts";
import { demand, removeSystemFile, system, writeSystemFile } from "./manager.ts";
import { ownProgram } from "./program.ts";
import { startService } from "./start.ts";
import { filePath, isMac, launchdDomain, type ServiceOptions, systemctlOf } from "./target.ts";
import { demandFreeWay, type ServiceAddress } from "./way.ts";

/** Where the daemon's things are, and where it listens. */
export type ServiceFlags = PlaceFlags & { host?: string; port?: number };

/** What an installation consists of. */
export interface ServicePlan {
  file: { path: string; text: string };
  env: { path: string };
  dataDir: string;
  address: ServiceAddress;
  /** What the file says is started. */
  command: string[];
  /** Commands of the service manager, in their order. */
  commands: string[][];
  /** What the file of an earlier installation says otherwise, in sentences; none where there is none. */
  changes: string[];
  /** What is there already as it should be. */
  isCurrent: boolean;
}

/** How a service stands. */
export interface ServiceState {
  manager: "systemd" | "launchd";
  file: string;
  installed: boolean;
  enabled: boolean;
  active: boolean;
  /** In the manager's own words. */
  detail: string;
}

/** What an installation would do. Throws `Fault` where the configuration can't be loaded. */
export async function planService(flags: ServiceFlags, options: ServiceOptions): Promise<ServicePlan> {
  const places = findPlaces(flags);
  const person = options.scope === "system" && !isMac() ? accountOf(String(ownUid())) : undefined;
  const envFile = `${places.dataDir}/service.env`;
  const env = isMac() ? undefined : (await installedEnvironment(places.configPath))?.env ??
    await futureEnvironment(systemctlOf(options), { own: personVariables(person), envFile });
  const { config, errors } = await loadConfigFile(places.configPath, env === undefined ? {} : { env });
  if (config === undefined || errors.length > 0) {
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    const why = first === undefined ? "it can't be loaded" : renderProblem(first);
    const where = /^variable \S+ is not set/.test(first?.message ?? "")
      ? `; a service has no variable of this shell: put it into "${envFile}"`
      : "";
    throw new Fault("invalid", `cannot install a service for "${places.configPath}": ${why}${more}${where}`);
  }
  const facts: ServiceFacts = {
    ...places,
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    scope: options.scope,
    program: ownProgram(options.entry, { write: writtenPlaces(places, options) }),
    envFile,
    shutdownTimeout: config.daemon.shutdownTimeout,
    ...(person === undefined ? {} : { person }),
    ...(isMac() ? {} : await systemdFacts(options)),
  };
  const path = filePath(options);
  const text = isMac() ? launchdPlist(facts, options.name) : systemdUnit(facts);
  const old = textOf(path);
  const isCurrent = old === text && passwordIn(textOf(facts.envFile) ?? "") !== undefined;
  // What is no port is told by the daemon.
  const { host, port = 0 } = listenAddress(flags, env ?? {});
  return {
    file: { path, text },
    env: { path: facts.envFile },
    dataDir: facts.dataDir,
    address: { host, port },
    command: daemonCommand(facts),
    commands: commandsToStart(options, { path, isCurrent }),
    changes: old === undefined || isMac() ? [] : unitChanges(old, text),
    isCurrent,
  };
}

/** What the unit depends on; nothing where systemd does not say its version. */
async function systemdFacts(options: ServiceOptions): Promise<{ systemd?: number }> {
  const [program = ""] = systemctlOf(options);
  const { stdout } = await system([program, "--version"]).catch(() => ({ stdout: "" }));
  const version = /^systemd (\d+)/.exec(stdout)?.[1];
  return version === undefined ? {} : { systemd: Number(version) };
}

/** Installs a service and starts it, with a password that stays. Answers whether anything was new. */
export async function installService(plan: ServicePlan, options: ServiceOptions): Promise<boolean> {
  refuseTemporary(plan);
  refuseOthers(options, "install");
  await demandFreeWay(plan, options);
  claimPrivateFolder(plan.dataDir, {
    attempt: `cannot install a service with data folder "${plan.dataDir}"`,
    mend: "name another with --data",
  });
  const env = textOf(plan.env.path);
  if (env === undefined || passwordIn(env) === undefined) {
    const password = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
    const cache = `SVC_CACHE=${cacheIn(plan.dataDir)}\n`;
    const text = serviceEnvironment({ envFile: plan.env.path, password }) + cache;
    await writeSystemFile(plan.env.path, text, "0600");
  }
  if (textOf(plan.file.path) !== plan.file.text) {
    await writeSystemFile(plan.file.path, plan.file.text, "0644");
  }
  await unpackProgram(plan);
  await startService(plan.commands, options);
  return !plan.isCurrent;
}

/** The portable form unpacks itself at its first start: here it has the time, and somebody who reads why it can't. */
async function unpackProgram({ command: [program = ""], dataDir }: ServicePlan): Promise<void> {
  if (!ownVariable("SVC_PROGRAM")) return;
  await demand("unpack the program", ["/usr/bin/env", `SVC_CACHE=${cacheIn(dataDir)}`, program, "version"]);
}

function cacheIn(dataDir: string): string {
  return `${dataDir}/program`;
}

/** Stops a service and forgets it; configuration, data and password stay. Answers whether there was one. */
export async function uninstallService(options: ServiceOptions): Promise<boolean> {
  refuseOthers(options, "uninstall");
  const path = filePath(options);
  if (textOf(path) === undefined) return false;
  if (isMac()) {
    await system(["launchctl", "bootout", `${launchdDomain(options)}/${options.name}`]);
    await removeSystemFile(path);
    return true;
  }
  const systemctl = systemctlOf(options);
  await system([...systemctl, "disable", "--now", `${options.name}.service`]);
  await removeSystemFile(path);
  await demand("forget the service", [...systemctl, "daemon-reload"]);
  return true;
}

/** How a service stands, as the service manager says. */
export async function serviceState(options: ServiceOptions): Promise<ServiceState> {
  const file = filePath(options);
  const installed = textOf(file) !== undefined;
  if (isMac()) {
    const { code, stdout } = await system([
      "launchctl",
      "print",
      `${launchdDomain(options)}/${options.name}`,
    ]);
    const state = /state = (.+)/.exec(stdout)?.[1] ?? "not loaded";
    return {
      manager: "launchd",
      file,
      installed,
      enabled: code === 0,
      active: state === "running",
      detail: state,
    };
  }
  const properties = "ActiveState,SubState,UnitFileState,StatusText,MainPID";
  const { code, stdout, stderr } = await system([
    ...systemctlOf(options),
    "show",
    `--property=${properties}`,
    `${options.name}.service`,
  ]);
  const said = new Map(stdout.split("\n").map((line) => line.split("=", 2) as [string, string]));
  const words = [said.get("ActiveState"), said.get("SubState"), said.get("StatusText")].filter(Boolean);
  return {
    manager: "systemd",
    file,
    installed,
    enabled: said.get("UnitFileState") === "enabled",
    active: said.get("ActiveState") === "active",
    detail: code === 0 ? words.join(", ") : stderr.split("\n")[0] ?? "",
  };
}

/** Where a daemon writes: its data folder, the folder of its socket, and where systemd is told how it is. */
function writtenPlaces({ dataDir, socketPath }: Places, { scope }: ServiceOptions): string[] {
  const runtime = scope === "system" ? "/run" : ownVariable("XDG_RUNTIME_DIR") || `/run/user/${ownUid()}`;
  const socketFolder = dirname(socketPath);
  return [dataDir, ...(socketFolder === dataDir ? [] : [socketFolder]), `${runtime}/systemd/notify`];
}

function commandsToStart(
  options: ServiceOptions,
  { path, isCurrent }: { path: string; isCurrent: boolean },
): string[][] {
  const { name } = options;
  if (isMac()) {
    const domain = launchdDomain(options);
    return [["launchctl", "enable", `${domain}/${name}`], ["launchctl", "bootstrap", domain, path]];
  }
  const systemctl = systemctlOf(options);
  return [
    [...systemctl, "daemon-reload"],
    [...systemctl, "enable", `${name}.service`],
    // Only a changed file is worth the end of what runs.
    [...systemctl, isCurrent ? "start" : "restart", `${name}.service`],
  ];
}

function refuseTemporary({ command, dataDir, file }: ServicePlan): void {
  const paths = [...command.filter((word) => word.startsWith("/")), dataDir, dirname(file.path)];
  const path = temporaryPath(paths, ownVariable("TMPDIR") ?? "");
  if (path === undefined) return;
  throw new Fault(
    "invalid",
    `cannot install a service that needs "${path}": that is a temporary folder; move it to a place that stays`,
  );
}

function refuseOthers({ scope }: ServiceOptions, what: string): void {
  if (scope === "user" || ownUid() === 0) return;
  throw new Fault(
    "forbidden",
    `cannot ${what} a service of the machine as a user: do it as root, or give --user`,
  );
}

function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
