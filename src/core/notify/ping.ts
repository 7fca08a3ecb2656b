import type { Post } from "./outgoing.ts";

/** What happened to a run that a monitor is told. */
export type PingMoment = "start" | "success" | "failure";

const suffixes: Record<PingMoment, string> = { start: "/start", success: "", failure: "/fail" };

/**
 * A ping after the manner of healthchecks.io: the address itself for a success, with `/start` or `/fail` behind its
 * path for the rest. `rid` tells which start an end belongs to.
 */
export function pingOf(
  url: string,
  { what, runId, body }: { what: PingMoment; runId: string; body: string },
): Post {
  const address = new URL(url);
  const suffix = suffixes[what];
  if (suffix !== "") address.pathname = address.pathname.replace(/\/$/, "") + suffix;
  const rid = uuidOf(runId);
  // Appended as it stands: the rest of a query is not written anew.
  if (rid !== undefined) address.search = `${address.search === "" ? "?" : `${address.search}&`}rid=${rid}`;
  address.hash = "";
  return { do: "post", url: address.href, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The 128 bits of a ULID, written as a UUID; undefined for a text that is no ULID. */
function uuidOf(ulid: string): string | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(ulid)) return undefined;
  let bits = 0n;
  for (const digit of ulid) bits = bits * 32n + BigInt(digits.indexOf(digit));
  return bits.toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
