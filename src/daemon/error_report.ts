import { clip } from "../core/bounded_problems.ts";
import { RateLimit } from "../core/rate_limit.ts";
import { messageOf } from "../fault.ts";
import type { DaemonLog } from "../io/daemon_log.ts";

/** So many errors of requests are told in `window` ms. */
const limit = 10;
const window = 600_000;
/** Longest text of an error that is told, in characters. */
const longest = 200;

/**
 * Tells of errors that requests have brought about: a short line each, since what they say may be what a client has
 * sent, and ten in ten minutes at most. Their stacks are for the log level `debug`. `now` is monotonic ms.
 */
export function errorReport(
  log: Pick<DaemonLog, "debug" | "error">,
  now: () => number,
): (error: unknown) => void {
  const told = new RateLimit({ limit, window });
  let untold = 0;
  return (error) => {
    if (told.retryAfter("", now()) > 0) {
      untold++;
      return;
    }
    told.count("", now());
    const stack = error instanceof Error ? error.stack : undefined;
    log.error("internal error while answering a request", {
      error: clip(messageOf(error).replace(/\s+/g, " "), longest),
      at: placeIn(stack),
      ...(untold === 0 ? {} : { untold }),
    });
    untold = 0;
    if (stack !== undefined) log.debug("where the internal error happened", { stack });
  };
}

/** The file and line that threw. */
function placeIn(stack: string | undefined): string | undefined {
  const place = /^ +at .*?([^/\s()]+:\d+:\d+)\)?$/m.exec(stack ?? "")?.[1];
  return place === undefined ? undefined : clip(place, longest);
}
