/** The process of a unit as a task of Nomad. */

import type { Unit } from "../../../types.ts";
import { shellFlags } from "../../../core/posix_shell.ts";
import type { ExportFile } from "../exported.ts";
import { defaultArguments, mentions, plainEnvironment, secretEnvironment } from "../unit_facts.ts";
import { nanoseconds, type NomadMaking, type NomadPart } from "./job.ts";

/** The program with its environment, files and limits; `retry` is the restart policy. */
export function processOf(
  unit: Unit,
  { making, retry }: { making: NomadMaking; retry: NomadPart },
): NomadPart {
  const { name, order } = making;
  noteProcess(unit, making);
  const [command, ...args] = commandOf(unit, making);
  return {
    Name: name,
    Driver: order.image === undefined ? "raw_exec" : "docker",
    User: unit.user?.split(":")[0],
    Config: {
      ...(order.image === undefined ? {} : { image: order.image }),
      command,
      args,
      ...(order.image === undefined || hasHome(unit) ? {} : { work_dir: literal(unit.workingDir) }),
    },
    Env: environmentOf(unit, making),
    Templates: [scriptTemplate(unit.run), ...secretTemplate(unit, name)],
    KillSignal: unit.gracefulStop === 0 ? "SIGKILL" : unit.stopSignal,
    KillTimeout: nanoseconds(unit.gracefulStop),
    Resources: resourcesOf(unit, making),
    RestartPolicy: retry,
  };
}

/** The file with which the secrets of a unit become variables of Nomad; none where there are none. */
export function variablesFile(unit: Unit, { name, order, account }: NomadMaking): ExportFile[] {
  const secrets = Object.entries(secretEnvironment(unit));
  if (secrets.length === 0) return [];
  const file = `${name}.vars.json`;
  account.note(
    unit,
    order.withSecrets
      ? `the values of its secrets are in ${file}, for "nomad var put @${file}": keep it out of sight`
      : `the values of its secrets are left out: put them in place of ${placeholder} in ${file}, or add --with-secrets; then "nomad var put @${file}"`,
  );
  for (const [variable] of secrets) {
    if (!isVariable(variable)) {
      account.note(unit, `Nomad can't pass on the secret "${variable}", for its name`);
    }
  }
  const items = Object.fromEntries(
    secrets.filter(([variable]) => isVariable(variable)).map((
      [variable, value],
    ) => [variable, order.withSecrets ? value : placeholder]),
  );
  const text = JSON.stringify({ Path: `nomad/jobs/${name}`, Items: items }, null, 2);
  return [{ name: file, text: `${text}\n`, secret: true }];
}

const placeholder = "CHANGE_ME";

/** True for names that a template can ask a variable for. */
function isVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** What Nomad would put a value of its own in place of in a variable, and can't be told not to. */
const replaced = /\$\{[\w.-]+\}/;

