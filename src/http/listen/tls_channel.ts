import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import type { Certificate } from "./door.ts";
import { type Channel, plainChannel } from "./channel.ts";

/** The most bytes that are encrypted at once, so that it can be seen that a client takes a large answer bit by bit. */
const pieceSize = 16 * 1024;

/**
 * Encrypts connections by Node's TLS. `Deno.listenTls` would keep the descriptor of a client that never begins its
 * handshake until that client leaves, whatever is closed here.
 */
export function tlsChannels(certificate: Certificate): (connection: Deno.Conn) => Channel {
  const secureContext = createSecureContext({ ...certificate, minVersion: "TLSv1.2" });
  return (connection) => tlsChannel(plainChannel(connection), secureContext);
}

function tlsChannel(plain: Channel, secureContext: SecureContext): Channel {
  const raw = new RawStream(plain);
  const socket = new TLSSocket(raw, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
  let isReady = false;
  let failure: Error | undefined;
  let wake = (): void => {};
  socket.once("secure", () => isReady = true);
  socket.on("readable", () => wake());
  socket.on("end", () => wake());
  const fail = (error?: Error): void => {
    failure ??= error ?? new Error("the connection is closed");
    wake();
  };
  for (const one of [socket, raw]) one.on("error", fail).on("close", () => fail());
  return {
    get isReady() {
      return isReady;
    },
    async read() {
      while (true) {
        const chunk: Buffer | null = socket.read();
        if (chunk !== null) return chunk;
        if (socket.readableEnded) return null;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
    write(bytes) {
      const piece = bytes.subarray(0, pieceSize);
      return new Promise((resolve, reject) =>
        socket.write(piece, (error) => error ? reject(error) : resolve(piece.length))
      );
    },
    closeWrite: () => new Promise((resolve) => socket.end(resolve)),
    close() {
      socket.destroy();
      raw.destroy();
    },
  };
}

/** The encrypted side of a connection. */
class RawStream extends Duplex {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    super();
    this.#channel = channel;
  }

  override _read(): void {
    this.#channel.read().then(
      (bytes) => this.push(bytes === null ? null : Buffer.from(bytes)),
      (error) => this.destroy(error),
    );
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    void this.#send(chunk).then(() => done(), (error) => done(error as Error));
  }

  override _final(done: (error?: Error | null) => void): void {
    void this.#channel.closeWrite().then(() => done(), () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.close();
    done(error);
  }

  async #send(chunk: Uint8Array): Promise<void> {
    for (let sent = 0; sent < chunk.length;) sent += await this.#channel.write(chunk.subarray(sent));
  }
}
