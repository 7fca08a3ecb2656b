import type { Patience } from "../core/listen/progress.ts";
import { sharedSeats } from "../core/listen/shares.ts";
import { boundedListener } from "./listen/listener.ts";
import { silent } from "./listen/listen_log.ts";
import { nodeServing } from "./listen/node_server.ts";
import { seatKey } from "./listen/seat_key.ts";
import { listenTcp, tcpClient, type TcpOptions } from "./serve.ts";
import type { Door, Listener } from "./listen/door.ts";

/** How long a client may take, in ms, and how many there may be (docs/security.md#slow-and-many-clients). */
const publicPatience: Patience = { header: 10_000, request: 60_000, idle: 75_000, write: 60_000 };
const publicConnections = 1024;
/** In a daemon's memory it is three times as much, with what the runtime adds. */
const publicUnsent = 32 * 1024 * 1024;

/**
 * Listens on TCP for clients from anywhere: whoever is slow, idle or one too many is cut off, and no address takes more
 * than its share of the places. Throws `Fault` for a port or address that can't be had.
 */
export function servePublic(door: Door, options: TcpOptions): Listener {
  const { patience = publicPatience, connections = publicConnections, unsent = publicUnsent } = options;
  const tls = options.certificate !== undefined;
  return boundedListener({
    kind: "tcp",
    name: `${options.host}:${options.port}`,
    seats: sharedSeats(connections),
    patience,
    unsent,
    log: options.log ?? silent,
    peerOf: seatKey,
    serve: nodeServing(door, {
      clientOf: (connection) => tcpClient(connection, tls),
      certificate: options.certificate,
      idle: patience.idle,
    }),
    open: () => listenTcp(options),
  });
}
