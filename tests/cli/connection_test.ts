import assert from "node:assert/strict";
import { besideProxy } from "../support/beside_proxy.ts";

Deno.test("openConnection() asks a daemon on this machine without a proxy, and another through it", async () => {
  const child = new URL("./connection_child.ts", import.meta.url);
  const { proxied, served, said } = await besideProxy(child, {
    env: { http_proxy: "http://PROXY" },
    args: (port) => [`http://127.0.0.1:${port}`, `http://LOCALHOST:${port}/`, "http://far.invalid"],
  });
  const { answers, proxy } = said as { answers: string[]; proxy: string };
  assert.deepEqual(answers, ["why", "why", ""]);
  assert.match(proxy, /^http:\/\/127\.0\.0\.1:\d+$/, "the environment is as it was");
  assert.deepEqual(served, ["GET /x ", "GET /x "]);
  assert.deepEqual(proxied, ["GET http://far.invalid/x"]);
});
