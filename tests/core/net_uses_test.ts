import assert from "node:assert/strict";
import { addressOf, addressOfUrl, netUses } from "../../src/core/net_uses.ts";
import { check, configOf, service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test("netUses() names the key and the address of each check that opens connections", pure, () => {
  const config = configOf([
    task({ name: "t" }),
    service({ name: "a", healthCheck: check({ kind: "http", url: "https://Example.com/up?token=x" }) }),
    service({ name: "b", healthCheck: check({ kind: "tcp", host: "::1", port: 5432 }) }),
    service({ name: "c", healthCheck: check({ kind: "run", run: "true" }) }),
    service({ name: "d" }),
  ]);
  assert.deepEqual(netUses(config), [
    { key: "services.a.health_check.http", address: "example.com:443" },
    { key: "services.b.health_check.tcp", address: "[::1]:5432" },
  ]);
});

Deno.test("addressOf() and addressOfUrl() spell an address alike", pure, () => {
  assert.equal(addressOfUrl("http://LOCALHOST/x"), addressOf("localhost", 80));
  assert.equal(addressOfUrl("http://user:pw@10.0.0.1:8080"), addressOf("10.0.0.1", 8080));
  assert.equal(addressOfUrl("http://[::1]:80/"), addressOf("::1", 80));
});
