import { expand, stretch } from "./derive.ts";
import { equalBytes } from "./equal_bytes.ts";

/** How long a session lasts, ms (contract 4). */
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
const tokenVersion = 1;
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

  /** The token of a new session. */
  async issue(now: number): Promise<{ token: string; expiresAt: number }> {
    const expiresAt = now + sessionLife;
    const bytes = new Uint8Array(tokenBytes);
    bytes[0] = tokenVersion;
    crypto.getRandomValues(bytes.subarray(1, idEnd));
    // 48 bits: the high 16, then the low 32.
    const view = new DataView(bytes.buffer);
    view.setUint16(idEnd, Math.floor(expiresAt / 2 ** 32));
    view.setUint32(idEnd + 2, expiresAt >>> 0);
    bytes.set(await this.#sign(bytes.subarray(0, signedEnd)), signedEnd);
    return { token: prefix + bytes.toBase64({ alphabet: "base64url", omitPadding: true }), expiresAt };
  }

  /** The session of a token; undefined for one that was not signed here, has expired or was revoked. */
  async find(token: string, now: number): Promise<Session | undefined> {
    if (!tokenPattern.test(token)) return undefined;
    const bytes = bytesOf(token.slice(prefix.length));
    if (bytes?.length !== tokenBytes || bytes[0] !== tokenVersion) return undefined;
    if (!equalBytes(bytes.subarray(signedEnd), await this.#sign(bytes.subarray(0, signedEnd)))) {
      return undefined;
    }
    const view = new DataView(bytes.buffer);
    const expiresAt = view.getUint16(idEnd) * 2 ** 32 + view.getUint32(idEnd + 2);
    const id = bytes.subarray(1, idEnd).toHex();
    return expiresAt <= now || this.#revocations.isRevoked(id) ? undefined : { id, expiresAt };
  }

  /** Ends a session for good. */
  revoke(session: Session, now: number): void {
    this.#revocations.revoke(session, now);
  }

  async #sign(bytes: Uint8Array): Promise<Uint8Array> {
    this.#key ??= sessionKey(this.#secret);
    return new Uint8Array(
      await crypto.subtle.sign("HMAC", await this.#key, bytes as Uint8Array<ArrayBuffer>),
    );
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
