import type { Context } from "@hono/hono";
import { StreamCaps } from "../../core/stream_caps.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Run } from "../../types.ts";
import type { Auth } from "../auth/auth.ts";
import { problem } from "../problems.ts";
import type { Env } from "../router.ts";
import { clientBuffer, EventHub, type EventRequest } from "./event_hub.ts";
import type { FairShare } from "./fair_share.ts";
import { LogHub } from "./log_hub.ts";
import type { LogStart, LogStream } from "./log_stream.ts";
import { relayNews } from "./news_relay.ts";
import { encodeEvent, PushStream, streamHeaders } from "./sse.ts";

/** Lines of the daemon's own log: some of the newest, and those to come. */
export interface DaemonLines {
  /** Oldest first. */
  recent(): readonly string[];
  /** The result ends the subscription. */
  subscribe(listener: (line: string) => void): () => void;
}

/** Open streams of a kind, in all and by client (docs/security.md#slow-and-many-clients). */
const caps = { inAll: 128, perClient: 16 };

/** All open streams of one daemon. */
export class Streams {
  readonly events: EventHub;
  readonly #logs: LogHub;
  readonly #daemonLines: DaemonLines | undefined;
  readonly #eventCaps = new StreamCaps(caps);
  readonly #logCaps = new StreamCaps(caps);
  readonly #daemonLogs = new Set<PushStream>();
  readonly #endRelay: () => void;
  #isClosed = false;

  constructor(engine: Engine, options: { daemonLines?: DaemonLines; share?: FairShare } = {}) {
    this.events = new EventHub(engine);
    this.#endRelay = relayNews(engine, this.events);
    this.#logs = new LogHub(engine, options.share);
    this.#daemonLines = options.daemonLines;
  }

  /** How many are open: of events, and of logs. */
  get open(): { events: number; logs: number } {
    return { events: this.#eventCaps.open, logs: this.#logCaps.open };
  }

  /** Answers with the stream of events, or 503. */
  openEvents(c: Context<Env>, request: EventRequest & { auth: Auth }): Promise<Response> {
    const open = (onEnd: () => void): PushStream => this.events.open(request, onEnd);
    return this.#open(c, { auth: request.auth, places: this.#eventCaps, open });
  }

  /** Answers with the log of a run as it comes, or 503. */
  openLog(
    c: Context<Env>,
    { auth, run, start }: { auth: Auth; run: Run; start: LogStart },
  ): Promise<Response> {
    const open = (onEnd: () => void): LogStream => this.#logs.open(run, { start, onEnd });
    return this.#open(c, { auth, places: this.#logCaps, open });
  }

  /** Answers with the daemon's own log as it comes, or 503. It counts among the log streams. */
  openDaemonLog(c: Context<Env>, { auth }: { auth: Auth }): Promise<Response> {
    const open = (onEnd: () => void): PushStream => {
      let unsubscribe = (): void => {};
      const stream: PushStream = new PushStream({
        initial: (this.#daemonLines?.recent() ?? []).map(lineEvent),
        most: clientBuffer,
        onEnd: () => {
          unsubscribe();
          this.#daemonLogs.delete(stream);
          onEnd();
        },
      });
      unsubscribe = this.#daemonLines?.subscribe((line) => stream.send(lineEvent(line))) ?? unsubscribe;
      this.#daemonLogs.add(stream);
      return stream;
    };
    return this.#open(c, { auth, places: this.#logCaps, open });
  }

  /** Ends all streams once their clients have what is there; no more are opened. */
  close(): void {
    this.#isClosed = true;
    this.#endRelay();
    this.events.close();
    this.#logs.close();
    for (const stream of [...this.#daemonLogs]) stream.end();
  }

  async #open(
    c: Context<Env>,
    { auth, places, open }: {
      auth: Auth;
      places: StreamCaps;
      open: (onEnd: () => void) => { body: ReadableStream<Uint8Array> };
    },
  ): Promise<Response> {
    // Nobody would read the body of an answer to HEAD, nor end it.
    if (c.req.method === "HEAD") return c.body(null, 200, streamHeaders);
    const { isSocket } = auth.clientOf(c);
    const limitKey = await auth.limitKeyOf(c);
    if (this.#isClosed) {
      return problem(c, "stopping", { detail: "the daemon is stopping: no stream is opened" });
    }
    // Over the control socket it is the user who runs the daemon: only the cap of all holds there.
    const giveBack = places.take(isSocket ? undefined : limitKey);
    if (giveBack === undefined) {
      const detail = `too many open streams: ${caps.inAll} in all and ${caps.perClient} from one client ` +
        "are the most; close some, then try again";
      return problem(c, "busy", { detail });
    }
    try {
      return c.body(open(giveBack).body, 200, streamHeaders);
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

function lineEvent(line: string): Uint8Array {
  return encodeEvent("line", { line });
}
