/**
 * What a connection is about. `fresh`: it has sent nothing yet; `header`, `body`: a request arrives; `work`: the daemon
 * prepares its answer; `send`: bytes of an answer wait for the client to take them; `idle`: between two requests.
 */
export type Phase = "fresh" | "header" | "body" | "work" | "send" | "idle";

/** How far a connection is; `since` (monotonic ms) is when its phase began, of `send` when the client last took something. */
export interface Progress {
  phase: Phase;
  since: number;
}

/** How long a client may take, in ms. */
export interface Patience {
  /** Until the header of a request is complete. */
  header: number;
  /** Until all of a request is. */
  request: number;
  /** Between two requests on one connection. */
  idle: number;
  /** Without taking a byte of its answer. */
  write: number;
}

/** A client that has not taken a byte for this long (ms) gives way to others when there is no room. */
export const stalledAfter = 5_000;

/** What becomes of a connection at `now`: it may go on, is told that its request came too slowly, or is cut off. */
export function verdict(
  { phase, since }: Progress,
  { now, patience }: { now: number; patience: Patience },
): "keep" | "refuse" | "cut" {
  if (phase === "work") return "keep";
  const waits = {
    fresh: patience.header,
    header: patience.header,
    body: patience.request,
    send: patience.write,
    idle: patience.idle,
  };
  if (now - since < waits[phase]) return "keep";
  return phase === "idle" || phase === "send" ? "cut" : "refuse";
}

/** Whether a connection only waits for its client, so that ending it costs nobody an answer. */
export function isExpendable({ phase, since }: Progress, now: number): boolean {
  return phase === "send" ? now - since >= stalledAfter : phase !== "work";
}
