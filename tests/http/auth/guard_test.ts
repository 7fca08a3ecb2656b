import assert from "node:assert/strict";
import { alice, authOf, bearer, logIn } from "../../support/auth.ts";
import { type Answer, type Ask, makeApp } from "../../support/make_app.ts";
import { makeEngine } from "../../support/make_engine.ts";
import { task } from "../../support/units.ts";
import type { Peer } from "../../../src/http/router.ts";
import { createApp } from "../../../src/http/app.ts";
import { securityHeaders } from "../../../src/http/headers.ts";

type Headers = Record<string, string>;

Deno.test("Every route but the public ones needs a session or the control socket", async () => {
  await using t = await makeEngine({ units: [task({ name: "x" })] });
  const { routes } = createApp(t.engine, {
    version: "",
    fingerprint: "f00d",
    pid: 1,
    dataDir: "",
    configPath: "",
    socketPath: "",
    port: () => 0,
    serviceManaged: false,
    authDisabled: false,
    capabilities: [],
    isConfigStale: () => false,
    process: () => ({
      versions: { deno: "2.0.0", v8: "13.0" },
      memory: { rss: 70e6, heapTotal: 20e6, heapUsed: 15e6, external: 1e6 },
      connections: [{ listener: "the control socket", open: 1 }],
    }),
    report: () => {},
  });
  const isPublic = (path: string): boolean =>
    ["/", "/health", "/metrics", "/api/daemon/identity"].includes(path) ||
    /^\/(assets|api\/auth|api\/hooks|api\/local)\//.test(path);
  const app = makeApp(t, { auth: authOf(t) });
  const tried = new Set<string>();
  for (const { method, path } of routes) {
    if (method === "ALL" || path.includes("*") || isPublic(path)) continue;
    const asked = path.replace(/:\w+/g, "x");
    const { status, headers } = await app(asked, { method, peer: alice });
    assert.equal(status, 401, `${method} ${asked}`);
    assert.equal(headers.get("www-authenticate"), "Bearer");
    assert.equal(headers.get("content-type"), "application/problem+json");
    tried.add(`${method} ${path}`);
  }
  assert.ok(tried.size > 10, [...tried].join(", "));
  for (
    const path of ["/openapi.json", "/docs", "/docs/x", "/schemas/Run.json", "/api", "/api/", "/api/none"]
  ) {
    assert.equal((await app(path, { peer: alice })).status, 401, path);
  }
});

Deno.test("Public routes answer without a session", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  for (const path of ["/health", "/", "/assets/main.js", "/api/auth/status"]) {
    assert.equal((await app(path, { peer: alice })).status, 200, path);
  }
  assert.equal(
    (await app("/api/daemon/identity", { peer: { kind: "tcp", address: "127.0.0.1" } })).status,
    200,
  );
  assert.equal((await app("/api/daemon/identity", { peer: alice })).status, 403);
  assert.equal((await app("/nowhere", { peer: alice })).status, 404);
});

Deno.test("A guarded path can't be reached by another spelling", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const spellings = [
    "/api/daemon?x=/health",
    "/api/%64aemon",
    "/%61pi/daemon",
    "//api/daemon",
    "/api//daemon",
    "/API/daemon",
    "/api/daemon/",
    "/health/../api/daemon",
    "/api/auth/../daemon",
    "/api/hooks/../daemon",
    "/api/daemon;a=/health",
    "/api/daemon%2Fidentity",
    "/api/auth%2F..%2Fdaemon",
    "/./api/daemon",
    "/api/daemon%00",
    "/api/daemon#/health",
  ];
  for (const path of spellings) {
    const { status, body } = await app(path, { peer: alice });
    assert.ok(status === 401 || status === 404, `${path}: ${status}`);
    assert.ok(body.fingerprint === undefined, path);
  }
});

/** What becomes of a POST that changes something, with these headers. */
async function poster(mode: "on" | "off", externalUrl = "") {
  const t = await makeEngine({ units: [], daemon: { externalUrl } });
  const app = makeApp(t, { auth: authOf(t, { mode }) });
  const post = async (headers: Headers, path = "/api/daemon/reload", own: Ask = {}): Promise<number> =>
    (await app(path, { method: "POST", peer: alice, headers, ...own })).status;
  return { t, app, post };
}

