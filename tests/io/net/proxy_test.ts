import assert from "node:assert/strict";
import { workerNet } from "../../../src/io/net/net.ts";
import { besideProxy } from "../../support/beside_proxy.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;
const timeout = 5000;
const plain = { do: "post", headers: {}, body: "told" } as const;

for (const env of [{ HTTP_PROXY: "http://PROXY" }, { all_proxy: "http://PROXY" }]) {
  const [name = ""] = Object.keys(env);
  Deno.test(`Net asks this machine without the proxy of ${name}, and others through it, but for probes`, async () => {
    const { proxied, served } = await besideProxy(env, async ({ port }) => {
      const own = ["127.0.0.1", "localhost"].map((host) => `${host}:${port}`);
      const net = workerNet({ entry, addresses: [...own, "one.invalid:80"], broke: () => {} });
      for (const address of own) {
        assert.deepEqual(await net.http(`http://${address}/204?a`, { timeout }), { result: "passed" });
        const outgoing = { ...plain, url: `http://${address}/503` };
        const verdict = await net.deliver(outgoing, { timeout });
        assert.equal(verdict.is, "again");
        assert.match(JSON.stringify(verdict), /503/);
      }
      assert.deepEqual(await net.http(`http://${own[0]}/500`, { timeout }), {
        result: "failed",
        why: "status 500",
      });
      const probe = await net.http("http://one.invalid/up", { timeout });
      assert.equal(probe.result, "failed", "no probe is answered by a proxy");
      const elsewhere = { ...plain, url: "http://one.invalid/hook" };
      assert.deepEqual(await net.deliver(elsewhere, { timeout }), { is: "sent" });
      const foreign = { ...plain, url: "http://two.invalid/hook" };
      const refused = await net.deliver(foreign, { timeout });
      assert.equal(refused.is, "refused", "the target is what has to be allowed, not the proxy");
      net.close();
    });
    assert.deepEqual(proxied, ["POST http://one.invalid/hook"]);
    assert.deepEqual(served, [
      "GET /204?a ",
      "POST /503 told",
      "GET /204?a ",
      "POST /503 told",
      "GET /500 ",
    ]);
  });
}

Deno.test("Net leaves out the proxy for hosts that NO_PROXY names", async () => {
  const env = { HTTP_PROXY: "http://PROXY", NO_PROXY: "one.invalid" };
  const { proxied } = await besideProxy(env, async () => {
    const net = workerNet({ entry, addresses: ["one.invalid:80"], broke: () => {} });
    const verdict = await net.deliver({ ...plain, url: "http://one.invalid/hook" }, { timeout });
    assert.equal(verdict.is, "again");
    net.close();
  });
  assert.deepEqual(proxied, []);
});

Deno.test("Net says of a closed port behind no proxy what it says without one", async () => {
  const { proxied } = await besideProxy({ HTTP_PROXY: "http://PROXY" }, async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const net = workerNet({ entry, addresses: [`127.0.0.1:${port}`], broke: () => {} });
    const { result } = await net.http(`http://127.0.0.1:${port}/`, { timeout });
    assert.equal(result, "failed");
    const verdict = await net.deliver({ ...plain, url: `http://127.0.0.1:${port}/` }, { timeout });
    assert.equal(verdict.is, "again");
    assert.match(JSON.stringify(verdict), /refused/i);
    net.close();
  });
  assert.deepEqual(proxied, []);
});
