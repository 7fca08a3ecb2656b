import type { AuthSettings } from "../../core/auth_settings.ts";

/** The password of this life of the daemon; it is held in memory only. */
export interface Password {
  text: string;
  /** Made for this life alone, and told over the control socket. */
  isGenerated: boolean;
  /** Where it stands on disk, if that is known. */
  file?: string;
}

/** The password that the settings name, else a fresh random one. */
export function passwordOf({ password, passwordFile }: AuthSettings): Password {
  return password === undefined
    ? { text: randomPassword(), isGenerated: true }
    : { text: password, isGenerated: false, ...(passwordFile === undefined ? {} : { file: passwordFile }) };
}

/** 32 characters that are hard to mistake for each other (no i, l, o, u): each stands for five bits. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Five groups of five characters, 125 random bits: easy to read out, and to take with a double click in parts. */
function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(25));
  const text = Array.from(bytes, (byte) => letters[byte & 31]).join("");
  return text.match(/.{5}/g)!.join("-");
}
