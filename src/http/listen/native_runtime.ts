/** What answers the requests of one connection. */
export interface ConnectionServer {
  /** Settles when the connection is closed; rejects when the client has left in the middle of an answer. */
  finished: Promise<void>;
  /** Ends the connection when the current answer has been sent. */
  shutdown(): Promise<void>;
}

/** What the runtime tells of a request beside it. */
export interface RequestInfo {
  /** Settles when the answer has been handed over: of a stream all of it but what is still in buffers. */
  completed: Promise<void>;
}

/**
 * As much of an `AbortSignal` as is used. A real one reports as uncaught that the connection has ended already, and
 * that may always be a moment ahead of being known.
 */
export interface CutSignal {
  aborted: boolean;
  addEventListener(event: "abort", cut: () => void): void;
  removeEventListener(): void;
}

/** Serves one connection until the signal. */
export type ServeConnection = (
  connection: Deno.Conn,
  signal: CutSignal,
  handler: (request: Request, info: RequestInfo) => Response | Promise<Response>,
  onError: (error: unknown) => Response,
  onListen: () => void,
) => ConnectionServer;

/**
 * What `Deno.serve` itself runs for each connection, or undefined where this version of Deno has no such thing. It is
 * not documented; a test holds the pinned version to it. `Deno.serve` accepts for itself, and so neither counts
 * connections nor survives an error of accept.
 */
export function nativeServer(): ServeConnection | undefined {
  const { internal } = Deno as unknown as { internal?: symbol };
  if (internal === undefined) return undefined;
  const inner =
    (Deno as unknown as Record<symbol, { serveHttpOnConnection?: unknown } | undefined>)[internal];
  const serve = inner?.serveHttpOnConnection;
  return typeof serve === "function" ? serve as ServeConnection : undefined;
}