/** Text of a driver's configuration, which is a template to Nomad. */
function literal(text: string): string {
  return text.replaceAll(/([$%])\{/g, "$1$1{");
}

/** The words that run the script. Nomad ends nothing after a time, so timeout(1) does. */
function commandOf(unit: Unit, { account, order }: NomadMaking): string[] {
  const args = defaultArguments(unit).map(literal);
  const flags = shellFlags(unit);
  const script = [literal(unit.shell), ...flags, "${NOMAD_TASK_DIR}/run", ...args];
  const timed = unit.timeout === 0 ? script : [
    "/usr/bin/timeout",
    `--signal=${unit.stopSignal.replace(/^SIG/, "")}`,
    ...(unit.gracefulStop === 0 ? [] : [`--kill-after=${unit.gracefulStop / 1000}s`]),
    `${unit.timeout / 1000}s`,
    ...script,
  ];
  if (unit.timeout > 0) {
    account.note(
      unit,
      "its timeout is kept by timeout(1), which must be there; its exit code is then 124 or 137",
    );
  }
  if (order.image !== undefined || hasHome(unit)) return timed;
  // The driver knows of no folder in many of its versions.
  return ["/bin/sh", "-c", 'cd -- "$0" && exec "$@"', literal(unit.workingDir), ...timed];
}

function hasHome({ workingDir }: Unit): boolean {
  return workingDir.startsWith("~");
}

/** Delimiters that the script doesn't hold, so that nothing of it is a template. */
function scriptTemplate(script: string): NomadPart {
  let width = 3;
  while (script.includes("[".repeat(width))) width++;
  return {
    EmbeddedTmpl: script,
    DestPath: "local/run",
    Perms: "755",
    LeftDelim: "[".repeat(width),
    RightDelim: "]".repeat(width),
    ChangeMode: "noop",
  };
}

function secretTemplate(unit: Unit, name: string): NomadPart[] {
  const variables = Object.keys(secretEnvironment(unit)).filter(isVariable);
  if (variables.length === 0) return [];
  const lines = variables.map((variable) => `${variable}={{ .${variable}.Value | toJSON }}`);
  return [{
    EmbeddedTmpl: [`{{ with nomadVar "nomad/jobs/${name}" }}`, ...lines, "{{ end }}", ""].join("\n"),
    DestPath: "secrets/run.env",
    Envvars: true,
    ChangeMode: unit.kind === "service" ? "restart" : "noop",
  }];
}

function environmentOf(unit: Unit, { account }: NomadMaking): NomadPart | undefined {
  const env: Record<string, string> = {
    ...(unit.envBase === "clean" ? { PATH: "/usr/bin:/bin" } : {}),
    ...plainEnvironment(unit),
  };
  for (const [name, value] of Object.entries(env)) {
    if (replaced.test(value)) account.note(unit, `Nomad replaces \${...} in the value of "${name}"`);
  }
  if (mentions(unit, "SVC_TASK")) env["SVC_TASK"] = unit.name;
  if (mentions(unit, "SVC_INSTANCE")) env["SVC_INSTANCE"] = "${NOMAD_ALLOC_INDEX}";
  return Object.keys(env).length === 0 ? undefined : env;
}

function resourcesOf(
  { limits: { memory, cpu, pids }, ...unit }: Unit,
  { account, order }: NomadMaking,
): NomadPart | undefined {
  if (pids !== undefined) account.note(unit, `nothing limits its processes (limits.pids = ${pids})`);
  if (memory === undefined && cpu === undefined) return undefined;
  if (cpu !== undefined) account.note(unit, `a core is taken for 1000 MHz (limits.cpu = ${cpu})`);
  if (order.image === undefined) {
    account.note(unit, "raw_exec holds no limits: Nomad only finds room for them");
  }
  return {
    MemoryMB: memory === undefined ? undefined : Math.max(10, Math.ceil(memory / 2 ** 20)),
    CPU: cpu === undefined ? undefined : Math.ceil(cpu * 1000),
  };
}

function noteProcess(unit: Unit, { account }: NomadMaking): void {
  const note = (message: string) => account.note(unit, message);
  if (unit.user?.includes(":")) note(`its group is that of the account (user = "${unit.user}")`);
  if (hasHome(unit)) {
    note(`its folder is the task's (working_dir = "${unit.workingDir}" is a home)`);
  }
  if (unit.umask !== undefined) {
    note(`its umask is the client's: set it in the script (umask = "${unit.umask}")`);
  }
  if (unit.gracefulStop > 30_000) {
    note("a client allows 30 s to stop unless its max_kill_timeout says more (graceful_stop)");
  }
  if (!unit.killStrays) note("a task ends as a whole, with all that was started in it (kill_strays = false)");
  if (unit.exitCodes.length !== 1 || unit.exitCodes[0] !== 0) {
    note(
      `only exit code 0 is a success (exit_codes = [${
        unit.exitCodes.join(", ")
      }]): map the others in the script`,
    );
  }
}
