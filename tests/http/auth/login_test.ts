import assert from "node:assert/strict";
import { alice, authOf, bearer, bob, logIn, ownOrigin, password, responseTo } from "../../support/auth.ts";
import { makeApp } from "../../support/make_app.ts";
import { makeEngine } from "../../support/make_engine.ts";
import { day, minute, noon, second } from "../../support/units.ts";
import type { Peer } from "../../../src/http/router.ts";

const post = { method: "POST", peer: alice } as const;

Deno.test("GET /api/auth/status tells whether a login is needed, and whether there was one", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const status = async (ask = {}) => (await app("/api/auth/status", ask)).body;
  assert.deepEqual(await status({ peer: alice }), { auth_required: true, authenticated: false });
  assert.deepEqual(await status(), { auth_required: true, authenticated: true }, "over the control socket");
  const { token, cookie } = await logIn(app);
  for (const headers of [bearer(token), { cookie }] as Record<string, string>[]) {
    assert.deepEqual(await status({ peer: alice, headers }), { auth_required: true, authenticated: true });
  }
  const open = makeApp(t, { auth: authOf(t, { mode: "off" }) });
  assert.deepEqual((await open("/api/auth/status", { peer: alice })).body, {
    auth_required: false,
    authenticated: true,
  });
});

Deno.test("POST /api/auth/login gives a token and a cookie for the right response", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t), fingerprint: "0123456789abcdef" });
  const challenge = await app("/api/auth/challenge", { peer: alice });
  assert.match(challenge.body.nonce, /^[0-9a-f]{64}$/);
  assert.equal(challenge.body.iterations, 600_000);
  const { answer, token, setCookie } = await logIn(app);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.expires_at, new Date(noon + day).toISOString());
  const [value, ...attributes] = setCookie.split("; ");
  assert.match(value!, /^svc_session_01234567=svcs_[\w-]{74}$/);
  assert.deepEqual(attributes.sort(), ["HttpOnly", "Max-Age=86400", "Path=/", "SameSite=Strict"]);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal((await app("/api/daemon", { peer: bob, headers: bearer(token) })).status, 200);
});

Deno.test("The cookie's token is good for the host and port of its login alone, and never in a header", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const at = (host: string): Record<string, string> => ({ host });
  const { cookie, token } = await logIn(app, { peer: alice, headers: at("127.0.0.1:8420") });
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await app("/api/daemon", { peer: alice, headers })).status;
  assert.equal(await ask({ cookie, ...at("127.0.0.1:8420") }), 200);
  for (const host of ["127.0.0.1:8421", "127.0.0.1", "localhost:8420", "svchost:8420"]) {
    assert.equal(await ask({ cookie, ...at(host) }), 401, host);
  }
  const value = cookie.split("=")[1]!;
  assert.notEqual(value, token);
  assert.equal(await ask({ ...bearer(value), ...at("127.0.0.1:8420") }), 401, "as a bearer token");
  assert.equal(await ask({ ...bearer(token), ...at("svchost:1") }), 200, "a program has no port of its own");
  const headers = { cookie, ...at("127.0.0.1:8420"), origin: "http://127.0.0.1:8420" };
  assert.equal((await app("/api/auth/logout", { method: "POST", peer: alice, headers })).status, 204);
  assert.equal(await ask(bearer(token)), 401, "they are one session");
});

Deno.test("POST /api/auth/login refuses wrong responses, and spends the nonce on each", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  let last = 0;
  const from = (): Peer => ({ kind: "tcp", address: `198.51.100.${++last}` });
  const challenge = async (): Promise<string> =>
    (await app("/api/auth/challenge", { peer: from() })).body.nonce;
  const login = async (nonce: string, response: string) =>
    await app("/api/auth/login", { method: "POST", peer: from(), json: { nonce, response } });
  for (const wrong of ["", "00", "x".repeat(64), "0".repeat(64), password]) {
    const nonce = await challenge();
    const refused = await login(nonce, wrong);
    assert.equal(refused.status, 401, wrong);
    assert.equal(refused.headers.get("www-authenticate"), "Bearer");
    assert.equal(refused.headers.get("set-cookie"), null);
    assert.equal((await login(nonce, await responseTo(nonce))).status, 401, "the nonce is spent");
  }
  const nonce = await challenge();
  assert.equal((await login(nonce, await responseTo(nonce, `${password}!`))).status, 401);
  const good = await challenge();
  assert.equal((await login(good.toUpperCase(), await responseTo(good))).status, 401, "the nonce is a text");
  assert.equal((await login("0".repeat(64), await responseTo("0".repeat(64)))).status, 401, "never issued");
  assert.equal((await login(good, (await responseTo(good)).toUpperCase())).status, 200);
});

Deno.test("POST /api/auth/login takes a nonce for five minutes", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const challenge = async () => (await app("/api/auth/challenge", { peer: alice })).body.nonce;
  const login = async (nonce: string) =>
    (await app("/api/auth/login", { ...post, json: { nonce, response: await responseTo(nonce) } })).status;
  const [early, late] = [await challenge(), await challenge()];
  await t.clock.advance(5 * minute - 1);
  assert.equal(await login(early), 200);
  await t.clock.advance(1);
  assert.equal(await login(late), 401);
});

