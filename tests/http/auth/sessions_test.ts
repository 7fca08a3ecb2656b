import assert from "node:assert/strict";
import { alice, authOf, bearer, logIn, ownOrigin } from "../../support/auth.ts";
import { type Answer, type Ask, makeApp } from "../../support/make_app.ts";
import { makeEngine } from "../../support/make_engine.ts";
import { day, noon } from "../../support/units.ts";
import { Sessions } from "../../../src/http/auth/sessions.ts";

type App = (path: string, ask?: Ask) => Promise<Answer>;

async function isIn(app: App, headers: Record<string, string>): Promise<boolean> {
  const { status } = await app("/api/daemon", { peer: alice, headers });
  assert.ok(status === 200 || status === 401, `status ${status}`);
  return status === 200;
}

Deno.test("A session lasts for 24 hours", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const { token, cookie } = await logIn(app);
  t.clock.stall(day - 1);
  assert.ok(await isIn(app, bearer(token)) && await isIn(app, { cookie }));
  t.clock.stall(1);
  assert.ok(!await isIn(app, bearer(token)) && !await isIn(app, { cookie }));
});

Deno.test("A session survives a restart of the daemon; a new password and another installation end it", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t), fingerprint: "aaaaaaaa11111111" });
  const { token } = await logIn(app);
  assert.ok(await isIn(makeApp(t, { auth: authOf(t), fingerprint: "aaaaaaaa11111111" }), bearer(token)));
  const changed = authOf(t, { password: { text: "another", isGenerated: false } });
  assert.ok(!await isIn(makeApp(t, { auth: changed, fingerprint: "aaaaaaaa11111111" }), bearer(token)));
  assert.ok(!await isIn(makeApp(t, { auth: authOf(t), fingerprint: "aaaaaaaa22222222" }), bearer(token)));
});

Deno.test("POST /api/auth/logout ends the session for good, over restarts too, and takes the cookie back", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const [first, second, third] = [await logIn(app), await logIn(app), await logIn(app, {})];
  const byToken = await app("/api/auth/logout", {
    method: "POST",
    peer: alice,
    headers: bearer(first.token),
  });
  assert.equal(byToken.status, 204);
  const byCookie = await app("/api/auth/logout", {
    method: "POST",
    peer: alice,
    headers: { cookie: second.cookie, ...ownOrigin },
  });
  assert.equal(byCookie.status, 204);
  assert.match(byCookie.headers.get("set-cookie") ?? "", /^svc_session_f00d=; Max-Age=0; Path=\/; HttpOnly/);
  for (const restarted of [app, makeApp(t, { auth: authOf(t) })]) {
    assert.ok(!await isIn(restarted, bearer(first.token)));
    assert.ok(!await isIn(restarted, bearer(second.token)));
    assert.ok(await isIn(restarted, bearer(third.token)), "other sessions go on");
  }
  assert.equal(
    (await app("/api/auth/logout", { method: "POST", peer: alice })).status,
    204,
    "nothing to end",
  );
});

Deno.test("POST /api/auth/logout remembers a session until it would have ended anyway", async () => {
  await using t = await makeEngine({ units: [] });
  const { revocations } = t.store;
  revocations.revoke({ id: "old", expiresAt: noon + 10 }, noon);
  revocations.revoke({ id: "old", expiresAt: noon + 10 }, noon);
  assert.ok(revocations.isRevoked("old"));
  revocations.revoke({ id: "new", expiresAt: noon + day }, noon + 10);
  assert.ok(!revocations.isRevoked("old") && revocations.isRevoked("new"));
});

