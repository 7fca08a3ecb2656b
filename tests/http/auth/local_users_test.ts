import assert from "node:assert/strict";
import { alice, authOf, responseTo } from "../../support/auth.ts";
import { makeApp } from "../../support/make_app.ts";
import { makeEngine } from "../../support/make_engine.ts";
import { task } from "../../support/units.ts";
import { minute } from "../../support/units.ts";
import type { Peer } from "../../../src/http/router.ts";

/** Ports of users of this machine: 1000 to 1999 are root's, 2000 to 2999 mallory's, of others nobody knows. */
const ownerOf = ({ port, serverPort }: { port: number; serverPort: number }) =>
  Promise.resolve(serverPort !== 8420 || port >= 3000 ? undefined : port < 2000 ? 0 : 1001);
const at = (port: number, address = "127.0.0.1"): Peer => ({ kind: "tcp", address, port });

Deno.test("On loopback logins are counted by user, whichever address of it they come from", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { ownerOf }) });
  const ask = async (peer: Peer): Promise<number> => (await app("/api/auth/challenge", { peer })).status;
  for (let i = 0; i < 5; i++) assert.equal(await ask(at(2000 + i, `127.0.${i}.7`)), 200);
  for (let i = 0; i < 5; i++) assert.equal(await ask(at(2100 + i, `127.1.${i}.7`)), 429);
  assert.equal(await ask(at(2200, "::1")), 429);
  assert.equal(await ask(at(1000)), 200, "another user is not held up");
  assert.equal(await ask(at(3000)), 200, "nor whose connection nobody knows");
  assert.equal(await ask(alice), 200);
});

Deno.test("On this machine's own addresses logins are counted by user, too, and from elsewhere by address", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { ownerOf }) });
  const ask = async (port: number, address: string, isOwn: boolean): Promise<number> =>
    (await app("/api/auth/challenge", { peer: { kind: "tcp", address, port, isOwn } })).status;
  for (let i = 0; i < 5; i++) assert.equal(await ask(2000 + i, "192.0.2.2", true), 200);
  assert.equal(await ask(2100, "192.0.2.2", true), 429);
  assert.equal(await ask(2101, "127.0.0.1", false), 429, "it is the same user on loopback");
  assert.equal(await ask(1000, "192.0.2.2", true), 200, "another user is not held up");
  for (let i = 0; i < 5; i++) assert.equal(await ask(1000 + i, "192.0.2.9", false), 200);
  assert.equal(await ask(2000, "192.0.2.9", false), 429, "the ports of another machine are nobody's here");
});

Deno.test("On loopback those whose user can't be told are counted together", async () => {
  await using t = await makeEngine({ units: [] });
  for (const known of [{}, { ownerOf: () => Promise.resolve(undefined) }]) {
    const app = makeApp(t, { auth: authOf(t, known) });
    const ask = async (address: string): Promise<number> =>
      (await app("/api/auth/challenge", { peer: at(4000, address) })).status;
    for (let i = 0; i < 5; i++) assert.equal(await ask(`127.0.${i}.7`), 200);
    assert.equal(await ask("127.9.9.9"), 429);
    assert.equal(await ask("::1"), 429);
  }
});

Deno.test("Clients behind a trusted proxy on this machine are counted by their own addresses", async () => {
  await using t = await makeEngine({ units: [] });
  let asked = 0;
  const counting = (): Promise<number> => Promise.resolve(++asked);
  const app = makeApp(t, { auth: authOf(t, { ownerOf: counting, proxies: ["127.0.0.1"] }) });
  const ask = async (client: string): Promise<number> =>
    (await app("/api/auth/challenge", { peer: at(1), headers: { "x-forwarded-for": client } })).status;
  for (let i = 0; i < 5; i++) assert.equal(await ask("192.0.2.8"), 200);
  assert.equal(await ask("192.0.2.8"), 429);
  assert.equal(await ask("192.0.2.9"), 200);
  for (let i = 0; i < 5; i++) assert.equal(await ask("127.0.0.5"), 200, "it came through the proxy");
  assert.equal(await ask("127.0.0.6"), 429);
  assert.equal(asked, 0);
});