Deno.test("Unsafe requests with the session cookie need an Origin or Referer of this daemon", async () => {
  const { t, app, post } = await poster("on", "https://svc.example/ops");
  await using _ = t;
  let last = 0;
  /** What a browser sends that has logged in at this host: a cookie is good nowhere else. */
  const at = async (host: string): Promise<{ cookie: string; host: string; token: string }> => {
    const peer: Peer = { kind: "tcp", address: `192.0.2.${100 + ++last}` };
    const { cookie, token } = await logIn(app, { peer, headers: { host } });
    return { cookie, host, token };
  };
  const { token, ...host } = await at("svchost:8420");
  const good: Headers[] = [
    { origin: "http://svchost:8420" },
    { origin: "https://svchost:8420" },
    { origin: "http://SVCHOST:8420" },
    { origin: "https://svc.example" },
    { referer: "http://svchost:8420/tasks/x?y" },
    { referer: "https://svc.example/ops/tasks" },
    { origin: "http://svchost:8420", "sec-fetch-site": "same-origin" },
  ];
  for (const own of good) assert.equal(await post({ ...host, ...own }), 200, JSON.stringify(own));
  const bad: Headers[] = [
    {},
    { "sec-fetch-site": "same-origin" },
    { origin: "null" },
    { origin: "" },
    { origin: "http://evil.example" },
    { origin: "http://svchost" },
    { origin: "http://svchost:8421" },
    { origin: "http://svchost:8420.evil.example" },
    { origin: "http://evilsvchost:8420" },
    { origin: "http://svchost:8420@evil.example" },
    { origin: "http://svc.example" },
    { origin: "https://svc.example:444" },
    { origin: "file://svchost:8420" },
    { referer: "http://evil.example/http://svchost:8420/" },
    { origin: "http://evil.example", referer: "http://svchost:8420/" },
  ];
  for (const own of bad) assert.equal(await post({ ...host, ...own }), 403, JSON.stringify(own));
  assert.equal(
    await post({ ...await at("svchost"), origin: "http://svchost:80" }),
    200,
    "a default port is none",
  );
  assert.equal(await post({ ...await at("svchost:443"), origin: "https://svchost" }), 200);
  assert.equal(await post({ ...host, ...bearer(token) }), 200, "no browser adds a token by itself");
  assert.equal(await post({ ...host }, "/api/auth/logout"), 403);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    assert.equal((await app("/api/runs/x", { method, peer: alice, headers: host })).status, 403, method);
  }
  assert.equal((await app("/api/daemon", { peer: alice, headers: host })).status, 200, "reading is free");
});

Deno.test("Login needs no Origin, whatever cookie a client still has, but none of another site", async () => {
  const { t, app } = await poster("on");
  await using _ = t;
  const { cookie } = await logIn(app);
  const login = async (headers: Headers) =>
    (await app("/api/auth/login", {
      method: "POST",
      peer: alice,
      headers,
      json: { nonce: "a", response: "b" },
    })).status;
  assert.equal(await login({ cookie }), 401);
  assert.equal(await login({ cookie, origin: "http://evil.example" }), 403);
  assert.equal(await login({ "sec-fetch-site": "cross-site" }), 403);
});

for (const mode of ["on", "off"] as const) {
  Deno.test(`Without the cookie, what another site made a browser send is refused, with authentication ${mode}`, async () => {
    const { t, app, post } = await poster(mode, "https://svc.example");
    await using _ = t;
    const own = mode === "on" ? bearer((await logIn(app)).token) : {};
    for (
      const headers of [
        {},
        { origin: "http://localhost" },
        { origin: "https://svc.example" },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "same-origin", origin: "http://localhost" },
        { referer: "http://localhost/tasks/x" },
        { referer: "" },
        { origin: "http://localhost", referer: "http://evil.example/" },
      ] as Headers[]
    ) assert.equal(await post({ ...own, ...headers }), 200, JSON.stringify(headers));
    for (
      const headers of [
        { origin: "http://evil.example" },
        { origin: "null" },
        { origin: "http://localhost:3000" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { referer: "http://evil.example/" },
        { referer: "http://localhost:3000/" },
        { referer: "http://evil.example/http://localhost/" },
        { referer: "nonsense" },
        { origin: "http://evil.example", referer: "http://localhost/" },
        { "sec-fetch-site": "cross-site", referer: "http://localhost/" },
        { "sec-fetch-site": "Cross-Site", origin: "http://localhost" },
        // A form of another page, and a fetch without its preflight.
        {
          origin: "http://evil.example",
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-mode": "navigate",
        },
        { origin: "http://evil.example", "content-type": "text/plain", "sec-fetch-mode": "no-cors" },
      ] as Headers[]
    ) assert.equal(await post({ ...own, ...headers }), 403, JSON.stringify(headers));
    assert.equal(await post({ origin: "http://evil.example" }, undefined, { peer: { kind: "socket" } }), 200);
  });
}

