import type { Env } from "../router.ts";

/** Answers requests; the peer goes along. */
export interface Door {
  fetch(request: Request, env: Env["Bindings"]): Response | Promise<Response>;
}

/** A listener that answers requests. */
export interface Listener {
  /** The real port of a TCP listener; 0 for a socket. */
  port: number;
  /** Where it listens, in words. */
  readonly name: string;
  /** Connections that are open. */
  readonly open: number;
  close(): Promise<void>;
}

/** A certificate chain and its private key, in PEM form. */
export interface Certificate {
  cert: string;
  key: string;
}
