/** A wire to a daemon, with a witness at it: browsers hide from their tools what they keep from a page. */

/** A request that arrived, and what the daemon answered. */
export interface Exchange {
  method: string;
  path: string;
  /** The head of the request after its first line, as it was sent. */
  head: string;
  /** 0 while there is no answer. */
  status: number;
}

/** A port of 127.0.0.1 that leads to another one, byte by byte. */
export interface Wire {
  port: number;
  exchanges(): Exchange[];
  /** Everything that the daemon said, heads and bodies. */
  answers(): string;
  /** Resolves once all connections are closed. */
  stop(): Promise<void>;
}

interface Line {
  sent: string;
  received: string;
  ends: [Deno.Conn, Deno.Conn];
  done: Promise<unknown>;
}

/** Opens a wire to a port of 127.0.0.1. */
export function openWire(target: number): Wire {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const lines: Line[] = [];
  const accepting = (async () => {
    for await (const near of listener) {
      const far = await Deno.connect({ hostname: "127.0.0.1", port: target });
      const line: Line = { sent: "", received: "", ends: [near, far], done: Promise.resolve() };
      line.done = Promise.allSettled([
        carry(near, far, (text) => line.sent += text),
        carry(far, near, (text) => line.received += text),
      ]);
      lines.push(line);
    }
  })();
  return {
    port: listener.addr.port,
    exchanges: () => lines.flatMap(readExchanges),
    answers: () => lines.map(({ received }) => received).join("\n"),
    async stop() {
      listener.close();
      await accepting;
      for (const end of lines.flatMap(({ ends }) => ends)) close(end);
      await Promise.all(lines.map(({ done }) => done));
    },
  };
}

/** Copies until one side ends, and then closes both, as browsers expect it of a server that is gone. */
async function carry(from: Deno.Conn, to: Deno.Conn, witness: (text: string) => void): Promise<void> {
  const latin1 = new TextDecoder("latin1");
  const buffer = new Uint8Array(65_536);
  try {
    for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
      witness(latin1.decode(buffer.subarray(0, n)));
      for (let at = 0; at < n;) at += await to.write(buffer.subarray(at, n));
    }
  } finally {
    close(from);
    close(to);
  }
}

function close(end: Deno.Conn): void {
  try {
    end.close();
  } catch {
    // The other direction has closed it.
  }
}

/** HTTP/1.1 answers in the order of the requests. */
function readExchanges({ sent, received }: Line): Exchange[] {
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return [...sent.matchAll(/([A-Z]+) (\S+) HTTP\/1\.1\r\n([^]*?)\r\n\r\n/g)].map((
    [, method = "", path = "", head = ""],
    n,
  ) => ({ method, path, head, status: statuses[n] ?? 0 }));
}
