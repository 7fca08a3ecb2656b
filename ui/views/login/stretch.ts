/// <reference lib="dom" />

/**
 * The answer to a challenge: PBKDF2-HMAC-SHA256 of a password, salted with the nonce's text, 32 bytes as hex.
 * Browsers offer it on HTTPS and on this machine only; elsewhere it takes seconds in JavaScript.
 */
export async function stretch(password: string, nonce: string, iterations: number): Promise<string> {
  const encoder = new TextEncoder();
  const [secret, salt] = [encoder.encode(password), encoder.encode(nonce)];
  if (crypto.subtle === undefined) {
    const { stretchSlowly } = await import("./stretch_slowly.ts");
    return hex(await stretchSlowly(secret, salt, iterations));
  }
  const key = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    key,
    256,
  );
  return hex(new Uint8Array(bits));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
