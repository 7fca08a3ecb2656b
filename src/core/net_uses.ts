import type { Config } from "../types.ts";

/** Something in the configuration for which the daemon opens connections. */
export interface NetUse {
  /** The key that says so, e.g. `services.web.health_check.http`. */
  key: string;
  /** Where they lead: "host:port". */
  address: string;
}

/** All that the daemon opens connections for, in order of its units. */
export function netUses({ units }: Config): NetUse[] {
  return units.flatMap((unit) => {
    const probe = unit.kind === "service" ? unit.healthCheck?.probe : undefined;
    if (probe === undefined || probe.kind === "run") return [];
    const address = probe.kind === "tcp" ? addressOf(probe.host, probe.port) : addressOfUrl(probe.url);
    return [{ key: `services.${unit.name}.health_check.${probe.kind}`, address }];
  });
}

/** "host:port", the same for all spellings of a host. */
export function addressOf(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`.toLowerCase();
}

/** Where a request for a web address goes: "host:port". Throws `TypeError` for what is no address. */
export function addressOfUrl(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? protocol === "https:" ? 443 : 80 : port}`;
}
