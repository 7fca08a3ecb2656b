/** The bytes of a connection, encrypted or not on the way. */
export interface Channel {
  /** Whether what is written can reach the client: over TLS, once both have agreed on keys. */
  readonly isReady: boolean;
  /** The next bytes, good until the next call, or null at their end. Rejects when the connection is lost. */
  read(): Promise<Uint8Array | null>;
  /** Sends some of the bytes; resolves with how many, when the client or what lies between has taken them. */
  write(bytes: Uint8Array): Promise<number>;
  /** Says that nothing more comes. */
  closeWrite(): Promise<void>;
  close(): void;
}

/**
 * What is read of a connection at a time, bytes: no more than a request has. The rest of a burst stays in the kernel,
 * which then resets the connection when it is closed, where it would otherwise wait for a client that reads nothing.
 */
const readSize = 512;

/** A connection as it is. */
export function plainChannel(connection: Deno.TcpConn | Deno.Conn): Channel {
  // Header and body are two writes: the second would wait until the client acknowledges the first, 40 ms later.
  if ("setNoDelay" in connection) connection.setNoDelay();
  const buffer = new Uint8Array(readSize);
  return {
    isReady: true,
    async read() {
      const count = await connection.read(buffer);
      return count === null ? null : buffer.subarray(0, count);
    },
    write: (bytes) => connection.write(bytes),
    closeWrite: async () => await (connection as Deno.TcpConn).closeWrite(),
    close() {
      try {
        connection.close();
      } catch {
        // It is closed.
      }
    },
  };
}
