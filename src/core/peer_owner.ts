import { type Address, parseAddress } from "./addresses.ts";

/** A connection from this machine to itself: the client's own end, and the port that it called. */
export interface LocalConnection {
  address: string;
  port: number;
  serverPort: number;
}

/**
 * The two columns of /proc/net/tcp and tcp6 by which the client's end of a connection is found, as a regular
 * expression: an IPv4 address may stand there in IPv6 clothes. Undefined where the address is none.
 */
export function rowPattern({ address, port, serverPort }: LocalConnection): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return undefined;
  return `(${columnsOf(parsed).join("|")}):${hex(port, 4)} [0-9A-F]+:${hex(serverPort, 4)}`;
}

/**
 * The uid that the client's end of a connection belongs to, from rows of /proc/net/tcp and tcp6; undefined where no
 * row tells it, or rows tell different ones. What a process has closed belongs to nobody any more: its uid is not told.
 */
export function ownerOf(rows: readonly string[], connection: LocalConnection): number | undefined {
  const pattern = rowPattern(connection);
  if (pattern === undefined) return undefined;
  const own = new RegExp(`: ${pattern} `);
  const uids = new Set<number>();
  for (const row of rows) {
    if (!own.test(row)) continue;
    // sl, local, remote, state, queues, timer, retransmits, uid, timeout, inode
    const columns = row.trim().split(/\s+/);
    if (columns[9] !== "0" && /^\d+$/.test(columns[7] ?? "")) uids.add(Number(columns[7]));
  }
  const [uid] = uids;
  return uids.size === 1 ? uid : undefined;
}

/** The address as the kernel writes it, 32 bits at a time in the order of the machine (little end first). */
function columnsOf({ family, bits }: Address): string[] {
  if (family === 6) return [words(bits, 4)];
  return [words(bits, 1), words((0xffffn << 32n) | bits, 4)];
}

function words(bits: bigint, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const word = (bits >> BigInt(32 * (count - 1 - i))) & 0xffffffffn;
    return [0n, 8n, 16n, 24n].map((shift) => hex(Number((word >> shift) & 0xffn), 2)).join("");
  }).join("");
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
