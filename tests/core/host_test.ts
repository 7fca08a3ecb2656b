import assert from "node:assert/strict";
import { isHost } from "../../src/core/host.ts";

Deno.test("isHost() takes names and addresses, with a port or without", { permissions: "none" }, () => {
  for (
    const text of ["localhost", "a_b.example.org:8420", "127.0.0.1:80", "[::1]", "[::1]:8420", "x.", "X:0"]
  ) assert.ok(isHost(text), text);
});

Deno.test("isHost() takes nothing that would be another part of an address, or none", {
  permissions: "none",
}, () => {
  const wrong = [
    "",
    "a b",
    "%",
    "@",
    "u@x",
    "[::1",
    "[x]",
    "x:",
    "x:99999",
    "x:1:2",
    "x/health?",
    "x?",
    "x#",
  ];
  const others = ["x\\health", "a,b", "ä.de", "xn--a", "256.256.256.256", "1.2.3.4.5", "x\t", ":80"];
  for (const text of [...wrong, ...others]) assert.ok(!isHost(text), text);
});
