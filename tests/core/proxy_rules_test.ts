import assert from "node:assert/strict";
import { isOwnMachine, namesProxy } from "../../src/core/proxy_rules.ts";

Deno.test("isOwnMachine() knows loopback in every spelling, and no name that only begins like it", {
  permissions: "none",
}, () => {
  for (
    const host of [
      "127.0.0.1",
      "127.9.9.9",
      "2130706433",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "localhost",
      "LocalHost.",
      "a.localhost",
    ]
  ) {
    assert.equal(isOwnMachine(`http://${host}:8420/x`), true, host);
  }
  for (
    const host of ["10.0.0.1", "[::2]", "localhost.example.com", "127.0.0.1.example.com", "notlocalhost"]
  ) {
    assert.equal(isOwnMachine(`http://${host}/`), false, host);
  }
});

Deno.test(
  "namesProxy() sees a proxy for requests in capitals and small letters",
  { permissions: "none" },
  () => {
    for (const name of ["HTTP_PROXY", "https_proxy", "ALL_PROXY"]) {
      assert.equal(
        namesProxy({ [name]: "p:1" }),
        true,
      );
    }
    assert.equal(namesProxy({ HTTP_PROXY: "", NO_PROXY: "*", FTP_PROXY: "p:1" }), false);
  },
);
