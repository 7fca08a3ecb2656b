import { passwordIn } from "../core/service_file.ts";
import { Fault, messageOf } from "../fault.ts";
import { demandTrusted } from "../io/trust.ts";

/**
 * The password in a file that holds it alone, or in a line `SVC_PASSWORD=...`. Throws `Fault` for one that can't be read,
 * holds none, or could be changed by others; `attempt` says what is refused, `mend` what to do.
 */
export function passwordOf(path: string, { attempt, mend }: { attempt: string; mend: string }): string {
  demandTrusted(path, { attempt, mend });
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    throw new Fault("invalid", `${attempt}: ${messageOf(error)}; ${mend}`);
  }
  const password = passwordIn(text) ?? text.trim();
  if (password === "" || password.includes("\n")) {
    throw new Fault("invalid", `${attempt}: it holds no password; write it there alone, on one line`);
  }
  return password;
}
