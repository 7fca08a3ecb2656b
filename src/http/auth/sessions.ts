import { expand, stretch } from "./derive.ts";
import { equalBytes } from "./equal_bytes.ts";

/** How long a session lasts, ms (docs/security.md#login). */
export const sessionLife = 24 * 60 * 60_000;

/** A session as its token tells it; `expiresAt` is Unix ms. */
export interface Session {
  id: string;
  expiresAt: number;
}

/** Remembers which sessions have been ended before their time. */
export interface Revocations {
  revoke(session: Session, now: number): void;
  isRevoked(id: string): boolean;
}

/** 1 byte version, 16 of id, 6 of expiry (Unix ms), then 32 of signature. */
const idEnd = 17;
const signedEnd = 23;
const tokenBytes = signedEnd + 32;
/** The token of an Authorization header, and that of a cookie, which its place has signed with it. */
const versions = { bearer: 1, cookie: 2 } as const;
const prefix = "svcs_";
const tokenPattern = new RegExp(`^${prefix}[\\w-]{${Math.ceil(tokenBytes * 4 / 3)}}$`);

/**
 * Signed session tokens. The key is made of the password and the fingerprint of the installation, so that another
 * password and another installation know none of them. It is stretched first: a token must not be a way to try
 * passwords quickly. Times are Unix ms.
 */
export class Sessions {
  readonly #secret: { password: string; fingerprint: string };
  readonly #revocations: Revocations;
  #key: Promise<CryptoKey> | undefined;

  constructor(secret: { password: string; fingerprint: string }, revocations: Revocations) {
    this.#secret = secret;
    this.#revocations = revocations;
  }

  /**
   * A new session: the token for an Authorization header, and the one for a cookie at `place`, the host and port that a
   * browser knows the daemon by.
   */
  async issue(now: number, place: string): Promise<{ token: string; cookie: string; expiresAt: number }> {
    const expiresAt = now + sessionLife;
    const bytes = new Uint8Array(tokenBytes);
    crypto.getRandomValues(bytes.subarray(1, idEnd));
    // 48 bits: the high 16, then the low 32.
    const view = new DataView(bytes.buffer);
    view.setUint16(idEnd, Math.floor(expiresAt / 2 ** 32));
    view.setUint32(idEnd + 2, expiresAt >>> 0);
    const token = await this.#text(bytes, versions.bearer);
    return { token, cookie: await this.#text(bytes, versions.cookie, place), expiresAt };
  }

  /**
   * The session of a token; undefined for one that was not signed here, has expired or was revoked. The token of a
   * cookie is none in a header (`place` is absent), nor at another place.
   */
  async find(token: string, { now, place }: { now: number; place?: string }): Promise<Session | undefined> {
    if (!tokenPattern.test(token)) return undefined;
    const bytes = bytesOf(token.slice(prefix.length));
    if (bytes?.length !== tokenBytes) return undefined;
    const isCookie = bytes[0] === versions.cookie;
    if (isCookie ? place === undefined : bytes[0] !== versions.bearer) return undefined;
    const signature = await this.#sign(bytes.subarray(0, signedEnd), isCookie ? place : undefined);
    if (!equalBytes(bytes.subarray(signedEnd), signature)) return undefined;
    const view = new DataView(bytes.buffer);
    const expiresAt = view.getUint16(idEnd) * 2 ** 32 + view.getUint32(idEnd + 2);
    const id = bytes.subarray(1, idEnd).toHex();
    return expiresAt <= now || this.#revocations.isRevoked(id) ? undefined : { id, expiresAt };
  }

  /** Ends a session for good. */
  revoke(session: Session, now: number): void {
    this.#revocations.revoke(session, now);
  }

  async #text(bytes: Uint8Array<ArrayBuffer>, version: number, place?: string): Promise<string> {
    bytes[0] = version;
    bytes.set(await this.#sign(bytes.subarray(0, signedEnd), place), signedEnd);
    return prefix + bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  }

  async #sign(bytes: Uint8Array, place = ""): Promise<Uint8Array> {
    this.#key ??= sessionKey(this.#secret);
    const signed = new Uint8Array([...bytes, ...new TextEncoder().encode(place)]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", await this.#key, signed));
  }
}

async function sessionKey(secret: { password: string; fingerprint: string }): Promise<CryptoKey> {
  const stretched = await stretch(secret.password, `svc sessions of ${secret.fingerprint}`);
  const key = await expand(stretched, { salt: secret.fingerprint, info: "svc session token 1" });
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, algorithm, false, ["sign"]);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}
