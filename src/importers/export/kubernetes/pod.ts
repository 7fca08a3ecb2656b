import type { Unit } from "../../../types.ts";
import { shellFlags } from "../../../core/posix_shell.ts";
import {
  defaultArguments,
  mentions,
  plainEnvironment,
  secretEnvironment,
  wholeSeconds,
} from "../unit_facts.ts";
import { type Making, type Manifest, manifestFile, metadataOf, scriptFolder } from "./manifest.ts";
import type { ExportFile } from "../exported.ts";

/** The pod of a unit; `own` are what its container has beyond that: probes. */
export function podOf(
  unit: Unit,
  { making, restartPolicy, own = {} }: { making: Making; restartPolicy: "Never" | "Always"; own?: Manifest },
): Manifest {
  const { name, order } = making;
  const hasSecrets = Object.keys(secretEnvironment(unit)).length > 0;
  return {
    restartPolicy,
    terminationGracePeriodSeconds: wholeSeconds(unit.gracefulStop),
    securityContext: accountOf(unit, making),
    containers: [{
      name,
      image: order.image ?? "IMAGE",
      command: scriptCommand(unit, { file: "run", args: defaultArguments(unit) }),
      workingDir: folderOf(unit, making),
      env: environmentOf(unit, making),
      envFrom: hasSecrets ? [{ secretRef: { name: `${name}-secrets` } }] : undefined,
      resources: resourcesOf(unit, making),
      ...own,
      volumeMounts: [{ name: "script", mountPath: scriptFolder, readOnly: true }],
    }],
    volumes: [{ name: "script", configMap: { name: `${name}-script`, defaultMode: 0o555 } }],
  };
}

/** The command that runs a script of the unit's ConfigMap. */
export function scriptCommand(
  unit: Unit,
  { file, args = [] }: { file: "run" | "health"; args?: readonly string[] },
): string[] {
  const flags = shellFlags(unit);
  return [unit.shell, ...flags, `${scriptFolder}/${file}`, ...args.map(literal)];
}

/** The scripts of a unit, untouched. */
export function scriptMap(unit: Unit, name: string): Manifest {
  const probe = unit.kind === "service" ? unit.healthCheck?.probe : undefined;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadataOf(unit, `${name}-script`),
    data: { run: unit.run, health: probe?.kind === "run" ? probe.run : undefined },
  };
}

/** The file of a unit's secrets, with placeholders unless values are wanted; none where there are none. */
export function secretFile(unit: Unit, { name, order, account }: Making): ExportFile[] {
  const secrets = Object.entries(secretEnvironment(unit));
  if (secrets.length === 0) return [];
  const file = `${name}.secret.yaml`;
  const isKey = (variable: string) => /^[-._A-Za-z0-9]+$/.test(variable);
  for (const [variable] of secrets) {
    if (!isKey(variable)) account.note(unit, `a Secret can't hold "${variable}", for its name`);
  }
  account.note(
    unit,
    order.withSecrets
      ? `the values of its secrets are in ${file}: keep it out of sight`
      : `the values of its secrets are left out: put them in place of ${placeholder} in ${file}, or add --with-secrets`,
  );
  const document = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadataOf(unit, `${name}-secrets`),
    type: "Opaque",
    stringData: Object.fromEntries(
      secrets.filter(([variable]) => isKey(variable)).map((
        [variable, value],
      ) => [variable, order.withSecrets ? value : placeholder]),
    ),
  };
  return [manifestFile(unit, { name: file, documents: [document], secret: true })];
}

/** Notes what a container can't say of any unit. */
export function notePod(unit: Unit, { account }: Making): void {
  const note = (message: string) => account.note(unit, message);
  if (unit.stopSignal !== "SIGTERM") {
    note(`the image decides the signal that stops it (stop_signal = "${unit.stopSignal}")`);
  }
  if (unit.umask !== undefined) {
    note(`its umask is the image's: set it in the script (umask = "${unit.umask}")`);
  }
  if (!unit.killStrays) note("a pod ends as a whole, with all that was started in it (kill_strays = false)");
  if (unit.exitCodes.length !== 1 || unit.exitCodes[0] !== 0) {
    note(
      `only exit code 0 is a success (exit_codes = [${
        unit.exitCodes.join(", ")
      }]): map the others in the script`,
    );
  }
}

const placeholder = "CHANGE_ME";

/** Kubernetes replaces `$(NAME)` in arguments and values, and makes one dollar of two. */
function literal(text: string): string {
  return text.replace(/\$(?=[$(])/g, "$$$$");
}

function environmentOf(unit: Unit, { account }: Making): Manifest[] | undefined {
  const env: Manifest[] = unit.envBase === "clean" ? [{ name: "PATH", value: "/usr/bin:/bin" }] : [];
  const add = (name: string, value: string) => {
    const known = env.find((one) => one.name === name);
    if (known === undefined) env.push({ name, value });
    else known.value = value;
  };
  for (const [name, value] of Object.entries(plainEnvironment(unit))) {
    if (/^[-._A-Za-z][-._A-Za-z0-9]*$/.test(name)) add(name, literal(value));
    else account.note(unit, `a container can't have the variable "${name}", for its name`);
  }
  if (mentions(unit, "SVC_TASK")) add("SVC_TASK", unit.name);
  if (mentions(unit, "SVC_INSTANCE")) {
    if (unit.kind === "service" && unit.instances > 1) {
      account.note(
        unit,
        "its instances have no numbers (SVC_INSTANCE): make it a StatefulSet if it needs them",
      );
    } else add("SVC_INSTANCE", "0");
  }
  return env.length === 0 ? undefined : env;
}

function folderOf(unit: Unit, { account }: Making): string | undefined {
  if (!unit.workingDir.startsWith("~")) return unit.workingDir;
  account.note(unit, `its folder is the image's (working_dir = "${unit.workingDir}" is a home)`);
  return undefined;
}

function accountOf(unit: Unit, { account }: Making): Manifest | undefined {
  if (unit.user === undefined) return undefined;
  const [user = "", group = ""] = unit.user.split(":");
  if (/^\d+$/.test(user) && /^\d*$/.test(group)) {
    return { runAsUser: Number(user), runAsGroup: group === "" ? undefined : Number(group) };
  }
  // root has the same number everywhere.
  if (user === "root" && /^(?:root|\d*)$/.test(group)) {
    return { runAsUser: 0, runAsGroup: group === "" ? undefined : group === "root" ? 0 : Number(group) };
  }
  account.note(unit, `accounts are numbers in a cluster: set runAsUser for user = "${unit.user}"`);
  return undefined;
}

function resourcesOf(
  { limits: { memory, cpu, pids }, ...unit }: Unit,
  { account }: Making,
): Manifest | undefined {
  if (pids !== undefined) {
    account.note(unit, `the node limits the number of processes (limits.pids = ${pids})`);
  }
  if (memory === undefined && cpu === undefined) return undefined;
  return {
    limits: {
      memory: memory === undefined
        ? undefined
        : memory % 2 ** 20 === 0
        ? `${memory / 2 ** 20}Mi`
        : String(memory),
      cpu: cpu === undefined ? undefined : `${Math.ceil(cpu * 1000)}m`,
    },
  };
}
