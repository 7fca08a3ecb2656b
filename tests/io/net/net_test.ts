import assert from "node:assert/strict";
import type { ProbeResult } from "../../../src/core/health_check.ts";
import { type Net, workerNet } from "../../../src/io/net/net.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;
const timeout = 5000;

/** Does the work with a server of this machine and with probes that may reach it. */
async function withServer(
  handler: (request: Request) => Response | Promise<Response>,
  work: (net: Net, server: { port: number; url: string }) => Promise<void>,
): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const { port } = server.addr;
  const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`, `localhost:${port}`], broke: () => {} });
  try {
    await work(net, { port, url: `http://127.0.0.1:${port}` });
  } finally {
    net.close();
    await server.shutdown();
  }
}

/** A port of this machine at which nobody listens. */
function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test("Net.http() passes by a status from 200 to 399, follows nothing, and says what came instead", async () => {
  const asked: string[] = [];
  await withServer((request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const status = Number(pathname.slice(1));
    return new Response(null, { status, headers: status === 302 ? { location: "/500" } : {} });
  }, async (net, { url }) => {
    const results: Record<number, ProbeResult> = {};
    for (const status of [200, 204, 302, 404, 503]) {
      results[status] = await net.http(`${url}/${status}`, { timeout });
    }
    assert.deepEqual(results, {
      200: { result: "passed" },
      204: { result: "passed" },
      302: { result: "passed" },
      404: { result: "failed", why: "status 404" },
      503: { result: "failed", why: "status 503" },
    });
  });
  assert.ok(!asked.includes("/500"));
});

Deno.test("Net.http() takes a body for nothing, however long it is", async () => {
  const endless = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  await withServer(() => new Response(endless()), async (net, { url }) => {
    assert.deepEqual(await net.http(url, { timeout }), { result: "passed" });
  });
});

Deno.test("Net.http() gives up at its timeout", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await withServer(() => promise, async (net, { url }) => {
    const result = await net.http(url, { timeout: 100 });
    assert.deepEqual(result, { result: "failed", why: "no answer within 100 ms" });
    resolve(new Response());
  });
});

Deno.test("Net.http() says why nobody answered, and never the address, which may hold a password", async () => {
  await withServer(() => new Response(), async (net) => {
    const port = closedPort();
    net.allow([`127.0.0.1:${port}`]);
    const result = await net.http(`http://user:secret@127.0.0.1:${port}/?token=secret`, { timeout });
    assert.equal(result.result, "failed");
    assert.match("why" in result ? result.why : "", /refused/);
    assert.doesNotMatch(JSON.stringify(result), /secret|http:/);
  });
});

Deno.test("Net.http() says nothing of the address where what answers is no HTTP", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(1024));
    await connection.write(new TextEncoder().encode("this is no HTTP\r\n\r\n"));
  })();
  const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: () => {} });
  const result = await net.http(`http://127.0.0.1:${port}/?token=hunter2`, { timeout });
  assert.deepEqual(result, { result: "failed", why: "invalid HTTP version parsed" });
  net.close();
  await served;
});

Deno.test("Net.tcp() passes where somebody listens, by name too, and says why not", async () => {
  await withServer(() => new Response(), async (net, { port }) => {
    assert.deepEqual(await net.tcp("127.0.0.1", { port, timeout }), { result: "passed" });
    assert.deepEqual(await net.tcp("localhost", { port, timeout }), { result: "passed" });
    const closed = closedPort();
    net.allow([`127.0.0.1:${closed}`]);
    const result = await net.tcp("127.0.0.1", { port: closed, timeout: 0 });
    assert.equal(result.result, "failed");
    assert.match("why" in result ? result.why : "", /refused/);
  });
});

Deno.test("Net.allow() opens the addresses that it names, and closes all others", async () => {
  await withServer(() => new Response(), async (net, { port, url }) => {
    net.allow([]);
    for (const result of [await net.http(url, { timeout }), await net.tcp("127.0.0.1", { port, timeout })]) {
      assert.deepEqual(result, {
        result: "unknown",
        why: `127.0.0.1:${port} is no address of the configuration in force`,
      });
    }
    net.allow([`127.0.0.1:${port}`]);
    assert.deepEqual(await net.http(url, { timeout }), { result: "passed" });
  });
});

Deno.test("workerNet() tells once that its worker broke down; probes tell nothing from then on", async () => {
  const told: string[] = [];
  const broken = `data:text/javascript,setTimeout(() => { throw new Error("it broke") })`;
  const net = workerNet({ entry: broken, addresses: [], broke: (why) => told.push(why) });
  const first = await net.tcp("127.0.0.1", { port: 9, timeout: 0 });
  const second = await net.tcp("127.0.0.1", { port: 9, timeout: 0 });
  net.close();
  assert.deepEqual([first.result, second.result], ["unknown", "unknown"]);
  assert.equal(told.length, 1);
  assert.match(told[0]!, /it broke/);
});

Deno.test("workerNet() reach the network after the main thread has given it up", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("x"));
  const child = new URL("revoked_child.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "-q", child, entry, String(server.addr.port)],
  }).output();
  await server.shutdown();
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr)), {
    main: "NotCapable",
    worker: { result: "passed" },
    http: { result: "passed" },
    closed: "unknown",
  });
});
