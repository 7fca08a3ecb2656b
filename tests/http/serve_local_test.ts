import assert from "node:assert/strict";
import type { Patience } from "../../src/core/listen/progress.ts";
import type { Peer } from "../../src/http/router.ts";
import { nativeServer } from "../../src/http/listen/native_runtime.ts";
import { type Bounds, serveSocket, serveTcp } from "../../src/http/serve.ts";
import type { Listener } from "../../src/http/listen/door.ts";

const patience: Patience = { header: 60_000, request: 60_000, idle: 60_000, write: 60_000 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const get = (path: string): Uint8Array => encode(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);

interface Site {
  listener: Listener;
  peers: Peer[];
  /** What has begun, by path. */
  begun: string[];
  /** Resolves when the stream of "/endless" was given up. */
  givenUp: Promise<void>;
}

/** A local listener: "/endless" sends for ever, "/large" sends 8 MB. */
async function site(bounds: Bounds = {}): Promise<Site> {
  const peers: Peer[] = [];
  const begun: string[] = [];
  const { promise: givenUp, resolve } = Promise.withResolvers<void>();
  const large = new Uint8Array(8_000_000);
  const listener = await serveTcp({
    async fetch(request, { peer }) {
      peers.push(peer);
      const { pathname } = new URL(request.url);
      begun.push(pathname);
      if (pathname === "/large") return new Response(large);
      if (pathname !== "/endless") return new Response(`${request.method} ${await request.text()}`);
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => resolve(),
      }, { highWaterMark: 0 });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  }, { host: "127.0.0.1", port: 0, ...bounds });
  return { listener, peers, begun, givenUp };
}

/** Reads until the other side ends it. */
async function rest(connection: Deno.Conn): Promise<number> {
  const buffer = new Uint8Array(65_536);
  let sum = 0;
  while (true) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) return sum;
    sum += count;
  }
}

Deno.test("nativeServer() is there in the version of Deno that this project is pinned to", () => {
  assert.equal(typeof nativeServer(), "function");
});

Deno.test("serveTcp() answers, and hands the peer along", async () => {
  const { listener, peers } = await site();
  const answer = await fetch(`http://127.0.0.1:${listener.port}/`, { method: "POST", body: "hello" });
  assert.equal(await answer.text(), "POST hello");
  const [{ port, ...peer }] = peers as [Extract<Peer, { kind: "tcp" }>];
  assert.deepEqual(peer, { kind: "tcp", address: "127.0.0.1", tls: false, isOwn: true });
  assert.ok(Number.isInteger(port), "by which its user can be told");
  await listener.close();
});

Deno.test("serveTcp() begins no request while the answer before it waits to be taken", async () => {
  const { listener, begun } = await site();
  using connection = await Deno.connect({ port: listener.port });
  await connection.write(encode("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20)));
  // Another client gets its answer meanwhile, and what was asked for before has had its turn.
  for (let n = 0; n < 20; n++) await (await fetch(`http://127.0.0.1:${listener.port}/`)).text();
  assert.equal(begun.filter((path) => path === "/large").length, 1);
  connection.close();
  await listener.close();
});

Deno.test("serveTcp() cuts off who sends no request, half a header, or half a body", async () => {
  const { listener } = await site({ patience: { ...patience, header: 100, request: 100 } });
  const half = async (text: string): Promise<number> => {
    using connection = await Deno.connect({ port: listener.port });
    await connection.write(encode(text));
    return await rest(connection);
  };
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc";
  assert.deepEqual(await Promise.all([half(""), half("GET / HT"), half(head)]), [0, 0, 0]);
  await listener.close();
});

Deno.test("serveTcp() cuts off a client that takes nothing of a stream", async () => {
  const { listener, givenUp } = await site({ patience: { ...patience, write: 200 } });
  using connection = await Deno.connect({ port: listener.port });
  await connection.write(get("/endless"));
  await givenUp;
  await rest(connection);
  await listener.close();
});

Deno.test("serveTcp() lets a slow client of a stream live that takes something", async () => {
  const { listener } = await site({ patience: { ...patience, write: 400 } });
  using connection = await Deno.connect({ port: listener.port });
  await connection.write(get("/endless"));
  const buffer = new Uint8Array(4_000_000);
  const until = performance.now() + 1200;
  // Takes what lies there, five times as often as it must.
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 80));
    for (let taken = 0; taken < 8_000_000;) {
      const count = await connection.read(buffer);
      assert.ok(count !== null, "the connection lives");
      taken += count;
    }
  }
  connection.close();
  await listener.close();
});