Deno.test("POST /api/auth/login lets one of many that use the same nonce at once in", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const { nonce } = (await app("/api/auth/challenge", { peer: alice })).body;
  const response = await responseTo(nonce);
  const logins = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      app("/api/auth/login", {
        method: "POST",
        peer: { kind: "tcp", address: `198.51.100.${i}` },
        json: { nonce, response },
      })),
  );
  assert.deepEqual(logins.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401, 401, 401]);
});

Deno.test("POST /api/auth/login bounds the derivations that may wait, and says 503 past them", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const peer = (i: number): Peer => ({ kind: "tcp", address: `198.51.100.${i}` });
  const nonces = await Promise.all(
    Array.from(
      { length: 24 },
      async (_, i) => (await app("/api/auth/challenge", { peer: peer(i) })).body.nonce as string,
    ),
  );
  const logins = await Promise.all(
    nonces.map((nonce, i) =>
      app("/api/auth/login", { method: "POST", peer: peer(i), json: { nonce, response: "0".repeat(64) } })
    ),
  );
  const busy = logins.filter(({ status }) => status === 503);
  assert.equal(busy.length, 24 - 2 - 16);
  assert.ok(busy.every(({ headers }) => Number(headers.get("retry-after")) >= 1));
  assert.ok(logins.every(({ status }) => status === 503 || status === 401));
});

Deno.test("GET /api/auth/challenge keeps a thousand, and forgets the oldest", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const challenge = async (): Promise<string> => (await app("/api/auth/challenge")).body.nonce;
  const [oldest, second] = [await challenge(), await challenge()];
  for (let i = 0; i < 999; i++) await challenge();
  const login = async (nonce: string) =>
    (await app("/api/auth/login", { method: "POST", json: { nonce, response: await responseTo(nonce) } }))
      .status;
  assert.equal(await login(oldest), 401);
  assert.equal(await login(second), 200);
});

Deno.test("POST /api/auth/login checks its body", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const login = (ask: object) => app("/api/auth/login", { method: "POST", ...ask });
  assert.equal((await login({ json: { nonce: "a" } })).status, 422);
  assert.equal((await login({ json: { nonce: "a", response: "b", more: 1 } })).status, 422);
  assert.equal((await login({ text: "{", headers: { "content-type": "application/json" } })).status, 400);
  assert.equal((await login({ text: "nonce=a", headers: { "content-type": "text/plain" } })).status, 415);
  assert.equal((await login({})).status, 422);
  assert.equal((await app("/api/auth/login")).status, 405);
});