Deno.test("What another site makes a browser only ask is refused as well: it would search, or hold a stream of its user's", async () => {
  for (const auth of ["off", "on"] as const) {
    const { t, app } = await poster(auth);
    await using _ = t;
    const ask = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await app(path, { peer: alice, headers: { host: "localhost", ...headers } })).status;
    const image = { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };
    for (const site of ["cross-site", "same-site", "Cross-Site"]) {
      for (const path of ["/api/daemon", "/api/events/stream", "/api/search?q=x", "/openapi.json"]) {
        assert.equal(await ask(path, { "sec-fetch-site": site, ...image }), 403, `${site} ${path}`);
      }
      assert.equal(await ask("/", { "sec-fetch-site": site, ...image }), 200);
      const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
      const followed = await ask("/openapi.json", { "sec-fetch-site": site, ...link });
      assert.equal(followed, auth === "off" ? 200 : 401);
    }
    const own = await ask("/api/daemon", { "sec-fetch-site": "same-origin", ...image });
    assert.equal(own, auth === "off" ? 200 : 401);
  }
});

Deno.test("With authentication off the host must be an address, this machine's name or that of external_url", async () => {
  const { t, app } = await poster("off", "https://svc.example/ops");
  await using _ = t;
  const ask = async (host: string, path = "/api/daemon"): Promise<number> =>
    (await app(path, { peer: alice, headers: { host } })).status;
  const good = [
    "localhost",
    "localhost:8420",
    "LOCALHOST",
    "localhost.",
    "127.0.0.1:8420",
    "192.0.2.7",
    "[::1]:8420",
    "[2001:db8::1]",
    "svchost",
    "SVCHOST:8420",
    "svc.example",
    "svc.example:8443",
  ];
  for (const host of good) assert.equal(await ask(host), 200, host);
  const bad = [
    "evil.example",
    "evil.example:8420",
    "localhost.evil.example",
    "svchost.evil.example",
    "127.0.0.1.nip.io",
    "notsvc.example",
    "",
    "localhost@evil.example",
    "evil.example#localhost",
    "a b",
    "[::1",
    "local host",
  ];
  for (const host of bad) {
    assert.equal(await ask(host), 403, host);
    assert.equal(await ask(host, "/"), 403, host);
  }
  assert.equal(await ask("evil.example", "/health"), 200);
  const on = makeApp(t, { auth: authOf(t) });
  assert.equal((await on("/", { peer: alice, headers: { host: "evil.example" } })).status, 200);
});

Deno.test("Every answer carries the security headers, and none binds other ports to TLS", async () => {
  await using t = await makeEngine({ units: [] });
  const failing = {
    now: () => {
      throw new TypeError("broken");
    },
    monotonic: () => 0,
  };
  const app = makeApp(t, { auth: authOf(t) });
  const broken = makeApp(t, { auth: authOf(t, { clock: failing }), report: () => {} });
  const json = { "content-type": "application/json" };
  const answers: [number, Promise<Answer>][] = [
    [200, app("/health")],
    [200, app("/")],
    [200, app("/assets/main.js")],
    [200, app("/api/daemon")],
    [204, app("/api/auth/logout", { method: "POST" })],
    [401, app("/api/daemon", { peer: alice })],
    [403, app("/api/daemon/identity", { peer: alice })],
    [404, app("/nowhere")],
    [404, app("/api/tasks/none")],
    [405, app("/api/daemon", { method: "PUT" })],
    [400, app("/api/auth/login", { method: "POST", text: "{", headers: json })],
    [413, app("/api/auth/login", { method: "POST", text: "x".repeat(1024 * 1024 + 1), headers: json })],
    [415, app("/api/auth/login", { method: "POST", text: "x", headers: { "content-type": "text/plain" } })],
    [422, app("/api/runs?limit=0")],
    [401, app("/api/hooks/tasks/none/run", { method: "POST" })],
    [500, broken("/api/daemon", { peer: alice, headers: bearer(`svcs_${"A".repeat(74)}`) })],
  ];
  for (const [expected, answer] of answers) {
    const { status, headers } = await answer;
    assert.equal(status, expected);
    for (const [name, value] of Object.entries(securityHeaders)) {
      assert.equal(headers.get(name), value, `${status} ${name}`);
    }
    assert.equal(headers.get("strict-transport-security"), null);
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
  const policy = securityHeaders["content-security-policy"]!;
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
});
