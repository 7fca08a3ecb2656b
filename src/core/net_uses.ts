import type { Config, Notifier, Service, Task } from "../types.ts";

/** Something in the configuration for which the daemon opens connections. */
export interface NetUse {
  /** The key that says so, e.g. `services.web.health_check.http`. */
  key: string;
  /** Where they lead: "host:port". */
  address: string;
}

/** All that the daemon opens connections for: those of its units in their order, then notifiers in theirs. */
export function netUses({ units, notify }: Config): NetUse[] {
  return [
    ...units.flatMap((unit) => unit.kind === "service" ? usesOfService(unit) : usesOfTask(unit)),
    ...notify.notifiers.flatMap((notifier) => {
      const address = addressOfNotifier(notifier);
      return address === undefined ? [] : [{ key: `notifiers.${notifier.id}`, address }];
    }),
  ];
}

function usesOfService({ name, healthCheck }: Service): NetUse[] {
  const probe = healthCheck?.probe;
  if (probe === undefined || probe.kind === "run") return [];
  const address = probe.kind === "tcp" ? addressOf(probe.host, probe.port) : addressOfUrl(probe.url);
  return [{ key: `services.${name}.health_check.${probe.kind}`, address }];
}

function usesOfTask({ name, pingUrl }: Task): NetUse[] {
  return pingUrl === undefined ? [] : [{ key: `tasks.${name}.ping_url`, address: addressOfUrl(pingUrl) }];
}

/** Where messages to a notifier go; undefined for one that stays on this machine. */
function addressOfNotifier({ type, settings }: Notifier): string | undefined {
  switch (type) {
    case "sendmail":
      return undefined;
    case "smtp":
      return addressOf(String(settings["host"]), Number(settings["port"]));
    case "telegram":
      return "api.telegram.org:443";
    case "pushover":
      return "api.pushover.net:443";
    default:
      return addressOfUrl(String(settings["url"]));
  }
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
