import type { Phase, Progress } from "../../core/listen/progress.ts";
import type { Peer } from "../facts.ts";
import type { Door } from "../serve.ts";
import type { Entrance, Guest } from "./hall.ts";
import type { ConnectionServer, RequestInfo, ServeConnection } from "./native_runtime.ts";
import { watchedStream } from "./watched_stream.ts";

/** Methods of requests whose body is waited for. */
const bodied: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** As many answers get requests that may be those of HTTP/2, which would leave all of them lying. */
const mostDoubtful = 4;

/**
 * A connection that the runtime's own server answers: it asks for the next request only when the answer before it has
 * been taken. It does not tell what it has of a header, so who is slow there is cut off without a word.
 */
export class NativeGuest implements Guest {
  readonly peer: string;
  /** The runtime holds at most one answer, and does not tell how much of it. */
  readonly unsent = 0;
  readonly ended: Promise<void>;
  readonly #door: Door;
  readonly #env: { peer: Peer };
  readonly #now: () => number;
  /** Ends the connection in the runtime; throws when it has ended. */
  #close = (): void => {};
  readonly #server: ConnectionServer;
  #phase: Phase = "fresh";
  #since: number;
  #hadNoHost = false;
  #isAnswering = false;
  /** It speaks HTTP/1 without doubt, or is this user. */
  #isPlain: boolean;
  /** Answers to requests that HTTP/2 could have brought. */
  #doubtful = 0;
  /** Counts its requests. */
  #turn = 0;

  constructor(
    { connection, peer, now }: Entrance,
    { door, client, serve }: { door: Door; client: Peer; serve: ServeConnection },
  ) {
    this.peer = peer;
    this.#door = door;
    this.#env = { peer: client };
    this.#isPlain = client.kind === "socket";
    this.#now = now;
    this.#since = now();
    this.#server = serve(
      connection,
      {
        aborted: false,
        addEventListener: (_, close) => this.#close = close,
        removeEventListener: () => {},
      },
      (request, info) => this.#answer(request, info),
      () => new Response(null, { status: 500 }),
      () => {},
    );
    // A client that leaves in the middle of an answer is no error, but leaves something to clear up.
    this.ended = this.#server.finished.catch(() => this.#shutDown());
  }

  progress(): Progress {
    return { phase: this.#phase, since: this.#since };
  }

  refuse(): void {
    this.cut();
  }

  cut(): void {
    try {
      this.#close();
    } catch {
      // It has ended.
    }
  }

  finish(): void {
    // Once it is told to end in order it can't be cut off any more.
    if (this.#phase === "fresh" || this.#phase === "body") this.cut();
    else void this.#shutDown();
  }

  async #shutDown(): Promise<void> {
    try {
      await this.#server.shutdown();
    } catch {
      // It has ended.
    }
  }

  async #answer(request: Request, info: RequestInfo): Promise<Response> {
    if (this.#speaksOtherwise(request)) {
      this.cut();
      return new Response(null, { status: 400 });
    }
    this.#isAnswering = true;
    const turn = ++this.#turn;
    this.#enter("work");
    // The next request may be here before this is known.
    const rest = (): void => void (turn === this.#turn && this.#enter("idle"));
    info.completed.then(rest, rest);
    try {
      const response = await this.#door.fetch(this.#withWatchedBody(request), this.#env);
      if (this.#phase === "body") this.#enter("work");
      const answer = isStream(response) && response.body !== null ? this.#watched(response) : response;
      return this.#isPlain || ++this.#doubtful < mostDoubtful ? answer : asLast(answer);
    } finally {
      this.#isAnswering = false;
    }
  }

  /**
   * HTTP/2, which the runtime takes up without being asked to, has many requests in flight on a connection, and may
   * leave the answers of all lying. It has no `Connection: close`: a client of HTTP/1 asks nothing after that.
   */
  #speaksOtherwise(request: Request): boolean {
    if (this.#isAnswering || this.#doubtful >= mostDoubtful) return true;
    const { headers } = request;
    // No request of HTTP/2 has this (RFC 9113, 8.2.2): the runtime hands none on that has.
    if (headers.has("connection")) this.#isPlain = true;
    // HTTP/2 needs no such header; HTTP/1.0 may do without, and asks once.
    if (headers.has("host")) return false;
    const isAgain = this.#hadNoHost;
    this.#hadNoHost = true;
    return isAgain;
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = this.#now();
  }

  #withWatchedBody(request: Request): Request {
    // Of others (TRACE, CONNECT, what is only written like a method) no request can be made.
    if (!bodied.has(request.method) || request.body === null) return request;
    this.#enter("body");
    const body = watchedStream(request.body, {
      given: () => {},
      asked: () => {},
      ended: () => this.#phase === "body" && this.#enter("work"),
    });
    return new Request(request.url, { method: request.method, headers: request.headers, body });
  }

  /** The same answer, of which is known when the client takes nothing of it. */
  #watched(response: Response): Response {
    const body = watchedStream(response.body!, {
      given: () => this.#enter("send"),
      asked: () => this.#phase === "send" && this.#enter("work"),
      ended: () => {},
    });
    return new Response(body, { status: response.status, headers: response.headers });
  }
}

/** The same answer, which ends a connection of HTTP/1. */
function asLast({ body, status, headers }: Response): Response {
  const all = new Headers(headers);
  all.set("connection", "close");
  return new Response(body, { status, headers: all });
}

/** Whether an answer comes bit by bit: event streams and downloads do, and nothing else has such a header. */
function isStream({ headers }: Response): boolean {
  const type = headers.get("content-type");
  return type === "text/event-stream" || type?.startsWith("text/plain") === true ||
    headers.has("content-length");
}
