/** Rounds of PBKDF2-HMAC-SHA256 wherever a key is made from the password (docs/security.md#login). */
export const rounds = 600_000;

const utf8 = new TextEncoder();

/** 32 bytes by PBKDF2-HMAC-SHA256 from a password and a salt, both as UTF-8. Takes about 0.2 s of another thread. */
export async function stretch(password: string, salt: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", utf8.encode(password), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt: utf8.encode(salt), iterations: rounds },
    key,
    256,
  );
  return new Uint8Array(bits);
}

/** 32 bytes by HKDF-SHA256 from key material; `info` says what they are for. */
export async function expand(
  material: Uint8Array<ArrayBuffer>,
  { salt, info }: { salt: string; info: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: utf8.encode(salt), info: utf8.encode(info) },
    key,
    256,
  );
  return new Uint8Array(bits);
}
