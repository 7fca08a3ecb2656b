import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Turn } from "../../core/turn.ts";
import type { Peer } from "../router.ts";
import { addressed } from "./addressed.ts";
import type { Certificate, Door } from "./door.ts";
import { plainChannel } from "./channel.ts";
import type { Entrance, Guest } from "./hall.ts";
import { NodeGuest } from "./node_guest.ts";
import { refusalAnswer, refusalText } from "./refusals.ts";
import { tlsChannels } from "./tls_channel.ts";
import type { Wire } from "./wire.ts";

/** The two ends of a connection: the client's, and ours. */
export type Ends = Pick<Deno.Conn, "remoteAddr" | "localAddr">;

/** Who the clients are, and how their connections are treated. */
export interface NodeServingOptions {
  clientOf: (connection: Ends) => Peer;
  /** Encrypts connections; absent: they are plain. */
  certificate?: Certificate | undefined;
  /** Told to clients, ms. */
  idle: number;
}

/** Serves connections by Node's HTTP server, which listens nowhere itself. */
export function nodeServing(
  door: Door,
  { clientOf, certificate, idle }: NodeServingOptions,
): (entrance: Entrance) => Guest {
  const tls = certificate !== undefined;
  const channelOf = certificate === undefined ? plainChannel : tlsChannels(certificate);
  const answer = getRequestListener(
    (request, { incoming }) => {
      const asked = addressed(request);
      return asked instanceof Response ? asked : door.fetch(asked, { peer: clients.get(incoming.socket)! });
    },
    {
      overrideGlobalObjects: false,
      // Of HTTP/1.0, which may do without.
      hostname: "localhost",
      errorHandler: (error) => {
        if (error instanceof RequestError) return refusalAnswer("TARGET");
        throw error;
      },
    },
  ) as (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  const turn = new Turn({ now: () => performance.now(), soon: setImmediate });
  const clients = new WeakMap<object, Peer>();
  const guests = new WeakMap<object, NodeGuest>();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const guest = guests.get(request.socket);
    if (guest === undefined) return void request.socket.destroy();
    // As the runtime's own server has it; the package makes no request of it.
    if (request.method === "OPTIONS" && request.url === "*") request.url = "/*";
    guest.answer(request, response, () => answer(request, response));
  };
  const server = createServer({
    // All times are kept by the hall, which sees more of a connection.
    headersTimeout: 0,
    requestTimeout: 0,
    // Told to clients only; who is on the point of asking has a second more.
    keepAliveTimeout: Math.max(1, idle - 1000),
  }, serve);
  // It is refused where others are.
  server.on("checkExpectation", serve);
  // A server that doesn't listen ends each connection after one answer.
  Object.defineProperty(server, "listening", { value: true });
  server.on("clientError", (error: Error & { code?: string }, connection) => {
    const wire = connection as unknown as Wire;
    wire.deafen();
    const text = wire.isReady ? refusalText(error.code ?? "") : undefined;
    if (text === undefined) wire.destroy();
    else wire.end(text, () => wire.destroy());
  });
  server.on("connect", (request: IncomingMessage) => {
    const guest = guests.get(request.socket);
    if (guest === undefined) request.socket.destroy();
    else guest.refuseConnect();
  });
  return (entrance) => {
    const { connection } = entrance;
    const client = clientOf(connection);
    const address = client.kind === "tcp" ? client.address : "";
    const guest = new NodeGuest(entrance, { channel: channelOf(connection), address, tls, turn });
    guests.set(guest.wire, guest);
    clients.set(guest.wire, client);
    server.emit("connection", guest.wire);
    return guest;
  };
}