Deno.test("serveTcp() ends an idle connection, and holds no more than it may", async () => {
  const { listener } = await site({ connections: 3, patience: { ...patience, idle: 300 } });
  const open = await Promise.all(Array.from({ length: 3 }, () => Deno.connect({ port: listener.port })));
  const buffer = new Uint8Array(1000);
  for (const connection of open) {
    await connection.write(get("/"));
    assert.ok(await connection.read(buffer));
  }
  // One too many: who has waited longest goes.
  using more = await Deno.connect({ port: listener.port });
  await more.write(get("/"));
  assert.ok(await more.read(buffer));
  assert.equal(await rest(open[0]!), 0);
  for (const connection of open) {
    await rest(connection);
    connection.close();
  }
  assert.equal(await rest(more), 0);
  await listener.close();
});

Deno.test("serveTcp() answers everybody while somebody holds all places with what asks for no work", async () => {
  const { listener } = await site({ connections: 6 });
  const kinds = [
    new Uint8Array(),
    encode("GET / HT"),
    encode("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"),
    get("/large"),
    get("/"),
  ];
  const held: Deno.Conn[] = [];
  for (const bytes of kinds) {
    for (let n = 0; n < 8; n++) {
      const connection = await Deno.connect({ port: listener.port });
      held.push(connection);
      await connection.write(bytes).catch(() => {});
    }
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(`http://127.0.0.1:${listener.port}/`, { method: "POST", body: "x" });
      assert.equal(await answer.text(), "POST x");
    }
  }
  for (const connection of held) connection.close();
  await listener.close();
});

Deno.test("serveTcp() speaks HTTP/1.0 once without Host, and no HTTP/2", async () => {
  const { listener, begun } = await site();
  using old = await Deno.connect({ port: listener.port });
  await old.write(encode("GET /old HTTP/1.0\r\n\r\n"));
  assert.ok(await rest(old) > 0);
  using again = await Deno.connect({ port: listener.port });
  await again.write(encode("GET /first HTTP/1.1\r\n\r\nGET /second HTTP/1.1\r\n\r\n"));
  await rest(again);
  assert.deepEqual(begun, ["/old", "/first"]);
  await listener.close();
});

/** A frame of HTTP/2 (RFC 9113, 4.1). */
function frame(type: number, flags: number, { stream, body }: { stream: number; body: number[] }): number[] {
  return [0, body.length >> 8, body.length & 255, type, flags, 0, 0, stream >> 8, stream & 255, ...body];
}

/** A header field that no table has (RFC 7541, 6.2.2). */
function field(name: string, value: string): number[] {
  return [0, name.length, ...encode(name), value.length, ...encode(value)];
}

