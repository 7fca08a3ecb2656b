import assert from "node:assert/strict";
import { nodeServing } from "../../../src/http/listen/node_server.ts";
import type { Door } from "../../../src/http/listen/door.ts";

/** A client that says what it is told to, one piece after the other, and whose window is open or not. */
class FakeConnection {
  readonly remoteAddr: Deno.Addr;
  readonly sent: string[] = [];
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
    clientOf: (address) => ({ kind: "tcp", address: String((address as Deno.NetAddr).port), tls: false }),
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
