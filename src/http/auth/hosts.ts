import type { Context } from "@hono/hono";
import { isLoopback, parseAddress } from "../../core/addresses.ts";
import { isHost } from "../../core/host.ts";
import { problem } from "../problems.ts";
import type { Env } from "../router.ts";

/** The names under which this machine and this daemon are known. */
export interface KnownHosts {
  /** Names of this machine, lower case. */
  hostNames: readonly string[];
  /** The address under which people reach the page, or "". */
  externalUrl: () => string;
}

/**
 * The host of a request without its port, in lower case; empty when it names none that could be one. HTTP/2 has no
 * Host header: the address of the request tells it.
 */
export function hostOf(c: Context<Env>): { name: string; withPort: string } {
  const text = c.req.header("host") ?? URL.parse(c.req.url)?.host ?? "";
  const url = isHost(text) ? URL.parse(`http://${text}`) : undefined;
  return { name: url?.hostname.replace(/\.$/, "") ?? "", withPort: text.toLowerCase() };
}

/**
 * Whether the host of a request is an IP address, `localhost`, a name of this machine or the host of `external_url`.
 * A browser that was lured to another name (DNS rebinding) can't change that header.
 */
export function isKnownHost(c: Context<Env>, { hostNames, externalUrl }: KnownHosts): boolean {
  const { name } = hostOf(c);
  return ["localhost", ...hostNames, URL.parse(externalUrl())?.hostname].includes(name) ||
    parseAddress(withoutBrackets(name)) !== undefined;
}

/** Whether the host of a request is one by which a machine speaks to itself. */
export function isOwnHost(c: Context<Env>, { hostNames }: Pick<KnownHosts, "hostNames">): boolean {
  const { name } = hostOf(c);
  return ["localhost", ...hostNames].includes(name) || isLoopback(withoutBrackets(name));
}

/** The refusal of a host that is not known. */
export function unknownHost(c: Context<Env>): Response {
  return problem(c, "forbidden", {
    detail: `the host "${hostOf(c).name}" is none of this machine's: use an IP address or localhost, ` +
      "or set external_url in [daemon]",
  });
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[(.*)\]$/, "$1");
}
