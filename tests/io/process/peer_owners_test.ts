import assert from "node:assert/strict";
import { PeerOwners } from "../../../src/io/process/peer_owners.ts";
import { until } from "../../support/machine.ts";
import { Warden } from "../../../src/io/process/warden.ts";

const options = { patience: 5000, most: 3 };

Deno.test("PeerOwners tells whose a connection of this machine to itself is, from the kernel's table", async () => {
  const warden = new Warden();
  const owners = new PeerOwners((pattern) => warden.ask(`peers ${pattern}`), options);
  using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  using accepted = await server.accept();
  const { hostname: address, port } = accepted.remoteAddr as Deno.NetAddr;
  const connection = { address, port, serverPort: server.addr.port };
  try {
    assert.equal(await owners.ownerOf(connection), Deno.uid());
    assert.equal(await owners.ownerOf({ ...connection, serverPort: connection.port }), undefined);
    client.close();
    await until("it is nobody's any more", async () => await owners.ownerOf(connection) === undefined);
  } finally {
    await warden.close();
  }
});

Deno.test("PeerOwners looks once for all who ask meanwhile, and tells those nothing who wait too long or are too many", async () => {
  const patterns: string[] = [];
  let answer = (_rows: string[]): void => {};
  const look = (pattern: string): Promise<string[]> => {
    patterns.push(pattern);
    return new Promise((resolve) => answer = resolve);
  };
  const owners = new PeerOwners(look, options);
  const ask = (port: number) => owners.ownerOf({ address: "127.0.0.1", port, serverPort: 0x20e4 });
  const row = (port: string, uid: number): string =>
    `1: 0100007F:${port} 0100007F:20E4 01 0:0 0:0 0 ${uid} 0 9 1`;
  const first = ask(1);
  const next = [ask(2), ask(3), ask(4)];
  assert.equal(await ask(5), undefined, "one too many");
  answer([row("0001", 7)]);
  assert.equal(await first, 7);
  await Promise.resolve();
  answer([row("0002", 8), row("0003", 9)]);
  assert.deepEqual(await Promise.all(next), [8, 9, undefined]);
  assert.equal(patterns.length, 2);
  assert.equal(patterns[1]!.split("|").length, 6);

  const hasty = new PeerOwners(() => new Promise(() => {}), { patience: 1, most: 3 });
  assert.equal(await hasty.ownerOf({ address: "127.0.0.1", port: 1, serverPort: 2 }), undefined);
});
