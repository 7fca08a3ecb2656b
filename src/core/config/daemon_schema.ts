import { cidr, glob, hostPort, path, timeZone, webAddress } from "./formats.ts";
import { type Draft, section, type Shape } from "./section.ts";
import { choice, duration, flag, list, size, text, whole, words } from "./values.ts";

const daemon = {
  timezone: timeZone().describe("The zone of schedules that name none; default: the host's."),
  shutdown_timeout: duration().describe("When the daemon stops, what still runs after this is killed."),
  external_url: webAddress().describe(
    "The address under which people reach the page; used in notifications.",
  ),
  tls: choice("off", "auto").describe(
    "Whether the daemon speaks TLS with a certificate that it makes itself.",
  ),
  tls_cert: path().describe("A certificate chain in PEM form; needs tls_key."),
  tls_key: path().describe("The private key of tls_cert in PEM form."),
  trusted_proxies: list(cidr()).describe("Networks whose X-Forwarded headers are believed."),
  max_parallel_runs: whole({ min: 0 }).describe(
    "The most task runs at once over all tasks; 0 means no limit.",
  ),
  metrics: flag().describe("Whether GET /metrics answers."),
  metrics_listen: hostPort().describe("A listener of its own for metrics."),
  include: list(glob()).describe("Globs of further files, relative to this one; only in the root file."),
} satisfies Shape;

/** `[daemon]`. */
export const daemonSection = section(daemon, {
  defaults: {
    shutdown_timeout: "10s",
    tls: "off",
    trusted_proxies: [],
    max_parallel_runs: 0,
    metrics: false,
    include: [],
  },
});

const storage = {
  max_size: size().describe("The most that all logs together may take; 0 means no limit."),
  min_free_space: size().describe("Below this much free space output is no longer stored; 0 means no limit."),
} satisfies Shape;

/** `[storage]`. */
export const storageSection = section(storage, { defaults: { max_size: "10gb", min_free_space: "256mb" } });

const compose = {
  file: path().describe("The container-compose file."),
  services: list(words()).describe("The services to take; default: all of the file."),
  profiles: list(words()).describe("Profiles of the file that are switched on."),
  env_file: path().describe("A dotenv file for the compose file's own variables."),
  project_name: words().describe("The compose project; default: what the compose file or its folder says."),
  group: text().describe("The group of all its services."),
  name_format: text({
    check: (raw) =>
      raw.includes("{service}") ? undefined : 'needs "{service}" in it, or all services would share one name',
  }).describe("How the names are made from {alias} and {service}."),
  pull: choice("missing", "always", "never").describe("When images are fetched."),
  with_deps: flag().describe("Whether the services that a service depends on are started by compose too."),
} satisfies Shape;

/** `[compose.ALIAS]` without its tables per service. */
export const composeSection = section(compose, {
  required: ["file"],
  defaults: { profiles: [], group: "", name_format: "{alias}.{service}", pull: "missing", with_deps: false },
});

export type DaemonDraft = Draft<typeof daemon>;
export type StorageDraft = Draft<typeof storage>;
export type ComposeDraft = Draft<typeof compose>;
