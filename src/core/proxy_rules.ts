import { isLoopback } from "./addresses.ts";

/** Variables that name a proxy for requests; each counts in capitals and in small letters. */
export const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((
  name,
) => [name, name.toLowerCase()]);

/** Whether an environment sends requests to other machines through a proxy. */
export function namesProxy(env: Readonly<Record<string, string>>): boolean {
  return proxyVariables.some((name) => env[name] !== undefined && env[name] !== "");
}

/** Whether a web address is one of this machine, which is never asked through a proxy: it would ask another one. */
export function isOwnMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return host === "localhost" || host.endsWith(".localhost") || isLoopback(host);
}
