import { isTable, type Table } from "../../../core/config/source.ts";
import { parseDuration } from "../../../core/duration.ts";
import { withFallbacks } from "./interpolate.ts";
import { shown, textOf } from "./plain.ts";

/** What `[compose.ALIAS.SERVICE]` says where svc would not take it from the compose file by itself. */
export interface ServiceTable {
  settings: Table;
  notes: string[];
}

/** What a service is to the others of its file. */
export interface Among {
  alias: string;
  /** The services that are taken, by name. */
  taken: ReadonlyMap<string, Table>;
  /** Names of those that others wait for until they have ended. */
  awaited: ReadonlySet<string>;
}

/** The table of a service, with what it extends; `unknown` is what of that is not in the file: compose's own defaults, copies, and what it waits for. */
export function serviceTable(
  service: Table,
  { name, unknown, among }: { name: string; unknown: string | undefined; among: Among },
): ServiceTable {
  const parts = [
    restartOf(service, { isAwaited: among.awaited.has(name), unknown }),
    stopOf(service),
    copiesOf(service),
    dependenciesOf(service, among),
  ];
  return {
    settings: Object.assign({}, ...parts.map(({ settings }) => settings)),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** Whether a service says itself that it is not to be started again when it ends. */
export function endsByItself(service: Table): boolean {
  const condition = conditionOf(service);
  if (condition !== undefined) return (conditions.get(withFallbacks(condition) ?? "") ?? "never") === "never";
  return service["restart"] === "no" || service["restart"] === false;
}

/** Whether a service says nowhere when it is to be started again. */
export function namesNoRestart(service: Table): boolean {
  const raw = service["restart"];
  return conditionOf(service) === undefined && (raw === undefined || raw === null || raw === "");
}

function restartOf(
  service: Table,
  { isAwaited, unknown }: { isAwaited: boolean; unknown: string | undefined },
): ServiceTable {
  const condition = conditionOf(service);
  if (condition !== undefined) {
    const text = withFallbacks(condition);
    const restart = conditions.get(text ?? "");
    if (restart !== undefined) {
      const isPlain = text === condition;
      return isPlain ? { settings: { restart }, notes: [] } : told(
        { restart },
        `the condition of deploy.restart_policy is a variable of the file: ${
          JSON.stringify(text)
        } was taken for it`,
      );
    }
    const what = condition === "" ? "names no condition" : `${JSON.stringify(condition)} says nothing to svc`;
    return told({ restart: "never" }, `deploy.restart_policy ${what}: it is not started again, set restart`);
  }
  const raw = service["restart"];
  if (raw === undefined || raw === null || raw === "") {
    const settings = { restart: "never" };
    if (unknown !== undefined) {
      return told(
        settings,
        `whether ${unknown} says when it is started again is not known, so it is not: set restart`,
      );
    }
    if (!isAwaited) return { settings, notes: [] };
    return told(
      settings,
      "another service waits for its end: it runs once at each start of the daemon. A task in its place could " +
        "be run by request",
    );
  }
  const text = typeof raw === "string" ? withFallbacks(raw) : textOf(raw);
  const [policy = "", count] = (text ?? "").split(":");
  const own = policies.get(policy);
  if (text === undefined || own === undefined) {
    return told(
      { restart: "never" },
      `restart ${shown(raw)} says nothing to svc, so it is not started again when it ends: set restart`,
    );
  }
  // A plain word is read by svc from the file; one that a variable stands for is not.
  const settings: Table = text === textOf(raw) ? {} : { restart: own };
  const notes = text === textOf(raw)
    ? []
    : [`restart is a variable of the file: ${JSON.stringify(text)} was taken for it`];
  const retries = own === "on_failure" ? Number(count ?? NaN) : NaN;
  if (Number.isInteger(retries) && retries >= 0 && retries <= 1000) {
    settings["start_retries"] = retries;
    notes.push(
      `start_retries = ${retries} is near to ${
        JSON.stringify(raw)
      }: it counts starts in a row that end before healthy_after`,
    );
  }
  return { settings, notes };
}

const policies: ReadonlyMap<string, string> = new Map([
  ["no", "never"],
  ["false", "never"],
  ["always", "always"],
  ["unless-stopped", "always"],
  ["on-failure", "on_failure"],
]);

/** Of `deploy.restart_policy`, which compose prefers to `restart`. */
const conditions: ReadonlyMap<string, string> = new Map([
  ["any", "always"],
  ["always", "always"],
  ["unless-stopped", "always"],
  ["on-failure", "on_failure"],
  ["none", "never"],
  ["no", "never"],
  ["false", "never"],
]);

function conditionOf(service: Table): string | undefined {
  const policy = at(service, "deploy", "restart_policy");
  // Without a condition docker compose hands none on, and docker takes that for "no".
  return isTable(policy) ? textOf(policy["condition"]) : undefined;
}

/** Compose waits 10 s where the file says nothing, svc 5 s. */
function stopOf(service: Table): ServiceTable {
  const settings: Table = {};
  const notes: string[] = [];
  const grace = service["stop_grace_period"];
  const plain = typeof grace === "string" ? withFallbacks(grace) : undefined;
  if (grace === undefined || grace === null) settings["graceful_stop"] = "10s";
  else if (plain !== grace || !/^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/.test(plain)) {
    const isTime = plain !== undefined && parseDuration(plain) !== undefined;
    settings["graceful_stop"] = isTime ? plain : "10s";
    notes.push(`stop_grace_period ${shown(grace)} is written as ${settings["graceful_stop"]} here`);
  }
  const signal = service["stop_signal"];
  if (signal === undefined || signal === null) return { settings, notes };
  const name = typeof signal === "string" ? withFallbacks(signal) : undefined;
  if (name === signal && signals.test(name)) return { settings, notes };
  const isKnown = name !== undefined && signals.test(name);
  settings["stop_signal"] = isKnown ? name : "SIGTERM";
  notes.push(
    isKnown
      ? `stop_signal is a variable of the file: ${name} was taken for it`
      : `stop_signal ${shown(signal)} can't be sent by svc, SIGTERM stands in for it`,
  );
  return { settings, notes };
}

const signals =
  /^(?:SIG)?(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR[12]|SEGV|PIPE|ALRM|TERM|CONT|STOP|TSTP|WINCH|IO|PWR|SYS)$/i;

function copiesOf(service: Table): ServiceTable {
  const raw = service["scale"] ?? at(service, "deploy", "replicas");
  if (raw === undefined || raw === null) return { settings: {}, notes: [] };
  const count = Number(typeof raw === "string" ? withFallbacks(raw) ?? NaN : raw);
  if (count === 0) return told({ autostart: false }, "it is scaled to 0: it starts by request alone");
  if (!Number.isInteger(count) || count < 0) {
    return told({}, `its number of copies, ${shown(raw)}, is none that svc can read: set instances`);
  }
  if (count === 1) return { settings: {}, notes: [] };
  if (count > MOST_INSTANCES) {
    return told(
      { instances: MOST_INSTANCES },
      `it is scaled to ${count}: ${MOST_INSTANCES} instances are the most`,
    );
  }
  const settings = { instances: count };
  const ports = fixedPorts(service["ports"]);
  if (ports.length === 0) return { settings, notes: [] };
  return told(
    settings,
    `${count} instances can't all have port ${
      ports.join(", ")
    } of this machine: only the first starts, as with ` +
      "compose; give it one instance, or let docker choose the port",
  );
}

const MOST_INSTANCES = 64;

/** The ports of this machine that a service takes for itself. */
function fixedPorts(ports: unknown): string[] {
  if (!Array.isArray(ports)) return [];
  return ports.flatMap((port) => {
    if (isTable(port)) {
      const published = textOf(port["published"]);
      return published === "" || published === "0" || published.includes("-") ? [] : [published];
    }
    // HOST:CONTAINER or IP:HOST:CONTAINER; variables may hold colons.
    const parts = textOf(port).match(/(?:\$\{[^}]*\}|[^:])+/g) ?? [];
    const published = parts.length < 2 ? "" : parts.at(-2) ?? "";
    return published === "" || /^\d+-/.test(published) ? [] : [withFallbacks(published) ?? published];
  });
}

function dependenciesOf(service: Table, { alias, taken }: Among): ServiceTable {
  const own = service["depends_on"];
  const needs = Array.isArray(own)
    ? own.map((name): [string, Table] => [textOf(name), {}])
    : isTable(own)
    ? Object.entries(own).map(([name, how]): [string, Table] => [name, isTable(how) ? how : {}])
    : [];
  const notes: string[] = [];
  const kept: string[] = [];
  let isOther = false;
  for (const [name, { condition, restart, required }] of needs) {
    const needed = taken.get(name);
    const quoted = JSON.stringify(name);
    if (needed === undefined) {
      notes.push(`it depends on ${quoted}, which is not taken: it does not wait for it`);
      continue;
    }
    if (condition === "service_completed_successfully") {
      isOther = true;
      notes.push(`it does not wait for the end of ${quoted}: svc waits for services that run, not for ends`);
      continue;
    }
    if (condition !== "service_healthy" && endsByItself(needed)) {
      isOther = true;
      notes.push(`it does not wait for ${quoted}, which may have ended before svc would call it healthy`);
      continue;
    }
    kept.push(`${alias}.${name}`);
    if (condition === "service_healthy") {
      notes.push(
        `it waits until ${quoted} has run for healthy_after (5 s): svc asks for no health inside containers`,
      );
    }
    if (restart === true) notes.push(`it is not restarted when ${quoted} is`);
    if (required === false) notes.push(`it waits for ${quoted} also where compose would go on without it`);
  }
  // What is not taken is left out by svc itself.
  return { settings: isOther ? { depends_on: kept } : {}, notes };
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => isTable(inner) ? inner[key] : undefined, value);
}

function told(settings: Table, note: string): ServiceTable {
  return { settings, notes: [note] };
}
