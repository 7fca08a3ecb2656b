import assert from "node:assert/strict";
import { probeTarget } from "../../../src/importers/export/probe_target.ts";
import { check } from "../../support/units.ts";

Deno.test("probeTarget() finds host, port and path, and leaves out a host that is the service's own", () => {
  const http = (url: string) => probeTarget(check({ kind: "http", url }));
  assert.deepEqual(http("http://localhost/up?a=1"), { port: 80, http: { secure: false, path: "/up?a=1" } });
  assert.deepEqual(http("https://[::1]:8443"), { port: 8443, http: { secure: true, path: "/" } });
  assert.deepEqual(http("https://shop.lan/"), {
    host: "shop.lan",
    port: 443,
    http: { secure: true, path: "/" },
  });
  assert.deepEqual(probeTarget(check({ kind: "tcp", host: "127.0.0.2", port: 5 })), { port: 5 });
  assert.equal(probeTarget(check({ kind: "run", run: "true" })), undefined);
});
