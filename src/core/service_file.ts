/** The files by which systemd and launchd run a daemon. */

/** Whose service it is: the machine's, or that of one user. */
export type ServiceScope = "system" | "user";

/** What a service file is made from. Paths are absolute. */
export interface ServiceFacts {
  scope: ServiceScope;
  /** The program and its first arguments, before `daemon`. */
  program: readonly string[];
  configPath: string;
  dataDir: string;
  socketPath: string;
  /** Where it listens, where that was said. */
  host?: string;
  port?: number;
  /** Holds the password; readable by its owner alone. */
  envFile: string;
  /** `shutdown_timeout`, ms. */
  shutdownTimeout: number;
  /** Version of systemd, where that is known. */
  systemd?: number;
  /** Who runs it, where the manager doesn't say so by itself: a service of the machine. */
  person?: { name: string; home: string; shell: string };
}

/** What a stop may take beyond `shutdown_timeout`, ms: the rest of the daemon ends after the last process. */
export const stopMargin = 15_000;
/** The exit code of a daemon that leaves all that it runs to the next, which is to be started at once. */
export const handedOver = 75;
/** The daemon is restarted when it has been silent for so many seconds. */
const silence = 60;
/** By then it has unpacked itself, on a slow machine too, and asks for more by itself; seconds. */
const startPatience = 300;

/** What speaks to the daemon when its manager is asked for a reload: it answers whether the file was taken. */
function reloadCommand({ program, configPath, dataDir, socketPath }: ServiceFacts): string[] {
  return [...program, "reload", "--config", configPath, "--data", dataDir, "--socket", socketPath];
}

/** The arguments by which a daemon is started. */
export function daemonCommand(facts: ServiceFacts): string[] {
  const { program, configPath, dataDir, socketPath, host, port } = facts;
  return [
    ...program,
    ...["daemon", "--config", configPath, "--data", dataDir, "--socket", socketPath],
    ...(host === undefined ? [] : ["--host", host]),
    ...(port === undefined ? [] : ["--port", String(port)]),
  ];
}

/** The group that systemd is to make for the daemon below that of its unit: those of runs stand beside it. */
export const daemonGroup = "svc-daemon";
/** systemd knows `DelegateSubgroup=` from this version on. */
const knowsSubgroups = 254;
/** A file of the data folder: a stop of the daemon has begun, after which nothing of it may be left. */
export const stopMark = "stopping";
/** The command that ends what a daemon has left. */
export const reaping = "__reap";

/**
 * What systemd runs after every end of the daemon: where that was a stop, or it had to be killed at one, what it runs
 * ends as well. A daemon that could not start is tried again after 2 s; after a crash, and for the next one that takes
 * over, there is no wait.
 */
const afterEnd =
  'if [ "$SERVICE_RESULT" = timeout ] || [ -e "$0" ]; then "$@"; fi; [ "$SERVICE_RESULT" != exit-code ] || sleep 2';

function afterEndCommand({ program, dataDir }: ServiceFacts): string[] {
  return ["/bin/sh", "-c", afterEnd, `${dataDir}/${stopMark}`, ...program, reaping, "--data", dataDir];
}

/**
 * A systemd unit. `KillMode=process`: the daemon alone is ended, be it by its death or by systemd; what it runs goes on
 * for the next daemon. At a stop it ends its units in their order, and what is left after it is killed by
 * `ExecStopPost=`.
 */
