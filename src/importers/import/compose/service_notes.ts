import { isTable, type Table } from "../../../core/config/source.ts";
import { readShell } from "../shell_text.ts";
import { shown, textOf } from "./plain.ts";
import { schedulesIn } from "./schedules.ts";

/**
 * What a user of a compose file must know of a service that svc runs out of it: where it is not as it was under
 * `docker compose up`. `lineOf` finds the line of a key of the service.
 */
export function serviceNotes(service: Table, lineOf: (...path: string[]) => number): string[] {
  return [
    ...commandNotes(service),
    ...kept.flatMap(([key, note]) => isSet(service[key]) ? [note] : []),
    ...volumeNotes(service),
    ...healthNotes(service),
    ...limitNotes(service),
    ...neighbourNotes(service),
    ...extendsNotes(service),
    ...scheduleNotes(service, lineOf),
  ];
}

/** Keys that hold for containers of `docker compose up`, and what becomes of them. */
const kept: readonly (readonly [key: string, note: string])[] = [
  ["secrets", "its secrets are handed over by docker: svc neither reads nor masks them"],
  ["configs", "its configs are handed over by docker: svc does not look at them"],
  ["post_start", "post_start belongs to docker compose up: svc does not run it"],
  ["pre_stop", "pre_stop belongs to docker compose: svc stops a container by its signal alone"],
  ["tty", "it gets no terminal: svc reads its output from a pipe"],
  ["stdin_open", "its standard input is empty"],
  ["develop", "develop is for docker compose watch: svc watches no sources"],
];

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}

/** A text as a command is split into words, and meets no shell. */
function commandNotes(service: Table): string[] {
  return ["entrypoint", "command"].flatMap((key) => {
    const command = service[key];
    if (typeof command !== "string") return [];
    const sign = /(?:^|\s)(&&|\|\|?|;|>>?|<|&)(?:\s|$)/.exec(withoutQuoted(command))?.[1];
    if (sign === undefined) return [];
    const fault = readShell(command).fault;
    return fault === undefined
      ? [`its ${key} meets no shell: ${JSON.stringify(sign)} in it is an argument, as with compose`]
      : [];
  });
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/\\.|"(?:\\.|[^"\\])*"|'[^']*'/gs, "x");
}

/** What `docker compose up` keeps from one container to the next, `docker compose run --rm` removes. */
function volumeNotes(service: Table): string[] {
  const volumes = Array.isArray(service["volumes"]) ? service["volumes"] : [];
  const nameless = volumes.flatMap((volume) => {
    if (!isTable(volume)) return /^[^:$]+$/.test(textOf(volume)) ? [textOf(volume)] : [];
    const isVolume = (volume["type"] ?? "volume") === "volume" && !isSet(volume["source"]);
    return isVolume ? [textOf(volume["target"])] : [];
  });
  if (nameless.length === 0) return [];
  return [
    `each of its lives has a new container: what lies in ${
      nameless.join(", ")
    } is gone with it, name the volume`,
  ];
}

function healthNotes(service: Table): string[] {
  const check = service["healthcheck"];
  if (!isTable(check) || check["disable"] === true) return [];
  const test = check["test"];
  if (test === "NONE" || (Array.isArray(test) && test[0] === "NONE")) return [];
  return [
    "its healthcheck is run by docker, and svc does not ask for the result: health_check in its table is svc's own",
  ];
}

function limitNotes(service: Table): string[] {
  const deploy = service["deploy"];
  const resources = isTable(deploy) ? deploy["resources"] : undefined;
  const keys = [
    ...(isTable(resources) && isTable(resources["limits"])
      ? Object.keys(resources["limits"]).map((key) => `deploy.resources.limits.${key}`)
      : []),
    ...["mem_limit", "cpus", "pids_limit"].filter((key) => isSet(service[key])),
  ];
  if (keys.length === 0) return [];
  return [`${keys.join(", ")}: held by docker; svc's own limits would hold for the docker client alone`];
}

/** What names a container of another service, which compose looks for among those that it keeps itself. */
function neighbourNotes(service: Table): string[] {
  const modes = ["network_mode", "pid", "ipc"].flatMap((key) => {
    const mode = service[key];
    return typeof mode === "string" && mode.startsWith("service:") ? [`${key} ${JSON.stringify(mode)}`] : [];
  });
  const from = service["volumes_from"];
  if (Array.isArray(from) && from.length > 0) modes.push(`volumes_from ${from.map(shown).join(", ")}`);
  return modes.map((mode) =>
    `${mode} needs a container that "docker compose up" made: those that svc starts are made by "docker compose ` +
    'run", and compose does not find them'
  );
}

function extendsNotes(service: Table): string[] {
  const base = service["extends"];
  // What stands in the same file is followed.
  if (!isTable(base) || !isSet(base["file"])) return [];
  const name = `${textOf(base["service"])} of ${textOf(base["file"])}`;
  return [
    `it extends ${name}, which docker compose follows and svc does not: what stands there of restart, stops, ` +
    "copies and dependencies has to be said in its table",
  ];
}

function scheduleNotes(service: Table, lineOf: (...path: string[]) => number): string[] {
  const told = (["labels", "environment"] as const).flatMap((key) =>
    schedulesIn(service[key]).map(({ name, value, at }) => {
      const line = lineOf(key, at);
      const where = line > 0 ? ` (line ${line})` : "";
      const fields = value.trim().split(/\s+/).length;
      if (key === "environment") {
        return `${name} = ${
          JSON.stringify(value)
        }${where} is a schedule that the program in the container keeps`;
      }
      return `the label ${name} = ${
        JSON.stringify(value)
      }${where} is a schedule for another program: svc makes no task of it` +
        (fields === 6 ? "; six fields begin with seconds there, as in svc" : "");
    })
  );
  const most = 20;
  return told.length <= most ? told : [...told.slice(0, most), `${told.length - most} schedules more`];
}
