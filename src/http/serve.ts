import { localSeats } from "../core/listen/shares.ts";
import type { Patience } from "../core/listen/progress.ts";
import { Fault, messageOf } from "../fault.ts";
import type { Peer } from "./router.ts";
import type { Certificate, Door, Listener } from "./listen/door.ts";
import { ControlSocketFile } from "./listen/control_socket_file.ts";
import type { Entrance, Guest } from "./listen/hall.ts";
import { boundedListener } from "./listen/listener.ts";
import { type ListenLog, silent } from "./listen/listen_log.ts";
import { NativeGuest } from "./listen/native_guest.ts";
import { nativeServer } from "./listen/native_runtime.ts";
import type { Ends, NodeServingOptions } from "./listen/node_server.ts";
import { seatKey } from "./listen/seat_key.ts";

/** What bounds the clients of a listener. */
export interface Bounds {
  /** How long each may take, ms. */
  patience?: Patience;
  /** The most connections. */
  connections?: number;
  /** The most bytes of answers that all together leave lying. */
  unsent?: number;
  /** Told of what an operator should know. */
  log?: ListenLog;
}

/** Where to listen on TCP; port 0 takes any free one. With a certificate the listener speaks TLS. */
export interface TcpOptions extends Bounds {
  host: string;
  port: number;
  certificate?: Certificate;
  /** What a user chooses another address with, as a message names it; default "--port". */
  chosenBy?: string;
}

/** Of clients on this machine little is asked: what keeps a connection open and still is more often asleep than hostile. */
const localPatience: Patience = { header: 60_000, request: 60_000, idle: 300_000, write: 60_000 };

/** The most connections where nobody says otherwise. */
const usualConnections = 1024;

/** The most bytes that clients of a listener leave lying together. */
const usualUnsent = 64 * 1024 * 1024;

/** Listens on TCP for this machine alone. Throws `Fault` for a port or address that can't be had. */
export async function serveTcp(door: Door, options: TcpOptions): Promise<Listener> {
  const { patience = localPatience, connections = usualConnections, unsent = usualUnsent } = options;
  const tls = options.certificate !== undefined;
  return boundedListener({
    kind: "tcp",
    name: `${options.host}:${options.port}`,
    seats: localSeats(connections),
    patience,
    unsent,
    log: options.log ?? silent,
    peerOf: seatKey,
    serve: await serving(door, {
      clientOf: (connection) => tcpClient(connection, tls),
      certificate: options.certificate,
      idle: patience.idle,
    }),
    open: () => listenTcp(options),
  });
}

/** Where a control socket stands, and what keeps it there. */
export interface SocketOptions extends Bounds {
  path: string;
  /** A second name of the socket's file, in a folder that nobody cleans; with it a file that was removed is made again. */
  keptAs?: string;
}

/** Listens on a control socket that only this user may open (0600). A socket file without a listener is replaced. */
export async function serveSocket(door: Door, options: SocketOptions): Promise<Listener> {
  const { path, keptAs, log = silent, patience = localPatience, connections = 256, unsent = usualUnsent } =
    options;
  const serve = await serving(door, {
    clientOf: () => ({ kind: "socket" }),
    idle: patience.idle,
  });
  const file = new ControlSocketFile({ path, log, ...(keptAs === undefined ? {} : { keptAs }) });
  const listener = boundedListener({
    kind: "socket",
    name: "the control socket",
    seats: localSeats(connections),
    patience,
    unsent,
    log,
    peerOf: seatKey,
    serve,
    open: () => file.listen(),
  });
  file.watch();
  return {
    port: 0,
    name: listener.name,
    get open() {
      return listener.open;
    },
    async close() {
      file.close();
      await listener.close();
    },
  };
}

/** Who is at the other end of a TCP connection. */
export function tcpClient({ remoteAddr, localAddr }: Ends, tls: boolean): Peer {
  if (remoteAddr.transport !== "tcp") return { kind: "tcp", address: "", tls };
  const { hostname, port } = remoteAddr;
  const isOwn = localAddr.transport === "tcp" && localAddr.hostname === hostname;
  return { kind: "tcp", address: hostname, port, tls, ...(isOwn && { isOwn }) };
}

/** Begins to listen on TCP. Throws `Fault`. */
export function listenTcp({ host, port, chosenBy }: TcpOptions): Deno.Listener {
  try {
    return Deno.listen({ hostname: host, port });
  } catch (error) {
    throw listenFault(`cannot listen on ${host}:${port}`, { error, chosenBy });
  }
}

/**
 * Who answers the requests of connections: the runtime's own server, which is quick and is there in any case. Node's
 * does so where that one can't be had connection by connection, and over TLS.
 */
async function serving(door: Door, options: NodeServingOptions): Promise<(entrance: Entrance) => Guest> {
  const serve = options.certificate === undefined ? nativeServer() : undefined;
  if (serve !== undefined) {
    return (entrance) =>
      new NativeGuest(entrance, { door, serve, client: options.clientOf(entrance.connection) });
  }
  const { nodeServing } = await import("./listen/node_server.ts");
  return nodeServing(door, options);
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