export function systemdUnit(facts: ServiceFacts): string {
  const { scope, envFile, dataDir } = facts;
  const wanted = scope === "system" ? "multi-user.target" : "default.target";
  const network = scope === "system"
    ? "Wants=network-online.target\nAfter=network-online.target time-sync.target\n"
    : "";
  return `[Unit]
Description=svc: tasks and services of ${unquoted(facts.configPath)}
${network}StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart=${daemonCommand(facts).map(systemdWord).join(" ")}
ExecReload=${reloadCommand(facts).map(systemdWord).join(" ")}
ExecStopPost=${afterEndCommand(facts).map(systemdWord).join(" ")}
Environment=${environmentOf(facts).map(systemdWord).join(" ")}
EnvironmentFile=${unquoted(envFile)}
UnsetEnvironment=SVC_PASSWORD
WorkingDirectory=${unquoted(dataDir)}
Restart=on-failure
RestartSec=100ms
RestartForceExitStatus=${handedOver}
SuccessExitStatus=${handedOver}
WatchdogSec=${silence}
TimeoutStartSec=${startPatience}
TimeoutStopSec=${Math.ceil((facts.shutdownTimeout + stopMargin) / 1000)}
KillMode=process
Delegate=yes
${(facts.systemd ?? 0) < knowsSubgroups ? "" : `DelegateSubgroup=${daemonGroup}\n`}LimitNOFILE=65536
LimitCORE=0:infinity
UMask=0022

[Install]
WantedBy=${wanted}
`;
}

/** What a unit is given beside its file: cron gives its jobs the same four, and `${HOME}` may stand in a configuration. */
function environmentOf({ envFile, person }: ServiceFacts): string[] {
  const all = { ...personVariables(person), SVC_PASSWORD_FILE: envFile };
  return Object.entries(all).map(([name, value]) => `${name}=${value}`);
}

/** The variables that tell who runs a service; none where its manager tells them. */
export function personVariables(person: ServiceFacts["person"]): Record<string, string> {
  if (person === undefined) return {};
  return { HOME: person.home, USER: person.name, LOGNAME: person.name, SHELL: person.shell };
}

/** A property list for launchd; `label` is the service's name. It knows no environment files, so a shell reads this one. */
export function launchdPlist(facts: ServiceFacts, label: string): string {
  const script = 'set -a; . "$0"; unset SVC_PASSWORD; SVC_PASSWORD_FILE=$0; exec "$@"';
  const words = ["/bin/sh", "-c", script, facts.envFile, ...daemonCommand(facts)];
  const strings = words.map((word) => `    <string>${xml(word)}</string>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
  <key>WorkingDirectory</key>
  <string>${xml(facts.dataDir)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>${Math.ceil((facts.shutdownTimeout + stopMargin) / 1000)}</integer>
  <key>StandardErrorPath</key>
  <string>${xml(facts.dataDir)}/daemon.log</string>
</dict>
</plist>
`;
}

/** The environment file of a service. */
export function serviceEnvironment({ envFile, password }: { envFile: string; password: string }): string {
  return `# Read by the service manager. Only its owner may read it.
SVC_PASSWORD=${password}
SVC_ENV_FILE=${envFile}
`;
}

/** The password in an environment file; undefined where there is none. */
export function passwordIn(environment: string): string | undefined {
  return /^SVC_PASSWORD=(.+)$/m.exec(environment)?.[1];
}

/** Folders that a reboot or a cleaner empties. */
const temporary = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/private/tmp"];

/** The first of some paths that lies in a temporary folder: a service may not depend on what is gone tomorrow. */
export function temporaryPath(paths: readonly string[], tmpdir = ""): string | undefined {
  const folders = tmpdir === "" ? temporary : [...temporary, tmpdir.replace(/\/+$/, "")];
  return paths.find((path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)));
}

/** A word of a command line of systemd: no specifier, no variable, no blank of it means anything. */
function systemdWord(word: string): string {
  const escaped = word.replace(/[\\"]/g, "\\$&").replace(/%/g, "%%").replace(/\$/g, "$$$$").replace(
    /\n/g,
    "\\n",
  );
  return /^[\w@%+=:,./-]+$/.test(word) ? escaped : `"${escaped}"`;
}

/** A value of systemd that takes the rest of its line. */
function unquoted(path: string): string {
  return path.replace(/%/g, "%%").replace(/\n/g, " ");
}

function xml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
