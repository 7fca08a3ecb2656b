import { readingOf } from "../core/time.ts";
import { type Network, parseNetwork } from "../core/addresses.ts";
import { type AuthSettings, authSettings } from "../core/auth_settings.ts";
import { Fault } from "../fault.ts";
import type { AuthSetup } from "../http/auth/auth.ts";
import type { OwnerOf } from "../http/auth/client.ts";
import { passwordOf } from "../http/auth/password.ts";
import type { Clock } from "../io/clock.ts";
import type { Store } from "../io/store/store.ts";
import { type CertificateFiles, ownCertificate, readCertificate } from "../io/tls.ts";
import type { DaemonSettings } from "../types.ts";

/** Who may come in and how, settled from configuration and environment; fixed for the daemon's life. */
export interface Access {
  auth: AuthSettings;
  trustedProxies: Network[];
  tls: { kind: "off" } | { kind: "own" } | { kind: "files"; cert: string; key: string };
}

/** Settles access; `SVC_TRUSTED_PROXIES` and `SVC_TLS` beat the configuration. Throws `Fault` for values that mean nothing. */
export function accessOf(
  daemon: DaemonSettings,
  env: Readonly<Record<string, string | undefined>>,
): Access {
  return {
    auth: authSettings(env),
    trustedProxies: trustedProxies(daemon, env.SVC_TRUSTED_PROXIES),
    tls: tlsOf(daemon, env.SVC_TLS),
  };
}

/** The certificate to serve with; undefined for plain HTTP. The daemon's own one is for this machine's names, `host` and the host of `external_url`. */
export async function certificateOf(
  { tls }: Access,
  options: {
    dataDir: string;
    host: string;
    externalUrl: string;
    now: number;
    warn: (sentence: string) => void;
  },
): Promise<CertificateFiles | undefined> {
  if (tls.kind === "off") return undefined;
  if (tls.kind === "files") return readCertificate(tls, options);
  const { dataDir, host, externalUrl, now } = options;
  const external = URL.parse(externalUrl)?.hostname.replace(/^\[(.*)\]$/, "$1");
  const names = [
    "localhost",
    "127.0.0.1",
    "::1",
    ...machineNames(),
    isWildcard(host) ? undefined : host,
    external,
  ];
  return await ownCertificate(`${dataDir}/tls`, {
    names: [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[],
    now,
  });
}

/** What authentication is made from. */
export function authSetup(
  { auth, trustedProxies }: Access,
  options: { store: Store; clock: Clock; ageNow: () => number; ownerOf: OwnerOf; origin: () => string },
): AuthSetup {
  return {
    mode: auth.mode,
    password: passwordOf(auth),
    clock: { now: () => options.clock.now(), monotonic: () => readingOf(options.clock.monotonic()) },
    ageNow: options.ageNow,
    revocations: options.store.revocations,
    trustedProxies,
    hostNames: machineNames(),
    ownerOf: options.ownerOf,
    origin: options.origin,
  };
}

/** The address of a listener for clients on this machine; no slash at the end. */
export function originOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): string {
  const reachable = isWildcard(host) ? (host.includes(":") ? "::1" : "127.0.0.1") : host;
  return `${isTls ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || /^[0:]+$/.test(host);
}

/** What this machine calls itself, whole and short. */
function machineNames(): string[] {
  const name = Deno.hostname().toLowerCase();
  return [...new Set([name, name.split(".")[0]!])].filter((text) => text !== "");
}

function trustedProxies({ trustedProxies }: DaemonSettings, variable: string | undefined): Network[] {
  const source = variable ? "SVC_TRUSTED_PROXIES" : "trusted_proxies";
  const texts = variable ? variable.split(",").map((text) => text.trim()) : trustedProxies;
  return texts.filter((text) => text !== "").map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined) return network;
    throw new Fault(
      "invalid",
      `cannot start: "${text}" in ${source} is no network; write an address with a prefix, as in "10.0.0.0/8"`,
    );
  });
}

function tlsOf({ tls, tlsCert, tlsKey }: DaemonSettings, variable: string | undefined): Access["tls"] {
  if (variable && variable !== "auto" && variable !== "off") {
    throw new Fault(
      "invalid",
      `cannot start with SVC_TLS "${variable}": set it to auto or off, or leave it out`,
    );
  }
  if (variable === "off") return { kind: "off" };
  if (tlsCert !== undefined && tlsKey !== undefined) return { kind: "files", cert: tlsCert, key: tlsKey };
  return { kind: (variable || tls) === "auto" ? "own" : "off" };
}
