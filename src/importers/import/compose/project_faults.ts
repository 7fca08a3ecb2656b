import { isTable, type Table } from "../../../core/config/source.ts";
import { shown, textOf } from "./plain.ts";

/**
 * Why docker compose refuses a file as a whole, by the services that it is about (compose-go, checkConsistency): then
 * no start of any of its services would succeed. What another file may add is not held against one that includes it.
 */
export function projectFaults(root: Table): Map<string, string> {
  const services = isTable(root["services"]) ? root["services"] : {};
  const isOpen = root["include"] !== undefined && root["include"] !== null;
  const faults = new Map<string, string>();
  for (const [name, service] of Object.entries(services)) {
    // What a profile holds back is not looked at.
    if (profilesOf(service).length > 0) continue;
    const fault = isTable(service)
      ? originFault(service) ?? (isOpen ? undefined : undefinedIn(service, { root, services }))
      : `${shown(service)} is no service`;
    if (fault !== undefined) faults.set(name, fault);
  }
  return faults;
}

function originFault(service: Table): string | undefined {
  const hasOrigin = ["image", "build", "extends", "provider"].some((key) => isSet(service[key]));
  return hasOrigin ? undefined : "it has neither an image nor a build";
}

function undefinedIn(
  service: Table,
  { root, services }: { root: Table; services: Table },
): string | undefined {
  const has = (section: string, name: string): boolean => {
    const known = root[section];
    return name === "" || name.includes("$") || (isTable(known) && Object.hasOwn(known, name));
  };
  for (const { how, name, needsProfile } of neighboursOf(service)) {
    if (name === "" || name.includes("$")) continue;
    if (!Object.hasOwn(services, name)) {
      return `${how} ${JSON.stringify(name)}, which is no service of this file`;
    }
    const [profile] = profilesOf(services[name]);
    if (needsProfile && profile !== undefined) {
      return `${how} ${JSON.stringify(name)}, of which the profile ${JSON.stringify(profile)} is off`;
    }
  }
  for (const [section, names] of Object.entries(resourcesOf(service))) {
    const missing = names.find((name) => !has(section, name));
    if (missing !== undefined) {
      return `it has ${JSON.stringify(missing)}, which ${section} of this file does not define`;
    }
  }
  return undefined;
}

/** Services that one speaks of. */
function neighboursOf(service: Table): { how: string; name: string; needsProfile?: true }[] {
  const needs = service["depends_on"];
  const names = Array.isArray(needs)
    ? needs.map(textOf)
    : Object.entries(isTable(needs) ? needs : {}).flatMap(([name, how]) =>
      isTable(how) && how["required"] === false ? [] : [name]
    );
  const base = service["extends"];
  const extended = isTable(base) ? (isSet(base["file"]) ? "" : textOf(base["service"])) : textOf(base);
  const modes = ["network_mode", "pid", "ipc"].flatMap((key) =>
    /^service:/.test(textOf(service[key]))
      ? [{ how: `its ${key} is that of`, name: textOf(service[key]).slice(8) }]
      : []
  );
  return [
    ...names.map((name) => ({ how: "it depends on", name, needsProfile: true } as const)),
    { how: "it extends", name: extended },
    ...modes,
  ];
}

/** What a service takes from the other sections of the file, by section. */
function resourcesOf(service: Table): Record<string, string[]> {
  const networks = service["networks"];
  const volumes = Array.isArray(service["volumes"]) ? service["volumes"] : [];
  const sources = (key: string): string[] => {
    const own = service[key];
    return Array.isArray(own) ? own.map((one) => isTable(one) ? textOf(one["source"]) : textOf(one)) : [];
  };
  return {
    volumes: volumes.map((volume) => {
      if (isTable(volume)) return (volume["type"] ?? "volume") === "volume" ? textOf(volume["source"]) : "";
      return /^([A-Za-z0-9][\w.-]+):/.exec(textOf(volume))?.[1] ?? "";
    }),
    networks:
      (Array.isArray(networks) ? networks.map(textOf) : Object.keys(isTable(networks) ? networks : {}))
        .filter((name) => name !== "default"),
    secrets: sources("secrets"),
    configs: sources("configs"),
  };
}

function profilesOf(service: unknown): string[] {
  const own = isTable(service) ? service["profiles"] : undefined;
  return Array.isArray(own) ? own.map(textOf) : [];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
