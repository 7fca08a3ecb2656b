import type { Unit } from "../../../types.ts";
import { formatDuration } from "../../../core/duration.ts";
import { shellArguments } from "../../../core/posix_shell.ts";
import type { Account, ExportFile } from "../exported.ts";
import { defaultArguments, mentions, originOf, plainEnvironment, secretEnvironment } from "../unit_facts.ts";
import { assignment, commandWord, environmentLine, isAllowedVariable, restOfLine } from "./words.ts";

/** A section of a unit file: its name, and keys with values in order; a key may stand more than once. */
export type Section = readonly [name: string, lines: readonly (readonly [key: string, value: string])[]];

/** A unit file; sections without lines are left out. */
export function unitFile(unit: Unit, { name, sections }: { name: string; sections: Section[] }): ExportFile {
  const texts = sections.filter(([, lines]) => lines.length > 0).map(([section, lines]) =>
    [`[${section}]`, ...lines.map(([key, value]) => `${key}=${value}`), ""].join("\n")
  );
  return { name, text: [`# ${name}, from ${originOf(unit)}`, "", ...texts].join("\n") };
}

/** Where all files of an export are to go. */
export const unitFolder = "/etc/systemd/system";

/** The file with a unit's secrets. */
export function secretsFileOf(unit: Unit): string {
  return `${unit.name}.secrets.env`;
}

/** The program, its account, folder and environment, and how it is stopped: what tasks and services share. */
export function processLines(
  unit: Unit,
  { account, instance }: { account: Account; instance: boolean },
): [key: string, value: string][] {
  const command = [
    unit.shell,
    ...shellArguments({ ...unit, script: unit.run, args: defaultArguments(unit) }),
  ];
  const lines: [string, string][] = [
    ["ExecStart", command.map(commandWord).join(" ")],
    ["WorkingDirectory", folderOf(unit, account)],
  ];
  if (unit.user !== undefined) {
    const [user = "", group] = unit.user.split(":");
    lines.push(["User", user]);
    if (group !== undefined) lines.push(["Group", group]);
  }
  if (unit.umask !== undefined) lines.push(["UMask", unit.umask.padStart(4, "0")]);
  lines.push(...environmentOf(unit, { account, instance }));
  lines.push(...stopLines(unit));
  const codes = unit.exitCodes.filter((code) => code !== 0);
  if (codes.length > 0) lines.push(["SuccessExitStatus", codes.join(" ")]);
  if (!unit.exitCodes.includes(0)) account.note(unit, "exit code 0 is a success to systemd (exit_codes)");
  const { memory, cpu, pids } = unit.limits;
  if (memory !== undefined) lines.push(["MemoryMax", String(memory)]);
  if (cpu !== undefined) lines.push(["CPUQuota", `${Math.round(cpu * 100)}%`]);
  if (pids !== undefined) lines.push(["TasksMax", String(pids)]);
  return lines;
}

/** The file of a unit's secrets: their values, or an example where these are to be filled in; none where there are none. */
export function secretsFile(
  unit: Unit,
  { account, withSecrets }: { account: Account; withSecrets: boolean },
): ExportFile[] {
  const secrets = Object.entries(secretEnvironment(unit));
  if (secrets.length === 0) return [];
  const name = secretsFileOf(unit);
  const lines: string[] = [];
  for (const [variable, value] of secrets) {
    if (!isAllowedVariable(variable, value)) {
      account.note(unit, `systemd can't pass on the secret "${variable}", for its name or its characters`);
    } else lines.push(withSecrets ? environmentLine(variable, value) : `${variable}=""`);
  }
  if (withSecrets) {
    account.note(unit, `the values of its secrets are in ${name}: keep its mode, 0600`);
    const head = `# ${name}, secrets of ${originOf(unit)}: mode 0600`;
    return [{ name, text: [head, ...lines, ""].join("\n"), secret: true }];
  }
  // Under another name, so that nothing runs without its secrets before they are there.
  const example = `${name}.example`;
  account.note(
    unit,
    `the values of its secrets are left out: fill them in in ${example} and call it ${name} (mode 0600), or add --with-secrets`,
  );
  const head = `# ${example}, secrets of ${
    originOf(unit)
  }: fill in the values, and call the file ${name} (mode 0600)`;
  return [{ name: example, text: [head, ...lines, ""].join("\n"), secret: true }];
}

function environmentOf(
  unit: Unit,
  { account, instance }: { account: Account; instance: boolean },
): [string, string][] {
  const lines: [string, string][] = [];
  if (unit.envBase === "clean") {
    lines.push(["Environment", "PATH=/usr/bin:/bin"], ["Environment", assignment("SHELL", unit.shell)]);
  }
  if (needsPerson(unit)) lines.push(["Environment", "HOME=%h USER=%u LOGNAME=%u"]);
  for (const [name, value] of Object.entries(plainEnvironment(unit))) {
    if (isAllowedVariable(name, value)) lines.push(["Environment", assignment(name, value)]);
    else account.note(unit, `systemd can't pass on the variable "${name}", for its name or its characters`);
  }
  if (Object.keys(secretEnvironment(unit)).length > 0) {
    // Absent, it is an error: better none than a run without its secrets.
    lines.push(["EnvironmentFile", `${unitFolder}/${secretsFileOf(unit)}`]);
  }
  if (mentions(unit, "SVC_TASK")) lines.push(["Environment", `SVC_TASK=${unit.name}`]);
  if (mentions(unit, "SVC_INSTANCE")) lines.push(["Environment", `SVC_INSTANCE=${instance ? "%i" : "0"}`]);
  if (unit.kind === "service" && unit.compose !== undefined) {
    lines.push(["Environment", `SVC_RUN_ID=${instance ? "%p-%i" : "%N"}`]);
  }
  return lines;
}

/**
 * Only User= has systemd set HOME and the names of the account (systemd.exec(5)): without it they are given where the
 * unit promises them, or speaks of them.
 */
function needsPerson(unit: Unit): boolean {
  if (unit.user !== undefined) return false;
  return unit.envBase === "clean" || ["HOME", "USER", "LOGNAME"].some((name) => mentions(unit, name)) ||
    /(?:^|[\s=:"'])~(?:\/|\s|$)/.test(unit.run);
}

function stopLines(unit: Unit): [string, string][] {
  const lines: [string, string][] = [];
  // To systemd a time of 0 is none at all, and so without end.
  if (unit.gracefulStop === 0) lines.push(["KillSignal", "SIGKILL"]);
  else {
    if (unit.stopSignal !== "SIGTERM") lines.push(["KillSignal", unit.stopSignal]);
    lines.push(["TimeoutStopSec", formatDuration(unit.gracefulStop)]);
  }
  if (!unit.killStrays) lines.push(["KillMode", "process"]);
  return lines;
}

/** `~` is the home of the account, `%h` that of the manager: the same where no account is named. */
function folderOf(unit: Unit, account: Account): string {
  const { workingDir, user } = unit;
  if (!workingDir.startsWith("~/")) return workingDir === "~" ? "~" : restOfLine(workingDir);
  if (user === undefined) return `%h${restOfLine(workingDir.slice(1))}`;
  const home = `/home/${user.split(":")[0]}`;
  account.note(unit, `the home of its account is taken for ${home}: correct WorkingDirectory= otherwise`);
  return `${home}${restOfLine(workingDir.slice(1))}`;
}
