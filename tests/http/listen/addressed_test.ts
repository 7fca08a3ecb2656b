import assert from "node:assert/strict";
import type { Door, Listener } from "../../../src/http/listen/door.ts";
import { addressed } from "../../../src/http/listen/addressed.ts";
import { serveSocket, serveTcp } from "../../../src/http/serve.ts";
import { servePublic } from "../../../src/http/serve_public.ts";

/** Answers with the path and query that it was asked for. */
const door: Door = {
  fetch({ url }) {
    const { pathname, search } = new URL(url);
    return new Response(`${pathname}${search}`);
  },
};

type Ask = (request: string) => Promise<string>;

/** Asks each kind of listener. */
async function onEach(test: (ask: Ask, kind: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/s`;
  const where = { host: "127.0.0.1", port: 0 };
  const own = await serveTcp(door, where);
  const open = servePublic(door, where);
  const socket = await serveSocket(door, { path });
  const tcp = ({ port }: Listener) => () => Deno.connect({ hostname: "127.0.0.1", port });
  await test(asking(tcp(own)), "own");
  await test(asking(tcp(open)), "public");
  await test(asking(() => Deno.connect({ transport: "unix", path })), "socket");
  for (const listener of [own, open, socket]) await listener.close();
  await Deno.remove(folder, { recursive: true });
}

function asking(connect: () => Promise<Deno.Conn>): Ask {
  return async (request) => {
    using connection = await connect();
    await connection.write(Uint8Array.from(request, (char) => char.charCodeAt(0)));
    return await new Response(connection.readable).text();
  };
}

const get = (host: string, path = "/api/tasks?a=1"): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

Deno.test("a Host that is none is told so by every listener, and reaches nobody", async () => {
  const wrong = ["a b", "%", "@", "u@x", "[::1", "x:99999", "x:", "x?", "x#", "x\\health", "256.256.256.256"];
  await onEach(async (ask, kind) => {
    for (const host of [...wrong, "xn--a", "\xff\xfe", "x/health?"]) {
      const answer = await ask(get(host));
      assert.match(
        answer,
        /^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*"status":400/,
        `${kind}: ${host}`,
      );
      assert.doesNotMatch(answer, /\/(?:health|api)/, `${kind}: ${host}`);
    }
  });
});

Deno.test("path and query are those of the request line, whatever the Host", async () => {
  await onEach(async (ask, kind) => {
    for (const host of ["x", "localhost:8420", "127.0.0.1", "[::1]:8420", "A_b.example."]) {
      assert.match(await ask(get(host)), /^HTTP\/1\.1 200 [^]*\/api\/tasks\?a=1/, `${kind}: ${host}`);
    }
    assert.match(await ask(get("x", "http://other.example/a?b")), /^HTTP\/1\.1 200 [^]*\/a\?b/, kind);
    assert.match(await ask(get("x", "http://u@other:99999/a")), /^HTTP\/1\.1 400 [^]*problem\+json/, kind);
    assert.match(await ask(get("x", "//y:99999/a")), /^HTTP\/1\.1 200 [^]*\/\/y:99999\/a/, kind);
  });
});

Deno.test("a request without Host, or with an empty one, is answered", async () => {
  await onEach(async (ask, kind) => {
    assert.match(await ask("GET /a?b HTTP/1.0\r\n\r\n"), /^HTTP\/1\.[01] 200 [^]*\/a\?b/, kind);
    assert.match(await ask(get("")), /^HTTP\/1\.1 200 [^]*\/api\/tasks\?a=1/, kind);
  });
});

Deno.test("OPTIONS * tells the methods, and what is expected beyond 100-continue is refused", async () => {
  await onEach(async (ask, kind) => {
    const options = await ask("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(options, /^HTTP\/1\.1 204 [^]*\r\nallow: GET, HEAD, OPTIONS/i, kind);
    const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n";
    assert.match(await ask(`${head}Expect: foo\r\n\r\n{}`), /^HTTP\/1\.1 417 [^]*problem\+json/, kind);
    assert.match(await ask(`${head}Expect: 100-continue\r\n\r\n{}`), /HTTP\/1\.1 200 /, kind);
  });
});

Deno.test("addressed() takes an authority of HTTP/2 only where it is a host", () => {
  const asked = (url: string) => {
    const request = { url, method: "GET", headers: new Headers() } as Request;
    const answer = addressed(request);
    return answer === request ? "handed on" : (answer as Response).status;
  };
  assert.equal(asked("http://x.example:8420/a?b"), "handed on");
  for (const url of ["http://u@x/a", "http://x:99999/a", "http://a b/", "http://%2Ftmp/a", "http:///a"]) {
    assert.equal(asked(url), 400, url);
  }
  assert.equal(asked("http+unix://%2Fdata%2Fsvc%2Esock/a"), "handed on", "a control socket itself");
  assert.equal(asked("http+unix://u@x:99999/a"), 400);
});
