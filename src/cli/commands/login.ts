import { Fault } from "../../fault.ts";
import { defineCommand, writeJson, writeLines } from "../command.ts";
import { exit, UsageError } from "../failures.ts";
import { saveSession } from "../saved_sessions.ts";

/** Fewer rounds would make it easy for a false daemon to find out the password from the response. */
const fewestRounds = 600_000;
/** More would keep the machine busy for minutes. */
const mostRounds = 60_000_000;

/** `svc login --url URL`: asks for the password once, and keeps the session for later commands. */
export const command = defineCommand({
  needs: "client",
  examples: ["svc login --url https://box:8420", "svc login --url https://box:8420 < password-file"],
  async run(context) {
    const { terminal } = context;
    const client = await context.connect();
    if (client.remote === undefined) {
      throw new UsageError("say with --url which daemon to log in to: the control socket needs no login");
    }
    const password = await terminal.readSecret(`Password of ${client.place}: `);
    if (!password) throw new Fault("invalid", `cannot log in at ${client.place}: no password was given`);
    const { nonce, iterations } = await client.challenge();
    const session = await client.login({
      nonce,
      response: await responseTo(nonce, { password, iterations }),
    });
    const path = saveSession(client.remote, session, { env: terminal.env, now: context.now() });
    if (context.flags.json) {
      writeJson(context, { url: client.remote, expires_at: session.expires_at, file: path });
    } else writeLines(context, [`logged in at ${client.place} until ${session.expires_at}; kept in ${path}`]);
    return exit.done;
  },
});

/** PBKDF2-HMAC-SHA256 of the password, salted with the text of the nonce, as hex. Throws `Fault` for a number of rounds that is no good. */
async function responseTo(
  nonce: string,
  { password, iterations }: { password: string; iterations: number },
): Promise<string> {
  if (!(iterations >= fewestRounds && iterations <= mostRounds)) {
    throw new Fault(
      "invalid",
      `cannot log in: the daemon asks for ${iterations} rounds, which no svc does; is it the right address?`,
    );
  }
  const utf8 = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", utf8.encode(password), "PBKDF2", false, ["deriveBits"]);
  const salt = utf8.encode(nonce);
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    key,
    256,
  );
  return new Uint8Array(bits).toHex();
}
