import assert from "node:assert/strict";
import { besideProxy } from "../../support/beside_proxy.ts";

const child = new URL("./proxy_child.ts", import.meta.url);

/** Whether each job came to what it should: a verdict or the result of a probe. */
function ends(said: unknown): string[] {
  return (said as { is?: string; result?: string }[]).map(({ is, result }) => is ?? result ?? "");
}

for (const name of ["HTTP_PROXY", "all_proxy"]) {
  Deno.test(`Net asks this machine without the proxy of ${name}, and others through it, but for probes`, async () => {
    const { proxied, served, said } = await besideProxy(child, {
      env: { [name]: "http://PROXY" },
      args: (port) => [
        `127.0.0.1:${port},localhost:${port},one.invalid:80`,
        `GET http://127.0.0.1:${port}/204?a`,
        `POST http://127.0.0.1:${port}/503`,
        `GET http://localhost:${port}/500`,
        `POST http://localhost:${port}/200`,
        "GET http://one.invalid/up",
        "POST http://one.invalid/hook",
        "POST http://two.invalid/hook",
      ],
    });
    // The last one: the target is what has to be allowed, not the proxy.
    assert.deepEqual(ends(said), ["passed", "again", "failed", "sent", "failed", "sent", "refused"]);
    assert.match(JSON.stringify(said), /503.*why.*status 500/);
    assert.deepEqual(proxied, ["POST http://one.invalid/hook"]);
    assert.deepEqual(served, ["GET /204?a ", "POST /503 told", "GET /500 ", "POST /200 told"]);
  });
}

Deno.test("Net leaves out the proxy for hosts that NO_PROXY names", async () => {
  const { proxied, said } = await besideProxy(child, {
    env: { HTTP_PROXY: "http://PROXY", NO_PROXY: "one.invalid" },
    args: () => ["one.invalid:80", "POST http://one.invalid/hook"],
  });
  assert.deepEqual(ends(said), ["again"]);
  assert.deepEqual(proxied, []);
});

Deno.test("Net says of a closed port past a proxy what it says without one", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const { proxied, said } = await besideProxy(child, {
    env: { HTTP_PROXY: "http://PROXY" },
    args: () => [`127.0.0.1:${port}`, `GET http://127.0.0.1:${port}/`, `POST http://127.0.0.1:${port}/`],
  });
  assert.deepEqual(ends(said), ["failed", "again"]);
  assert.match(JSON.stringify(said), /refused/i);
  assert.deepEqual(proxied, []);
});