Deno.test("Logins, challenges and redemptions are five in five minutes together, whatever their headers say", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  let n = 0;
  const forged = () => ({
    peer: alice,
    headers: {
      "x-forwarded-for": `203.0.113.${++n}`,
      "x-real-ip": `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
    },
  });
  const attempts = async (): Promise<number[]> => [
    (await app("/api/auth/challenge", forged())).status,
    (await app("/api/auth/login", { ...forged(), method: "POST", json: { nonce: "a", response: "b" } }))
      .status,
    (await app("/api/auth/login", { ...forged(), method: "POST", json: {} })).status,
    (await app("/api/auth/launch-ticket?ticket=no", forged())).status,
    (await app("/api/auth/challenge", forged())).status,
  ];
  assert.deepEqual(await attempts(), [200, 401, 422, 401, 200]);
  assert.deepEqual(await attempts(), [429, 429, 429, 429, 429]);
  const refused = await app("/api/auth/challenge", forged());
  assert.equal(refused.headers.get("retry-after"), "300");
  assert.equal(refused.headers.get("content-type"), "application/problem+json");
  assert.equal((await app("/api/auth/challenge", { peer: bob })).status, 200, "others are not held up");
  assert.equal((await app("/api/auth/status", { peer: alice })).status, 200, "the status does not count");
  for (let i = 0; i < 10; i++) {
    assert.equal((await app("/api/auth/challenge")).status, 200, "over the socket");
  }
  await t.clock.advance(5 * minute - second);
  assert.equal((await app("/api/auth/challenge", forged())).headers.get("retry-after"), "1");
  await t.clock.advance(second);
  assert.equal((await app("/api/auth/challenge", forged())).status, 200);
});

Deno.test("Answers to challenges and logins say how many tries are left, also where they refuse", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const peer: Peer = { kind: "tcp", address: "198.51.100.7" };
  const { headers, body } = await app("/api/auth/challenge", { peer });
  assert.equal(headers.get("ratelimit-remaining"), "4");
  const json = { nonce: body.nonce, response: "no" };
  const refused = await app("/api/auth/login", { method: "POST", peer, json });
  assert.deepEqual([refused.status, refused.headers.get("ratelimit-remaining")], [401, "3"]);
});

Deno.test("Rate limits count the clients of a trusted proxy one by one, and all of an IPv6 /64 as one", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { proxies: ["10.0.0.0/8"] }) });
  const ask = async (address: string, forwardedFor?: string): Promise<number> =>
    (await app("/api/auth/challenge", {
      peer: { kind: "tcp", address },
      headers: forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor },
    })).status;
  for (let i = 0; i < 5; i++) assert.equal(await ask("10.0.0.1", `6.6.6.${i}, 192.0.2.50`), 200);
  assert.equal(
    await ask("10.0.0.2", "6.6.6.6, 192.0.2.50"),
    429,
    "the left-most entry is the client's own word",
  );
  assert.equal(await ask("10.0.0.1", "192.0.2.51"), 200);
  assert.equal(await ask("192.0.2.50"), 429, "the same client, without the proxy");
  for (let i = 0; i < 5; i++) assert.equal(await ask(`2001:db8::${i + 1}`), 200);
  assert.equal(await ask("2001:db8::ffff:9"), 429);
  assert.equal(await ask("2001:db8:0:1::1"), 200);
});

/** Headers by which proxies and networks of others tell a client's address, each in its own way. */
const clientHeaders = [
  ...[
    "CF-Connecting-IP",
    "CF-Connecting-IPv6",
    "Client-IP",
    "Fastly-Client-IP",
    "Fly-Client-IP",
    "Forwarded-For",
  ],
  ...["True-Client-IP", "X-AppEngine-User-IP", "X-Azure-ClientIP", "X-Client-IP", "X-Cluster-Client-IP"],
  ...["X-Envoy-External-Address", "X-Original-Forwarded-For", "X-Real-IP", "X-Remote-Addr", "X-Remote-IP"],
];

Deno.test("A client is told by no header but X-Forwarded-For, not by a trusted proxy either", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { proxies: ["10.0.0.0/8"] }) });
  let n = 0;
  const ask = async (address: string, headers: Record<string, string>): Promise<number> =>
    (await app("/api/auth/challenge", { peer: { kind: "tcp", address }, headers })).status;
  for (const address of ["10.0.0.1", "192.0.2.1"]) {
    for (let i = 0; i < 5; i++) assert.equal(await ask(address, {}), 200);
    for (const name of clientHeaders) {
      assert.equal(await ask(address, { [name]: `203.0.113.${++n}` }), 429, `${name} of ${address}`);
    }
    assert.equal(await ask(address, { forwarded: `for=203.0.113.${++n};proto=https` }), 429);
  }
  assert.equal(await ask("10.0.0.1", { "x-forwarded-for": "203.0.113.250", "x-real-ip": "10.0.0.1" }), 200);
});

Deno.test("With authentication off there is nothing to log in to", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { mode: "off" }) });
  assert.equal((await app("/api/auth/challenge", { peer: alice })).status, 409);
  assert.equal((await app("/api/auth/login", { ...post, json: { nonce: "a", response: "b" } })).status, 409);
  assert.equal((await app("/api/daemon", { peer: alice })).status, 200);
  assert.equal((await app("/api/daemon/reload", { ...post, headers: ownOrigin })).status, 200);
});

Deno.test("GET /api/local/credentials tells the generated password over the control socket alone", async () => {
  await using t = await makeEngine({ units: [] });
  const generated = authOf(t, { password: { text: "made-up-for-now", isGenerated: true } });
  const app = makeApp(t, { auth: generated });
  assert.deepEqual((await app("/api/local/credentials")).body, {
    ephemeral: true,
    password: "made-up-for-now",
  });
  const session = await generatedSession();
  for (
    const headers of [{}, bearer(session), { "x-forwarded-for": "127.0.0.1" }] as Record<string, string>[]
  ) {
    for (const address of ["127.0.0.1", "::1", "192.0.2.1"]) {
      const { status, body } = await app("/api/local/credentials", {
        peer: { kind: "tcp", address },
        headers,
      });
      assert.equal(status, 403);
      assert.ok(!JSON.stringify(body).includes("made-up"));
    }
  }
  const named = makeApp(t, { auth: authOf(t) });
  assert.equal((await named("/api/local/credentials")).status, 404);
  assert.ok(!JSON.stringify((await named("/api/local/credentials")).body).includes(password));
  assert.equal(
    (await makeApp(t, { auth: authOf(t, { mode: "off" }) })("/api/local/credentials")).status,
    409,
  );

  async function generatedSession(): Promise<string> {
    const { body } = await app("/api/auth/challenge");
    const response = await responseTo(body.nonce, "made-up-for-now");
    return (await app("/api/auth/login", { method: "POST", json: { nonce: body.nonce, response } })).body
      .token;
  }
});

Deno.test("GET /api/local/credentials says which file a password is in that a service manager read", async () => {
  await using t = await makeEngine({ units: [] });
  const file = "/var/lib/svc/service.env";
  const app = makeApp(t, { auth: authOf(t, { password: { text: "kept", isGenerated: false, file } }) });
  const { status, body } = await app("/api/local/credentials");
  assert.equal(status, 404);
  assert.match(body.detail, /the password is in "\/var\/lib\/svc\/service\.env"/);
});
