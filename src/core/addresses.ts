/** An IP address; an IPv4 address in IPv6 clothes (`::ffff:10.0.0.1`) is an IPv4 address. */
export interface Address {
  family: 4 | 6;
  bits: bigint;
}

/** All addresses that share their first `prefix` bits with `address`. */
export interface Network {
  address: Address;
  prefix: number;
}

/** Where a request comes from, as its connection and its headers tell. */
export interface Forwarding {
  /** The address at the other end of the connection. */
  peer: string;
  /** X-Forwarded-For, all of its lines joined by commas. */
  forwardedFor?: string | undefined;
  /** X-Forwarded-Proto. */
  forwardedProto?: string | undefined;
  /** Networks of proxies whose headers are believed. */
  trusted: readonly Network[];
}

/**
 * The canonical text of the address that a request really comes from: the right-most entry of X-Forwarded-For that
 * is no trusted proxy, as long as every hop to the right of it is one. What is no address ends the walk.
 */
export function clientAddress({ peer, forwardedFor, trusted }: Forwarding): string {
  let client = parseAddress(peer);
  if (client === undefined) return peer;
  for (const entry of (forwardedFor ?? "").split(",").reverse()) {
    if (!isWithin(client, trusted)) break;
    const next = parseForwarded(entry.trim());
    if (next === undefined) break;
    client = next;
  }
  return addressText(client);
}

/** Whether a trusted proxy says that its client came by https. */
export function isForwardedHttps({ peer, forwardedProto, trusted }: Forwarding): boolean {
  const address = parseAddress(peer);
  if (address === undefined || !isWithin(address, trusted)) return false;
  // A chain of proxies writes a list; the nearest one, which is the trusted one, writes last.
  return forwardedProto?.split(",").at(-1)?.trim().toLowerCase() === "https";
}

/**
 * What rate limits count by: an IPv4 address, or the /64 of an IPv6 address, since every household has a whole one
 * to choose addresses from; on loopback, where everybody may choose among millions, all together. Other texts stand for
 * themselves.
 */
export function rateLimitKey(text: string): string {
  if (isLoopback(text)) return localKey(undefined);
  const address = parseAddress(text);
  if (address === undefined) return text;
  if (address.family === 4) return addressText(address);
  return `${addressText({ family: 6, bits: (address.bits >> 64n) << 64n })}/64`;
}

/** What rate limits count clients on this machine by: their user, or all together where nobody can tell it. */
export function localKey(uid: number | undefined): string {
  return uid === undefined ? "this machine" : `uid ${uid}`;
}

/** Whether the text is an address of this machine's own loopback. */
export function isLoopback(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  return address.family === 4 ? address.bits >> 24n === 127n : address.bits === 1n;
}

/** Reads an IPv4 address in dotted decimal, or an IPv6 address in any spelling, with or without a zone; undefined for all else. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const bits = parseV4(text);
    return bits === undefined ? undefined : { family: 4, bits };
  }
  const bits = parseV6(text.replace(/%[^%/\s]+$/, ""));
  if (bits === undefined) return undefined;
  return bits >> 32n === 0xffffn ? { family: 4, bits: bits & 0xffffffffn } : { family: 6, bits };
}

/** Reads "address/prefix", or one address as the network of itself; undefined for all else. Bits behind the prefix don't count. */
export function parseNetwork(text: string): Network | undefined {
  const [head = "", tail, more] = text.split("/");
  const address = parseAddress(head);
  if (address === undefined || more !== undefined) return undefined;
  const whole = address.family === 4 ? 32 : 128;
  if (tail === undefined) return { address, prefix: whole };
  if (!/^\d{1,3}$/.test(tail)) return undefined;
  // The prefix of a mapped IPv4 address is written for all 128 bits.
  const isMapped = address.family === 4 && head.includes(":");
  const prefix = Number(tail) - (isMapped ? 96 : 0);
  return prefix < 0 || prefix > whole ? undefined : { address, prefix };
}

/** Whether an address lies in one of the networks. */
export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(({ address: base, prefix }) => {
    if (base.family !== address.family) return false;
    const rest = BigInt((base.family === 4 ? 32 : 128) - prefix);
    return base.bits >> rest === address.bits >> rest;
  });
}

/** The one text of an address (RFC 5952): lower case, no leading zeros, the longest run of zero groups as "::". */
export function addressText({ family, bits }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => (bits >> BigInt(112 - 16 * i)) & 0xffffn);
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** An entry of X-Forwarded-For: some proxies add the port, and then brackets around IPv6. */
function parseForwarded(entry: string): Address | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry);
  if (bracketed !== null) return parseAddress(bracketed[1]!);
  return parseAddress(entry) ?? parseAddress(/^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? "");
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split(".");
  // A leading zero means octal to some programs and nothing to others: it is refused.
  if (
    parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  ) {
    return undefined;
  }
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const last = halves.length - 1;
  const read = halves.map((half, i) => groupsOf(half, { mayEndInV4: i === last }));
  const [head, tail = []] = read;
  if (head === undefined || read.includes(undefined)) return undefined;
  const missing = 8 - head.length - tail!.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail!];
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n);
}

function groupsOf(half: string, { mayEndInV4 }: { mayEndInV4: boolean }): bigint[] | undefined {
  if (half === "") return [];
  const parts = half.split(":");
  const groups: bigint[] = [];
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(BigInt(`0x${part}`));
      continue;
    }
    const v4 = mayEndInV4 && i === parts.length - 1 ? parseV4(part) : undefined;
    if (v4 === undefined) return undefined;
    groups.push(v4 >> 16n, v4 & 0xffffn);
  }
  return groups;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly bigint[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [i, group] of groups.entries()) {
    length = group === 0n ? length + 1 : 0;
    if (length > best.length) best = { start: i - length + 1, length };
  }
  return best;
}

/** Whether a listener on this host can be reached from this machine alone. */
export function isPrivateHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || isLoopback(host);
}
