import assert from "node:assert/strict";
import { nodeServing } from "../../../src/http/listen/node_server.ts";
import type { Door } from "../../../src/http/listen/door.ts";

/** A client that says what it is told to, one piece after the other, and whose window is open or not. */
class FakeConnection {
  readonly remoteAddr: Deno.Addr;
  readonly sent: string[] = [];
  /** A kernel waits with a second small write until the first is acknowledged. */
  isDelaying = true;
  /** Resolves when the server has asked for more than there was. */
  #asked = Promise.withResolvers<void>();
  readonly #pieces: (Uint8Array | null)[] = [];
  #wake = Promise.withResolvers<void>();
  readonly #isOpen: boolean;

  constructor(port: number, { isOpen }: { isOpen: boolean }) {
    this.remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port };
    this.#isOpen = isOpen;
  }

  say(text: string): Promise<void> {
    this.#pieces.push(new TextEncoder().encode(text));
    this.#asked = Promise.withResolvers();
    this.#wake.resolve();
    return this.#asked.promise;
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    while (this.#pieces.length === 0) {
      this.#asked.resolve();
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
    const piece = this.#pieces.shift()!;
    if (piece !== null) buffer.set(piece);
    return piece?.length ?? null;
  }

  setNoDelay(): void {
    this.isDelaying = false;
  }

  async write(bytes: Uint8Array): Promise<number> {
    if (!this.#isOpen) await new Promise(() => {});
    this.sent.push(new TextDecoder().decode(bytes));
    return bytes.length;
  }

  closeWrite(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.#pieces.push(null);
    this.#asked.resolve();
    this.#wake.resolve();
  }
}

Deno.test("nodeServing() lets what a client goes on to send after it broke HTTP reach nobody else's request", async () => {
  const asked: string[] = [];
  const door: Door = {
    fetch(request, { peer }) {
      asked.push(`${new URL(request.url).pathname} of ${peer.kind === "tcp" ? peer.address : peer.kind}`);
      return Promise.resolve(new Response("done"));
    },
  };
  const serve = nodeServing(door, {
    clientOf: ({ remoteAddr }) => ({
      kind: "tcp",
      address: String((remoteAddr as Deno.NetAddr).port),
      tls: false,
    }),
    idle: 1000,
  });
  const enter = (connection: FakeConnection) =>
    serve({ connection: connection as unknown as Deno.Conn, peer: "x", now: () => 0, moved: () => {} });

  // It takes no byte of its refusal, so that it stays for a while.
  const broken = new FakeConnection(1, { isOpen: false });
  const first = enter(broken);
  await broken.say("\0\0\0\0\r\n\r\n");
  // The parser of the first is used again for the next.
  const honest = new FakeConnection(2, { isOpen: true });
  const second = enter(honest);
  await honest.say("GET /own HTTP/1.1\r\n");
  // Bounded, since nobody may ask for more.
  await Promise.race([broken.say("GET /stolen HTTP/1.1\r\nHost: x\r\n\r\n"), turns(20)]);
  void honest.say("Host: x\r\nConnection: close\r\n\r\n");
  await second.ended;
  assert.deepEqual(asked, ["/own of 2"]);
  assert.match(honest.sent.join(""), /^HTTP\/1\.1 200 OK\r\n/);
  first.cut();
  await first.ended;
});

/** Lets what is under way go on. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("nodeServing() lets everything else have its turn while many clients send all their requests at once", async () => {
  const answers = 40;
  let begun = 0;
  const door: Door = {
    fetch() {
      begun++;
      return Promise.resolve(new Response("done"));
    },
  };
  const serve = nodeServing(door, {
    clientOf: () => ({ kind: "tcp", address: "x", tls: false }),
    idle: 1000,
  });
  let most = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const before = begun;
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, begun - before);
    }
  })();
  const clients = Array.from({ length: 20 }, async (_, port) => {
    const connection = new FakeConnection(port + 1, { isOpen: true });
    const guest = serve({
      connection: connection as unknown as Deno.Conn,
      peer: "x",
      now: () => 0,
      moved: () => {},
    });
    assert.equal(connection.isDelaying, false);
    for (let count = 1; count <= answers; count++) {
      const last = count === answers ? "Connection: close\r\n" : "";
      void connection.say(`GET /${count} HTTP/1.1\r\nHost: x\r\n${last}\r\n`);
    }
    await guest.ended;
    return connection.sent.join("").match(/HTTP\/1\.1 200 OK/g)?.length;
  });
  assert.deepEqual(new Set(await Promise.all(clients)), new Set([answers]));
  isOver = true;
  await others;
  // Without turns it would be one request of each client, and more.
  assert.ok(most <= 6, `${most} requests were begun at once`);
});
