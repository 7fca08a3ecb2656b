import assert from "node:assert/strict";
import type { Peer } from "../../src/http/router.ts";
import type { Door, Listener } from "../../src/http/listen/door.ts";
import { ownCertificate } from "../../src/io/tls.ts";
import { isPrivateHost } from "../../src/core/addresses.ts";
import type { Patience } from "../../src/core/listen/progress.ts";
import { servePublic } from "../../src/http/serve_public.ts";

const patience: Patience = { header: 600, request: 1500, idle: 2500, write: 2500 };

interface Site {
  listener: Listener;
  url: string;
  peers: Peer[];
  /** Ends what "/held" waits for. */
  release: () => void;
  held: Promise<void>;
}

/** A public listener that says what it was sent; "/held" answers once it is let go. */
function site(own: Partial<Patience> = {}, { connections = 8 }: { connections?: number } = {}): Site {
  const peers: Peer[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: arrived } = Promise.withResolvers<void>();
  const listener = servePublic({
    async fetch(request, { peer }) {
      peers.push(peer);
      if (new URL(request.url).pathname === "/held") {
        arrived();
        await released;
      }
      try {
        return new Response(`${request.method} ${await request.text()}`);
      } catch {
        return new Response("the body broke off", { status: 400 });
      }
    },
  }, { host: "127.0.0.1", port: 0, connections, patience: { ...patience, ...own } });
  return { listener, url: `http://127.0.0.1:${listener.port}`, peers, release, held };
}

/** Sends text on a fresh connection; resolves with all that comes back until the other side ends it. */
async function exchange(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ port });
  await connection.write(new TextEncoder().encode(text));
  return await readAll(connection);
}

async function readAll(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let text = "";
  while (true) {
    const n = await connection.read(buffer).catch(() => null);
    if (n === null) return text;
    text += decoder.decode(buffer.subarray(0, n), { stream: true });
  }
}

/** A peer, less its port, which is any. */
function withoutPort(peer: Peer): Peer {
  if (peer.kind === "tcp") assert.ok(Number(peer.port) > 0);
  return peer.kind === "socket" ? peer : { kind: "tcp", address: peer.address, tls: peer.tls === true };
}

Deno.test("servePublic() answers, and hands the peer along", async () => {
  const { listener, url, peers } = site();
  const answer = await fetch(`${url}/`, { method: "POST", body: "hello" });
  assert.equal(await answer.text(), "POST hello");
  assert.deepEqual(peers.map(withoutPort), [{
    kind: "tcp",
    address: "127.0.0.1",
    tls: false,
  }]);
  await listener.close();
});

Deno.test("servePublic() ends a header that does not become complete with 408, also one that never began", async () => {
  const { listener, peers } = site();
  const [half, empty] = await Promise.all([
    exchange(listener.port, "GET / HTTP/1.1\r\nHo"),
    exchange(listener.port, ""),
  ]);
  for (const text of [half, empty]) {
    assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(text, /\r\ncontent-type: application\/problem\+json\r\n/);
    assert.match(text, /\r\nx-content-type-options: nosniff\r\n/);
    assert.equal(JSON.parse(text.slice(text.indexOf("\r\n\r\n"))).status, 408);
  }
  assert.deepEqual(peers, []);
  await listener.close();
});

Deno.test("servePublic() ends a body that does not become complete with 408, also one that drips", async () => {
  const { listener } = site();
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";
  const dripping = async (): Promise<string> => {
    using connection = await Deno.connect({ port: listener.port });
    const reading = readAll(connection);
    await connection.write(new TextEncoder().encode(head));
    const drip = setInterval(() => void connection.write(new Uint8Array([97])).catch(() => {}), 50);
    const text = await reading;
    clearInterval(drip);
    return text;
  };
  const [stuck, dripped] = await Promise.all([exchange(listener.port, `${head}abc`), dripping()]);
  assert.match(stuck, /^HTTP\/1\.1 408 /);
  assert.match(dripped, /^HTTP\/1\.1 408 /);
  await listener.close();
  // The library looks at what is left of a body two turns after its connection has ended.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
});

