import assert from "node:assert/strict";
import { openConnection } from "../../src/cli/connection.ts";
import type { Locals } from "../../src/cli/locals.ts";
import { besideProxy } from "../support/beside_proxy.ts";

Deno.test("openConnection() asks a daemon on this machine without a proxy, and another through it", async () => {
  const answers: string[] = [];
  const { proxied, served } = await besideProxy({ http_proxy: "http://PROXY" }, async ({ port, proxy }) => {
    for (const url of [`http://127.0.0.1:${port}`, `http://LOCALHOST:${port}/`, "http://far.invalid"]) {
      const connection = await openConnection({ url }, { locals: {} as Locals, env: {}, now: Date.now });
      const response = await connection.fetch(`${connection.base}/x`);
      answers.push(await response.text());
      connection.close();
    }
    assert.equal(Deno.env.get("http_proxy"), `http://127.0.0.1:${proxy}`, "the environment is as it was");
  });
  assert.deepEqual(answers, ["why", "why", ""]);
  assert.deepEqual(served, ["GET /x ", "GET /x "]);
  assert.deepEqual(proxied, ["GET http://far.invalid/x"]);
});
