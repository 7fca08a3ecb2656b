import { Fault, messageOf } from "../fault.ts";
import type { Env } from "./router.ts";
import type { Peer } from "./facts.ts";

/** Answers requests; the peer goes along. */
export interface Door {
  fetch(request: Request, env: Env["Bindings"]): Response | Promise<Response>;
}

/** A listener that answers requests. */
export interface Listener {
  /** The real port of a TCP listener; 0 for a socket. */
  port: number;
  close(): Promise<void>;
}

/** A certificate chain and its private key, in PEM form. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Where to listen on TCP; port 0 takes any free one. With a certificate the listener speaks TLS. */
export interface TcpOptions {
  host: string;
  port: number;
  certificate?: Certificate;
  /** What a user chooses another address with, as a message names it; default "--port". */
  chosenBy?: string;
}

/**
 * Listens on TCP for this machine alone: nothing bounds slow clients and their number here. Throws `Fault` for a
 * port or address that can't be had.
 */
export function serveTcp(door: Door, { host, port, certificate, chosenBy }: TcpOptions): Listener {
  const tls = certificate !== undefined;
  const start = () =>
    Deno.serve(
      { hostname: host, port, onListen: () => {}, ...certificate },
      (request, info) => {
        const { hostname: address, port } = info.remoteAddr;
        const peer: Peer = { kind: "tcp", address, port, tls };
        return door.fetch(request, { peer });
      },
    );
  return listen(`cannot listen on ${host}:${port}`, start, chosenBy);
}

/** Listens on a control socket that only this user may open (0600). A socket file without a listener is replaced. */
export function serveSocket(door: Door, path: string): Listener {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      throw new Fault("internal", `cannot replace control socket "${path}": ${messageOf(error)}`);
    }
  }
  const listener = listen(`cannot listen on control socket "${path}"`, () =>
    Deno.serve(
      { path, onListen: () => {} },
      (request) => door.fetch(request, { peer: { kind: "socket" } satisfies Peer }),
    ));
  // Its folder is closed to others already; where a user chose another folder, this closes the door.
  Deno.chmodSync(path, 0o600);
  return listener;
}

function listen(attempt: string, start: () => Deno.HttpServer<Deno.Addr>, chosenBy?: string): Listener {
  try {
    const server = start();
    return { port: "port" in server.addr ? server.addr.port : 0, close: () => server.shutdown() };
  } catch (error) {
    throw listenFault(attempt, { error, chosenBy });
  }
}

/** Why nobody can listen there, in words. */
export function listenFault(
  attempt: string,
  { error, chosenBy = "--port" }: { error: unknown; chosenBy?: string | undefined },
): Fault {
  const isInUse = error instanceof Deno.errors.AddrInUse ||
    (error instanceof Error && "code" in error && error.code === "EADDRINUSE");
  if (!isInUse) return new Fault("internal", `${attempt}: ${messageOf(error)}`);
  return new Fault(
    "conflict",
    `${attempt}: the address is in use; stop the other program, or choose another with ${chosenBy}`,
  );
}