Deno.test("servePublic() lets an answer take its time", async () => {
  const { listener, release, held } = site({ request: 900, header: 700 });
  const answer = exchange(listener.port, "GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
  await held;
  // Longer than any limit that a request has.
  const watch = exchange(listener.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
  assert.match(await watch, /^HTTP\/1\.1 408 /);
  release();
  assert.match(await answer, /^HTTP\/1\.1 200 OK/);
  await listener.close();
});

Deno.test("servePublic() ends a connection that stays idle after an answer", async () => {
  const { listener } = site();
  const started = performance.now();
  const text = await exchange(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.match(text, /^HTTP\/1\.1 200 OK/);
  const took = performance.now() - started;
  assert.ok(took >= 2400 && took < 8000, `after ${took} ms`);
  await listener.close();
});

Deno.test("servePublic() answers 400 to what is not HTTP", async () => {
  const { listener } = site();
  assert.match(
    await exchange(listener.port, "\x16\x03\x01\x02\x00\x01\r\n\r\n"),
    /^HTTP\/1\.1 400 Bad Request/,
  );
  await listener.close();
});

Deno.test("servePublic() answers CONNECT with 501, and hands TRACE on", async () => {
  const { listener } = site();
  const connect = await exchange(listener.port, "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.match(connect, /^HTTP\/1\.1 501 Not Implemented\r\n/);
  assert.match(connect, /\r\ncontent-type: application\/problem\+json\r\n/);
  const trace = await exchange(listener.port, "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  assert.match(trace, /^HTTP\/1\.1 200 /);
  await listener.close();
});

/** Answers of 32 MB, in pieces; `given` counts their bytes. */
function largeAnswers(): { door: Door; given: () => number } {
  let given = 0;
  const piece = new Uint8Array(65_536);
  const fetch = (): Response => {
    let left = 512;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      given += piece.length;
      controller.enqueue(piece);
      if (--left === 0) controller.close();
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  return { door: { fetch }, given: () => given };
}

const ask = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n");

Deno.test("servePublic() cuts off who takes nothing of an answer, and makes no more of it than fits on the way", async () => {
  const { door, given } = largeAnswers();
  const folder = await Deno.makeTempDir({ prefix: "svc-tls-" });
  const certificate = await ownCertificate(folder, { names: ["localhost"], now: Date.now() });
  const caCerts = [certificate.cert];
  for (const tls of [false, true]) {
    const before = given();
    const listener = servePublic(door, {
      host: "127.0.0.1",
      port: 0,
      patience: { header: 60_000, request: 60_000, idle: 60_000, write: 300 },
      ...(tls ? { certificate } : {}),
    });
    const { port } = listener;
    const connections = await Promise.all(
      Array.from(
        { length: 4 },
        () => tls ? Deno.connectTls({ port, hostname: "localhost", caCerts }) : Deno.connect({ port }),
      ),
    );
    for (const connection of connections) {
      await connection.write(ask);
      assert.equal(await connection.read(new Uint8Array(1)), 1);
    }
    // Ends when no connection is left, or after ten seconds: only the limit of writing cuts these off.
    const started = performance.now();
    await listener.close();
    assert.ok(performance.now() - started < 5000);
    const made = given() - before;
    assert.ok(
      made > 0 && made < 4 * 12 * 1024 * 1024,
      `${made} bytes of answers were made for 4 clients that took none`,
    );
    for (const connection of connections) connection.close();
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("servePublic() cuts off who leaves most lying where all together leave too much", async () => {
  const large = new Uint8Array(24 * 1024 * 1024);
  const listener = servePublic({
    fetch: (request) => new Response(new URL(request.url).pathname === "/large" ? large : "small"),
  }, { host: "127.0.0.1", port: 0, patience: { ...patience, write: 60_000 }, unsent: 1024 * 1024 });
  using greedy = await Deno.connect({ port: listener.port });
  await greedy.write(new TextEncoder().encode("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
  // It takes a little, and then no more.
  await greedy.read(new Uint8Array(16));
  const answer = await fetch(`http://127.0.0.1:${listener.port}/`);
  assert.equal(await answer.text(), "small");
  const took = (await readAll(greedy)).length;
  assert.ok(took < large.length / 2, `${took} bytes came although the connection was to be cut`);
  await listener.close();
});

Deno.test("servePublic() ends the connection that has waited longest for one too many", async () => {
  const { listener } = site({ idle: 10_000, header: 10_000, request: 10_000 }, { connections: 4 });
  const get = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const open: Deno.TcpConn[] = [];
  for (let n = 0; n < 6; n++) {
    const connection = await Deno.connect({ port: listener.port });
    await connection.write(get);
    assert.ok(await connection.read(new Uint8Array(1024)), `${n}`);
    open.push(connection);
  }
  // All of loopback is one peer, which has half of the places.
  const ends = open.slice(0, 4).map((connection) => connection.read(new Uint8Array(1)).catch(() => null));
  assert.deepEqual(await Promise.all(ends), [null, null, null, null]);
  for (const connection of open.slice(4)) {
    await connection.write(get);
    assert.ok(await connection.read(new Uint8Array(1024)));
  }
  for (const connection of open) connection.close();
  await listener.close();
});

Deno.test("servePublic() turns away one too many when all others are being answered", async () => {
  const { listener, release, held: isHeld } = site({}, { connections: 2 });
  const held = "GET /held HTTP/1.1\r\nHost: x\r\n\r\n";
  const first = await Deno.connect({ port: listener.port });
  await first.write(new TextEncoder().encode(held));
  await isHeld;
  assert.equal(await exchange(listener.port, held), "");
  release();
  assert.match(await readAll(first), /^HTTP\/1\.1 200 OK/);
  first.close();
  await listener.close();
});

Deno.test("servePublic().close() ends idle connections at once, and lets what is being answered finish", async () => {
  const { listener, release, held } = site({ idle: 60_000 });
  const idle = exchange(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const busy = exchange(listener.port, "GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
  await held;
  let isClosed = false;
  const closing = listener.close().then(() => isClosed = true);
  assert.match(await idle, /^HTTP\/1\.1 200 OK/);
  assert.equal(isClosed, false, "somebody still waits for an answer");
  await assert.rejects(Deno.connect({ port: listener.port }));
  release();
  assert.match(await busy, /^HTTP\/1\.1 200 OK/);
  await closing;
});

Deno.test("servePublic() bounds clients of TLS too, also those that never begin to speak it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-tls-" });
  const certificate = await ownCertificate(folder, { names: ["localhost"], now: Date.now() });
  const peers: Peer[] = [];
  const listener = servePublic({
    fetch(_request, { peer }) {
      peers.push(peer);
      return new Response("hello");
    },
  }, { host: "127.0.0.1", port: 0, patience, certificate });
  const caCerts = [certificate.cert];
  const slow = async (): Promise<string> => {
    const connection = await Deno.connectTls({ port: listener.port, hostname: "localhost", caCerts });
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHo"));
    const text = await readAll(connection);
    connection.close();
    return text;
  };
  const [silent, plain, half] = await Promise.all([
    exchange(listener.port, ""),
    exchange(listener.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    slow(),
  ]);
  assert.equal(silent, "");
  assert.doesNotMatch(plain, /hello/);
  assert.match(half, /^HTTP\/1\.1 408 /);
  using client = Deno.createHttpClient({ caCerts });
  const answer = await fetch(`https://localhost:${listener.port}/`, { client });
  assert.equal(await answer.text(), "hello");
  assert.deepEqual(peers.map(withoutPort), [{
    kind: "tcp",
    address: "127.0.0.1",
    tls: true,
  }]);
  using waiting = await Deno.connect({ port: listener.port });
  await listener.close();
  assert.equal(await readAll(waiting), "");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("servePublic() says which address is taken", async () => {
  const { listener } = site();
  assert.throws(
    () => servePublic({ fetch: () => new Response() }, { host: "127.0.0.1", port: listener.port }),
    { name: "Fault", message: /cannot listen on 127\.0\.0\.1:\d+: the address is in use/ },
  );
  await listener.close();
});

Deno.test("isPrivateHost() knows loopback in every spelling", () => {
  for (
    const host of [
      "localhost",
      "LOCALHOST",
      "127.0.0.1",
      "127.8.8.8",
      "::1",
      "0:0:0:0:0:0:0:1",
      "::ffff:127.0.0.1",
    ]
  ) {
    assert.ok(isPrivateHost(host), host);
  }
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "example.com", "", "localhost.example"]) {
    assert.ok(!isPrivateHost(host), host);
  }
});

Deno.test("servePublic() answers 400 to a body whose chunks are broken", {
  sanitizeOps: false,
  sanitizeResources: false,
}, async () => {
  // The package looks once more, half a second later, whether the rest of the body has come.
  const { listener } = site();
  const answer = await exchange(
    listener.port,
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n",
  );
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n[^]*application\/problem\+json/);
  await listener.close();
});
