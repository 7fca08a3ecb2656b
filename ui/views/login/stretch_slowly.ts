import { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** PBKDF2-HMAC-SHA256, 32 bytes, without the browser's help; gives way to the page meanwhile. */
export function stretchSlowly(secret: Uint8Array, salt: Uint8Array, iterations: number): Promise<Uint8Array> {
  return pbkdf2Async(sha256, secret, salt, { c: iterations, dkLen: 32 });
}
