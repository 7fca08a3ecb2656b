import assert from "node:assert/strict";
import { ownerOf, rowPattern } from "../../src/core/peer_owner.ts";

const pure = { permissions: "none" } as const;
const rest = "01 00000000:00000000 00:00000000 00000000";
const row = (ends: string, uid: number, inode = 4711): string =>
  `   7: ${ends} ${rest}  ${uid}        0 ${inode} 2 000000009fee8647 20 0 0 10 -1`;
const v4 = "0703007F:C239 0100007F:20E4";
const mapped = "0000000000000000FFFF00000703007F:C239 0000000000000000FFFF00000100007F:20E4";
const v6 = "00000000000000000000000001000000:C239 00000000000000000000000001000000:20E4";
const client = { address: "127.0.3.7", port: 0xc239, serverPort: 8420 };

Deno.test("ownerOf() reads the uid of the client's end, in IPv4, in IPv6 clothes and in IPv6", pure, () => {
  assert.equal(ownerOf([row(v4, 1001)], client), 1001);
  assert.equal(ownerOf([row(mapped, 1001)], client), 1001);
  assert.equal(ownerOf([row(v4, 1001)], { ...client, address: "::ffff:127.0.3.7" }), 1001);
  assert.equal(ownerOf([row(v6, 0)], { ...client, address: "::1" }), 0);
});

Deno.test(
  "ownerOf() tells nothing of other ends, of closed ones, and where rows say different things",
  pure,
  () => {
    assert.equal(ownerOf([], client), undefined);
    assert.equal(ownerOf(["", "nonsense", row("x", 1)], client), undefined);
    assert.equal(ownerOf([row("0100007F:20E4 0703007F:C239", 0)], client), undefined, "the daemon's own end");
    assert.equal(ownerOf([row(v4, 1001)], { ...client, port: 1 }), undefined);
    assert.equal(ownerOf([row(v4, 1001)], { ...client, serverPort: 8421 }), undefined);
    assert.equal(ownerOf([row(v4, 0, 0)], client), undefined, "closed by its process: shown as root's");
    assert.equal(ownerOf([row(v4, 1001), row(mapped, 1002)], client), undefined);
    assert.equal(ownerOf([row(v4, 1001), row(mapped, 1001)], client), 1001);
    assert.equal(ownerOf([row(v4, 1001)], { ...client, address: "box" }), undefined);
  },
);

Deno.test("rowPattern() holds nothing but digits, blanks and what a regular expression needs", pure, () => {
  assert.equal(
    rowPattern(client),
    "(0703007F|0000000000000000FFFF00000703007F):C239 [0-9A-F]+:20E4",
  );
  assert.equal(rowPattern({ ...client, address: "127.0.0.1'; id" }), undefined);
});