Deno.test("POST /api/auth/logout ends a session for good while the clock is ahead, too", async () => {
  for (const ahead of [6 * day, 400 * day]) {
    await using t = await makeEngine({ units: [] });
    const app = makeApp(t, { auth: authOf(t) });
    const out = async (token: string): Promise<void> => {
      const ask = { method: "POST", peer: alice, headers: bearer(token) };
      assert.equal((await app("/api/auth/logout", ask)).status, 204);
    };
    const [before, meanwhile] = [await logIn(app), await logIn(app)];
    await out(before.token);
    t.clock.jump(ahead);
    await t.crash();
    await t.start();
    const again = makeApp(t, { auth: authOf(t) });
    assert.ok(!await isIn(again, bearer(meanwhile.token)), "it has expired by this clock");
    await out(meanwhile.token);
    const other = await logIn(again);
    await out(other.token);
    t.clock.jump(-ahead);
    assert.ok(!await isIn(again, bearer(before.token)), `ended before the clock was ${ahead} ms ahead`);
    assert.ok(!await isIn(again, bearer(meanwhile.token)), `ended while it was ${ahead} ms ahead`);
    assert.ok(!await isIn(again, bearer(other.token)), "begun and ended meanwhile");
  }
});

Deno.test("Sessions.find() refuses every token with a changed character, and all that is none", async () => {
  const sessions = new Sessions({ password: "p", fingerprint: "f" }, { revoke() {}, isRevoked: () => false });
  const { token } = await sessions.issue(noon, "box");
  assert.notEqual(await sessions.find(token, { now: noon }), undefined);
  const other = (text: string): string => text === "A" ? "B" : "A";
  // The last character holds four bits of the signature and two that nothing reads.
  for (let i = 0; i < token.length - 1; i++) {
    const changed = token.slice(0, i) + other(token[i]!) + token.slice(i + 1);
    assert.equal(await sessions.find(changed, { now: noon }), undefined, `character ${i}`);
  }
  for (
    const text of [
      "",
      "svcs_",
      token.slice(0, -1),
      `${token}A`,
      ` ${token}`,
      token.slice(5),
      "x".repeat(10_000),
    ]
  ) {
    assert.equal(await sessions.find(text, { now: noon }), undefined, text.slice(0, 80));
  }
});

Deno.test("Session tokens differ, and hold neither the password nor the fingerprint", async () => {
  const secret = { password: "swordfish-swordfish", fingerprint: "0123456789abcdef" };
  const sessions = new Sessions(secret, { revoke() {}, isRevoked: () => false });
  const tokens = await Promise.all(Array.from({ length: 50 }, () => sessions.issue(noon, "box")));
  assert.equal(new Set(tokens.map(({ token }) => token)).size, 50);
  const { token } = tokens[0]!;
  const bytes = Uint8Array.fromBase64(token.slice(5), { alphabet: "base64url" });
  for (const text of [token, new TextDecoder().decode(bytes), bytes.toHex()]) {
    assert.ok(!text.includes("swordfish") && !text.includes("0123456789abcdef"));
  }
});

Deno.test("The session cookie is Secure over TLS, and where a trusted proxy says https", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t, { proxies: ["10.0.0.1"] }) });
  const isSecure = async (ask: Ask): Promise<boolean> =>
    / Secure(;|$)/.test((await logIn(app, ask)).setCookie);
  const https = { "x-forwarded-proto": "https" };
  assert.ok(!await isSecure({ peer: { kind: "tcp", address: "192.0.2.20" } }));
  assert.ok(!await isSecure({ peer: { kind: "tcp", address: "192.0.2.21" }, headers: https }));
  assert.ok(await isSecure({ peer: { kind: "tcp", address: "192.0.2.22", tls: true } }));
  assert.ok(await isSecure({ peer: { kind: "tcp", address: "10.0.0.1" }, headers: https }));
  assert.ok(
    !await isSecure({ peer: { kind: "tcp", address: "10.0.0.1" }, headers: { "x-forwarded-proto": "http" } }),
  );
});

Deno.test("A token in the Authorization header counts before the cookie", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const { token, cookie } = await logIn(app);
  assert.ok(!await isIn(app, { cookie, ...bearer("svcs_no") }));
  assert.ok(await isIn(app, { cookie: "svc_session_f00d=no", authorization: `bearer ${token}` }));
  assert.ok(await isIn(app, { cookie, authorization: "Basic eDp5" }), "another scheme is no token");
  assert.ok(!await isIn(app, { cookie: cookie.replace("f00d", "beef") }), "the cookie of another daemon");
});
