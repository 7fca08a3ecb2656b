import type { ComposeImport, Place, Service } from "../../types.ts";
import { messageOf } from "../../fault.ts";
import { type ComposeService, readComposeFile } from "../compose/file.ts";
import { composeScript } from "../compose/script.ts";
import { nearest } from "../nearest.ts";
import type { Context } from "./context.ts";
import { folderOf } from "./path.ts";
import { NAME_PATTERN, type Named } from "./gather.ts";
import { createReport } from "./report.ts";
import { readService, type UnitInput, warnOfOwners } from "./units.ts";
import { quoted } from "./values.ts";

/** Things that one warning tells. */
const mostNotes = 20;
const namePattern = new RegExp(NAME_PATTERN);

/** A service of a compose file, and the table that differs from it. */
export interface FoundService {
  unit: Service;
  found: Named;
}

/**
 * The services that `[compose.ALIAS]` takes in (docs/configuration.md#composealias). What the compose file says of restarts and stops counts,
 * unless the alias has a table of its own for the service. `found`: where the alias stands.
 */
export function readComposeServices(
  one: ComposeImport,
  { found, input }: { found: Named; input: UnitInput },
): FoundService[] {
  const { context } = input;
  const at = (...path: string[]) => ({ file: found.file, path: [...found.path, ...path] });
  const document = parse(one.file, context);
  if ("fault" in document) {
    context.report.error(at("file"), `cannot use ${quoted(one.file)}: ${document.fault}`);
    return [];
  }
  const reading = readComposeFile(document.value, { wanted: one.services, profiles: one.profiles });
  if ("fault" in reading) {
    const key = one.services === undefined ? "file" : "services";
    context.report.error(at(key), `cannot use ${quoted(one.file)}: ${reading.fault}`);
    return [];
  }
  // A place has one warning.
  const notes = [...reading.notes, ...unreadNotes(reading.services, one)];
  if (notes.length > 0) context.report.warning(at("file"), notes.join("; "));
  const names = new Set(reading.services.map(({ name }) => name));
  for (const service of Object.keys(one.overrides)) {
    // What "services" does not name has been told.
    if (names.has(service) || one.services !== undefined) continue;
    context.report.error(at(service), () => {
      const near = nearest(service, names);
      const hint = near === undefined ? "" : `: did you mean "${near}"?`;
      return `no service ${quoted(service)} is taken from ${one.file}${hint}`;
    });
  }
  const projectName = one.projectName ?? reading.project ?? defaultProject(one.file);
  const nameOf = (service: string): string =>
    one.nameFormat.replaceAll("{alias}", one.alias).replaceAll("{service}", service);
  return reading.services.flatMap((service) => {
    const name = nameOf(service.name);
    if (!namePattern.test(name)) {
      const why = "it must begin with a letter or digit and hold only letters, digits, and . _ : -";
      context.report.error(at("name_format"), `${quoted(name)} can be no name of a service: ${why}`);
      return [];
    }
    const dependsOn = service.dependsOn.filter((other) => names.has(other)).map(nameOf);
    return read(service, { one, name, dependsOn, projectName, found, input });
  });
}

/** What the file of svc says of a service; a service may be called as what every object has. */
function overrideOf({ overrides }: ComposeImport, service: string): Record<string, unknown> | undefined {
  return Object.hasOwn(overrides, service) ? overrides[service] : undefined;
}

/** What a compose file says that is not followed, unless the table of a service says it. */
function unreadNotes(services: readonly ComposeService[], one: ComposeImport): string[] {
  const found = services.flatMap(({ name, unread }) => {
    const open = Object.entries(unread).filter(([key]) => overrideOf(one, name)?.[key] === undefined);
    return [...new Set(open.map(([, why]) => why))].map((why) => {
      const keys = open.filter(([, other]) => other === why).map(([key]) => key);
      return `${name}: ${why}, which leaves ${keys.join(", ")} as usual`;
    });
  });
  if (found.length === 0) return [];
  const more = found.length <= mostNotes ? "" : `; and ${found.length - mostNotes} more`;
  return [`${found.slice(0, mostNotes).join("; ")}${more}: say it in [compose.${one.alias}.SERVICE]`];
}

function read(
  service: ComposeService,
  { one, name, dependsOn, projectName, found, input }: {
    one: ComposeImport;
    name: string;
    dependsOn: string[];
    projectName: string;
    found: Named;
    input: UnitInput;
  },
): FoundService[] {
  const override = overrideOf(one, service.name);
  const path = override === undefined ? found.path : [...found.path, service.name];
  const place: Place = override === undefined ? one.place : input.placeOf({ ...found, path });
  const own: Named = {
    file: found.file,
    path,
    name,
    raw: {
      shell: "/bin/sh",
      pipefail: false,
      group: one.group,
      depends_on: dependsOn,
      ...service.settings,
      ...override,
      run: "docker compose",
    },
  };
  // What is wrong with the override has been told; what is left is what the compose file says.
  const report = createReport();
  const context = { ...input.context, report };
  const unit = readService(own, { ...input, context, placeOf: () => place });
  if (override === undefined) {
    for (const { path: key, message, severity } of report.findings()) {
      if (severity === "warning") continue;
      const what = key.slice(path.length).join(".");
      input.context.report.error(
        { file: found.file, path: [...found.path, "file"] },
        `cannot use service ${quoted(service.name)} of ${one.file}: ${what}: ${message}`,
      );
    }
  }
  if (unit.user === undefined) {
    const files = [one.file, unit.envFile, unit.secretsFile].filter((it) => it !== undefined);
    const site = { file: found.file, path, report: input.context.report };
    warnOfOwners(files, { context: input.context, site });
  }
  const variables = [...Object.keys(unit.env), ...Object.keys(unit.secrets)].toSorted();
  return [{
    found: own,
    unit: {
      ...unit,
      run: composeScript(one, { service: service.name, variables: [...new Set(variables)] }),
      compose: { file: one.file, projectName, service: service.name },
    },
  }];
}

/** As compose makes it of the folder that the file is in. */
function defaultProject(file: string): string {
  return folderOf(file).split("/").at(-1)!.toLowerCase().replace(/[^a-z0-9_-]/g, "");
}

function parse(file: string, { input, readText }: Context): { value: unknown } | { fault: string } {
  try {
    return input.parseYaml!(readText(file));
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