Deno.test("serveTcp() piles up no answers of HTTP/2, whatever its requests are like", async () => {
  const { listener, begun } = await site();
  // A client that takes nothing: the window of each stream is empty.
  const settings = frame(4, 0, { stream: 0, body: [0, 4, 0, 0, 0, 0] });
  const begin = [...encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ...settings];
  const request = (stream: number, fields: number[]): Uint8Array =>
    // GET, http, a path
    new Uint8Array(frame(1, 5, { stream, body: [0x82, 0x86, 4, 6, ...encode("/large"), ...fields] }));
  for (
    const { fields, most } of [
      { fields: [], most: 1 },
      { fields: field("host", "x"), most: 4 },
      { fields: [...field("host", "x"), ...field("connection", "keep-alive")], most: 0 },
    ]
  ) {
    using connection = await Deno.connect({ port: listener.port });
    await connection.write(new Uint8Array(begin));
    const ended = rest(connection);
    let isOpen = true;
    void ended.then(() => isOpen = false);
    begun.length = 0;
    for (let n = 0; n < 20 && isOpen; n++) {
      await connection.write(request(2 * n + 1, fields)).catch(() => {});
      // Other clients get their answers, by which time this request has had its turn.
      await (await fetch(`http://127.0.0.1:${listener.port}/`)).text();
    }
    // It may be waited for whether an answer is taken yet.
    if (most > 0) await ended;
    const large = begun.filter((path) => path === "/large").length;
    assert.ok(large <= most, `${large} answers of 8 MB`);
    assert.equal(isOpen, most === 0, "no request of this kind is HTTP/2, and none was handed on");
    if (isOpen) connection.close();
    await ended;
  }
  await listener.close();
});

Deno.test("serveTcp() goes on with a connection whose answers are taken, whatever its requests say", async () => {
  const { listener, peers } = await site();
  for (const header of ["", "Connection: keep-alive\r\n"]) {
    using connection = await Deno.connect({ port: listener.port });
    const buffer = new Uint8Array(1000);
    for (let n = 1; n <= 50; n++) {
      await connection.write(encode(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n`));
      const count = await connection.read(buffer);
      const answer = new TextDecoder().decode(buffer.subarray(0, count ?? 0));
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
      assert.doesNotMatch(answer, /\r\nconnection: close/i);
    }
    // A burst of requests, too.
    const burst = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(49) +
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    await connection.write(encode(burst));
    await rest(connection);
  }
  assert.equal(peers.length, 200);
  await listener.close();
});

Deno.test("serveTcp() hands on methods of which no request can be made", async () => {
  const { listener, begun } = await site();
  for (const line of ["TRACE /", "TRACK /", "get /", "CONNECT x:80"]) {
    using connection = await Deno.connect({ port: listener.port });
    await connection.write(encode(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    const buffer = new Uint8Array(1000);
    const count = await connection.read(buffer);
    assert.match(new TextDecoder().decode(buffer.subarray(0, count ?? 0)), /^HTTP\/1\.1 200 /, line);
  }
  assert.equal(begun.length, 4);
  await listener.close();
});

Deno.test("serveTcp() serves TLS within the same bounds", async () => {
  const { ownCertificate } = await import("../../src/io/tls.ts");
  const folder = await Deno.makeTempDir({ prefix: "svc-tls-" });
  const certificate = await ownCertificate(folder, { names: ["localhost"], now: Date.now() });
  const listener = await serveTcp({ fetch: () => new Response("hello") }, {
    host: "127.0.0.1",
    port: 0,
    certificate,
    patience: { ...patience, header: 300 },
  });
  using silent = await Deno.connect({ port: listener.port });
  using client = Deno.createHttpClient({ caCerts: [certificate.cert] });
  const answer = await fetch(`https://localhost:${listener.port}/`, { client });
  assert.equal(await answer.text(), "hello");
  assert.equal(await rest(silent), 0);
  await listener.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("serveSocket() answers who may open it, and is gone when it is closed", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-socket-" });
  const path = `${folder}/svc.sock`;
  const listener = await serveSocket({ fetch: (_, { peer }) => Response.json(peer) }, {
    path,
    keptAs: `${folder}/kept`,
  });
  using client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
  const answer = await fetch("http://localhost/", { client });
  assert.deepEqual(await answer.json(), { kind: "socket" });
  await listener.close();
  await assert.rejects(Deno.connect({ transport: "unix", path }));
  await Deno.remove(folder, { recursive: true });
});
