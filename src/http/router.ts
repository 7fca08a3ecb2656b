import { OpenAPIHono } from "@hono/zod-openapi";
import { detailsOf, type Finding, problem } from "./problems.ts";

/** Who is at the other end of a connection. */
export type Peer = { kind: "socket" } | {
  kind: "tcp";
  address: string;
  /** The client's own port; absent where it isn't known. */
  port?: number;
  /** It has called the machine by the address that it calls from: it is on this machine, whatever address that is. */
  isOwn?: boolean;
  /** The connection itself is encrypted. */
  tls?: boolean;
};

/** What a route finds in its context: `c.env.peer` is the other end of the connection. */
export interface Env {
  Bindings: { peer: Peer };
}

/** A router whose schema checks answer with problem documents. */
export function newRouter(): OpenAPIHono<Env> {
  return new OpenAPIHono<Env>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const errors = detailsOf(result.target, result.error.issues as unknown as Finding[]);
      const first = errors[0];
      return problem(c, "invalid", {
        detail: first === undefined ? "the request breaks its schema" : `${first.location}: ${first.message}`,
        errors,
      });
    },
  });
}
