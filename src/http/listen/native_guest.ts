import type { Phase, Progress } from "../../core/listen/progress.ts";
import type { Peer } from "../router.ts";
import { addressed } from "./addressed.ts";
import type { Door } from "./door.ts";
import type { Entrance, Guest } from "./hall.ts";
import type { ConnectionServer, RequestInfo, ServeConnection } from "./native_runtime.ts";
import { watchedStream } from "./watched_stream.ts";

/** Methods of requests whose body is waited for. */
const bodied: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Answers of a connection that may be on their way at once. HTTP/1 has one, which may still count as the next request
 * comes; HTTP/2, which the runtime takes up without being asked to, would leave as many lying as it has streams.
 */
const mostLying = 4;
/** How long it may take until what has been sent is known as that, ms. */
const knownWithin = 1000;

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
  /** Answers that are not known to have been sent. */
  #lying = 0;
  /** To be called when there is one less: it was sent, or its connection has ended. */
  #over = (_isSent: boolean): void => {};
  /** It speaks HTTP/1 without doubt, or is this user. */
  #isPlain: boolean;
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
    if (this.#speaksOtherwise(request)) return this.#cutOff();
    this.#isAnswering = true;
    if (this.#lying >= mostLying && !(await this.#isOneSent())) return this.#cutOff();
    const turn = ++this.#turn;
    this.#enter("work");
    // The next request may be here before this is known.
    this.#lying++;
    const rest = (isSent: boolean): void => {
      this.#lying--;
      this.#over(isSent);
      if (turn === this.#turn) this.#enter("idle");
    };
    info.completed.then(() => rest(true), () => rest(false));
    try {
      const asked = addressed(request);
      const response = asked instanceof Response
        ? asked
        : await this.#door.fetch(this.#withWatchedBody(asked), this.#env);
      if (this.#phase === "body") this.#enter("work");
      if (response.body === null) return response;
      if (isStream(response)) return this.#watched(response);
      return this.#isPlain ? response : await this.#asStream(response);
    } finally {
      this.#isAnswering = false;
    }
  }

  /** Whatever is answered now reaches nobody. */
  #cutOff(): Response {
    this.cut();
    return new Response(null, { status: 400 });
  }

  /** HTTP/2 has many requests in flight on a connection, and may leave the answers of all lying. */
  #speaksOtherwise(request: Request): boolean {
    if (this.#isAnswering) return true;
    // No request of HTTP/2 has this (RFC 9113, 8.2.2): the runtime hands none on that has.
    if (request.headers.has("connection")) this.#isPlain = true;
    // HTTP/2 needs no such header; HTTP/1.0 may do without, and asks once.
    if (request.headers.has("host")) return false;
    const isAgain = this.#hadNoHost;
    this.#hadNoHost = true;
    return isAgain;
  }

  /** Whether an answer before this request turns out to have been sent, as with HTTP/1 it has. */
  #isOneSent(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), knownWithin);
      this.#over = (isSent) => {
        clearTimeout(timer);
        resolve(isSent);
      };
    });
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

  /**
   * The same answer as a stream, of which the runtime tells when it has been taken; a whole one it calls sent as soon
   * as it has it. That it is for the client to take is all there is to know of it: nothing more is prepared.
   */
  async #asStream(response: Response): Promise<Response> {
    const bytes = await response.bytes();
    const { status, headers } = response;
    headers.set("content-length", String(bytes.length));
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes);
        controller.close();
        this.#enter("idle");
      },
    }, { highWaterMark: 0 });
    return new Response(body, { status, headers });
  }
}

/** Whether an answer comes bit by bit: event streams and downloads do, and nothing else has such a header. */
function isStream({ headers }: Response): boolean {
  const type = headers.get("content-type");
  return type === "text/event-stream" || type?.startsWith("text/plain") === true ||
    headers.has("content-length");
}
