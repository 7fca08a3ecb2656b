import { connect, type Socket } from "node:net";
import type { Mail } from "../../core/notify/outgoing.ts";
import { type Verdict, verdictOfMail } from "../../core/notify/verdict.ts";
import { messageOf } from "../../fault.ts";
import { endingAfter } from "./ending.ts";

/** The most that one answer of a mail server may take, bytes. */
const longestAnswer = 65_536;

/** Hands a mail to a mail server. `timeout` in ms for all of it, 0: none. */
export async function sendMail(mail: Mail, { timeout }: { timeout: number }): Promise<Verdict> {
  // Loaded for the first mail only.
  const { createTransport } = await import("nodemailer");
  const { host, port, tls, username, password, from, to, subject, text, name } = mail;
  using ending = endingAfter(timeout);
  let socket: Socket | undefined;
  try {
    socket = await connected({ host, port }, ending.signal);
    const transport = createTransport({
      host,
      port,
      connection: socket,
      secure: tls === "tls",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "off",
      ...(username === undefined ? {} : { auth: { user: username, pass: password ?? "" } }),
      ...(name === undefined ? {} : { name }),
      maxResponseSize: longestAnswer,
    });
    const { rejected } = await transport.sendMail({
      from,
      to,
      subject,
      text,
      headers: { "Auto-Submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: ending.signal,
    });
    if (rejected.length === 0) return { is: "sent" };
    // Sent again, it would reach the others twice.
    return { is: "refused", why: `the server took it for all receivers but ${rejected.join(", ")}` };
  } catch (error) {
    const late = ending.words();
    if (late !== undefined) return { is: "again", why: late };
    return verdictOfMail(endOf(error));
  } finally {
    socket?.destroy();
  }
}

/** A connection by the names that this machine knows: the library would ask the name server first, and wait for it. */
async function connected(to: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(to);
  // Also when nobody looks at it any more, a broken connection must not end the worker.
  socket.on("error", () => {});
  const giveUp = (): void => reject(new Error("given up"));
  signal.addEventListener("abort", giveUp);
  socket.once("connect", resolve).once("error", reject);
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.off("error", reject);
  }
}

/** What the library says of a failure, as far as it was the server's word. */
function endOf(error: unknown): { code: number; said: string } {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  if (code === "ETLS" && responseCode >= 500) {
    return { code: responseCode, said: 'the server offers no STARTTLS: set "tls" to what it speaks' };
  }
  return { code: responseCode, said: messageOf(error) };
}
