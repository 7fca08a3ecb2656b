import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Peer } from "./facts.ts";
import { securityHeaders } from "./headers.ts";
import type { ProblemJson } from "./schemas/problem.ts";
import { type Door, type Listener, listenFault, type TcpOptions } from "./serve.ts";

/** How long a client may take, in ms, and how many there may be (contract 4). */
export interface PublicLimits {
  /** Until the header of a request is complete. */
  header: number;
  /** Until all of a request is. */
  request: number;
  /** Between two requests on one connection. */
  idle: number;
  /** Open connections. */
  connections: number;
}

const contractLimits: PublicLimits = { header: 10_000, request: 60_000, idle: 75_000, connections: 1024 };

/**
 * Listens on TCP for clients from anywhere: whoever is slow, idle or one too many is cut off, so that a few hundred
 * half-open connections do not hold the daemon. Throws `Fault` for a port or address that can't be had.
 */
export async function servePublic(
  door: Door,
  { host, port, certificate, chosenBy, limits = contractLimits }: TcpOptions & { limits?: PublicLimits },
): Promise<Listener> {
  const tls = certificate !== undefined;
  const answer = getRequestListener(
    (request, { incoming }) => {
      const { remoteAddress: address = "", remotePort: port } = incoming.socket;
      const peer: Peer = { kind: "tcp", address, ...(port === undefined ? {} : { port }), tls };
      return door.fetch(request, { peer });
    },
    { overrideGlobalObjects: false },
  ) as (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  const options: ServerOptions = {
    headersTimeout: limits.header,
    requestTimeout: limits.request,
    // The server tells clients this time, and waits a second longer for those that were on the point of asking.
    keepAliveTimeout: Math.max(1, limits.idle - 1000),
    // Late by this much at most.
    connectionsCheckingInterval: Math.min(250, limits.header / 4),
  };
  const server = certificate === undefined
    ? createServer(options, answer)
    : createTlsServer({ ...options, ...certificate, handshakeTimeout: limits.header }, answer);
  server.maxConnections = limits.connections;
  server.on("clientError", refuse);
  await listening(server, { host, port, chosenBy });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: () => closed(server),
  };
}

function listening(
  server: Server,
  { host, port, chosenBy }: { host: string; port: number; chosenBy: string | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once(
      "error",
      (error) => reject(listenFault(`cannot listen on ${host}:${port}`, { error, chosenBy })),
    );
    server.listen({ host, port }, resolve);
  });
}

/** Ends at once what is idle, and lets what is being answered finish. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

/** Answers a request that never became one, where there is still somebody who speaks HTTP; cuts off all others. */
function refuse({ code = "" }: Error & { code?: string }, connection: unknown): void {
  const socket = connection as Socket;
  const refusal = refusals[code] ?? (code.startsWith("HPE_") ? badRequest : undefined);
  // Also a handshake of TLS that failed or took too long ends here.
  if (!socket.writable || refusal === undefined) return void socket.destroy();
  const { title, status, detail } = refusal;
  const document: ProblemJson = { type: "about:blank", title, status, detail };
  const body = JSON.stringify(document);
  const headers = {
    ...securityHeaders,
    "content-type": "application/problem+json",
    "content-length": String(body.length),
    "connection": "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${head}\r\n${body}`, () => socket.destroy());
}

type Refusal = Required<Pick<ProblemJson, "status" | "title" | "detail">>;

const badRequest: Refusal = { status: 400, title: "Bad Request", detail: "the request is not HTTP" };

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: "Request Timeout",
    detail: "the request took too long to arrive",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: "Request Header Fields Too Large",
    detail: "the header is too large",
  },
};