Deno.test("Rejected hook calls of one user of this machine lock no other out, and good calls ask nobody", async () => {
  const token = "h".repeat(40);
  await using t = await makeEngine({ units: [task({ name: "x", hookTokens: [{ token, allow: ["run"] }] })] });
  let asked = 0;
  const counting = (connection: { port: number; serverPort: number }) => (asked++, ownerOf(connection));
  const app = makeApp(t, { auth: authOf(t, { ownerOf: counting }) });
  const call = async (peer: Peer, secret: string): Promise<number> =>
    (await app(`/api/hooks/tasks/x/run?token=${secret}`, { method: "POST", peer })).status;
  assert.equal(await call(at(1000), token), 201);
  assert.equal(asked, 0, "nothing was counted yet");
  for (let i = 0; i < 20; i++) assert.equal(await call(at(2000 + i, `127.0.${i}.1`), "wrong"), 401);
  assert.equal(await call(at(2500), token), 429);
  assert.equal(await call(at(1000), token), 201);
  await t.clock.advance(minute);
  assert.equal(await call(at(2500), token), 201);
});

Deno.test("What another site makes a browser send to the login is refused before it is counted", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    { origin: "http://evil.example" },
    { referer: "http://evil.example/" },
  ];
  for (const headers of foreign) {
    for (const path of ["/api/auth/challenge", "/api/auth/status"]) {
      assert.equal((await app(path, { peer: alice, headers })).status, 403, JSON.stringify(headers));
    }
  }
  const ticket = "/api/auth/launch-ticket?ticket=wrong";
  const image = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
  assert.equal((await app(ticket, { peer: alice, headers: image })).status, 403);
  const navigation = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  const led = async () => (await app(ticket, { peer: alice, headers: navigation })).status;
  for (let i = 0; i < 5; i++) assert.equal(await led(), 401, "a file of this machine may lead here");
  assert.equal(await led(), 429);
  const own = { referer: "http://localhost/", "sec-fetch-site": "same-origin" };
  for (let i = 0; i < 5; i++) {
    assert.equal((await app("/api/auth/challenge", { peer: alice, headers: own })).status, 200);
  }
  assert.equal((await app("/api/auth/challenge", { peer: alice, headers: own })).status, 429);
});

Deno.test("While many logins fail those are held back that have failed, but nobody else, and never the socket", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const login = async (peer: Peer): Promise<number> =>
    (await app("/api/auth/login", { method: "POST", peer, json: { nonce: "a", response: "b" } })).status;
  const from = (i: number): Peer => ({ kind: "tcp", address: `198.51.${i >> 8}.${i & 255}` });
  for (let i = 0; i < 60; i++) assert.equal(await login(from(i)), 401);
  const braked = await app("/api/auth/challenge", { peer: from(3) });
  assert.equal(braked.status, 429);
  assert.equal(braked.headers.get("retry-after"), "60");
  assert.equal((await app("/api/auth/challenge", { peer: alice })).status, 200);
  assert.equal(await login({ kind: "socket" }), 401);
  await t.clock.advance(minute);
  assert.equal(await login(from(3)), 401);
});

Deno.test("A login over the control socket waits for none of those from elsewhere", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const order: string[] = [];
  const nonce = async (peer?: Peer): Promise<string> =>
    (await app("/api/auth/challenge", peer === undefined ? {} : { peer })).body.nonce;
  const peers = Array.from({ length: 12 }, (_, i): Peer => ({ kind: "tcp", address: `198.51.100.${i}` }));
  const nonces = await Promise.all(peers.map(nonce));
  const own = await nonce();
  const response = await responseTo(own);
  const others = peers.map(async (peer, i) => {
    const json = { nonce: nonces[i], response: "0".repeat(64) };
    await app("/api/auth/login", { method: "POST", peer, json });
    order.push("other");
  });
  const mine = app("/api/auth/login", { method: "POST", json: { nonce: own, response } }).then(
    ({ status }) => order.push(`own ${status}`),
  );
  await Promise.all([...others, mine]);
  // Which of them are at it when it comes is the machine's affair; behind all of them it would be the last.
  assert.ok(order.indexOf("own 200") < 9, order.join());
});

Deno.test("Streams have 16 places for each user of this machine, whatever their addresses", async () => {
  await using t = await makeEngine({ units: [] });
  const { createApp } = await import("../../../src/http/app.ts");
  const { testFacts } = await import("../../support/make_app.ts");
  const app = createApp(t.engine, testFacts({ auth: authOf(t, { mode: "off", ownerOf }) }));
  const bodies: (ReadableStream | null)[] = [];
  const open = async (peer: Peer): Promise<number> => {
    const response = await app.request("/api/events/stream", {}, { peer });
    bodies.push(response.body);
    return response.status;
  };
  for (let i = 0; i < 16; i++) assert.equal(await open(at(2000 + i, `127.0.${i}.1`)), 200);
  assert.equal(await open(at(2100, "127.9.9.9")), 503);
  assert.equal(await open(at(1000)), 200);
  for (const body of bodies) await body?.cancel();
});
