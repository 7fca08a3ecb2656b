import assert from "node:assert/strict";
import { alice, authOf, bob, logIn, ownOrigin } from "../../support/auth.ts";
import { makeApp } from "../../support/make_app.ts";
import { makeEngine } from "../../support/make_engine.ts";
import { second } from "../../support/units.ts";
import { ownPath } from "../../../src/http/routes/auth.ts";

const path = "/api/auth/launch-ticket";

Deno.test("POST /api/auth/launch-ticket is for sessions and the control socket", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  assert.equal((await app(path, { method: "POST", peer: alice })).status, 401);
  const { cookie } = await logIn(app);
  const { status, body } = await app(path, {
    method: "POST",
    peer: alice,
    headers: { cookie, ...ownOrigin },
  });
  assert.equal(status, 200);
  assert.match(body.ticket, /^[\w-]{43}$/);
  assert.equal(body.url, `http://127.0.0.1:8420${path}?ticket=${body.ticket}`);
});

Deno.test("POST /api/auth/launch-ticket names external_url where there is one", async () => {
  await using t = await makeEngine({ units: [], daemon: { externalUrl: "https://svc.example/ops/" } });
  const { body } = await makeApp(t, { auth: authOf(t) })(path, { method: "POST" });
  assert.equal(body.url, `https://svc.example/ops${path}?ticket=${body.ticket}`);
});

Deno.test("GET /api/auth/launch-ticket logs one browser in, and goes on to the page", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const { ticket } = (await app(path, { method: "POST" })).body;
  assert.equal((await app(`${path}?ticket=${ticket}`, { method: "HEAD", peer: alice })).status, 405);
  const { status, headers } = await app(`${path}?ticket=${ticket}&redirect=/tasks/a%3Fb%3D1`, {
    peer: alice,
  });
  assert.equal(status, 303);
  assert.equal(headers.get("location"), "/tasks/a?b=1");
  const cookie = headers.get("set-cookie")!.split(";")[0]!;
  assert.equal((await app("/api/daemon", { peer: alice, headers: { cookie } })).status, 200);
  const again = await app(`${path}?ticket=${ticket}`, { peer: bob });
  assert.equal(again.status, 401);
  assert.equal(again.headers.get("set-cookie"), null);
});

Deno.test("A launch ticket is dead after 60 seconds, one use, or a restart, and lets one of many in", async () => {
  await using t = await makeEngine({ units: [] });
  const app = makeApp(t, { auth: authOf(t) });
  const ticket = async (): Promise<string> => (await app(path, { method: "POST" })).body.ticket;
  const redeem = async (text: string, by = app) => (await by(`${path}?ticket=${text}`)).status;
  const [early, late, kept] = [await ticket(), await ticket(), await ticket()];
  t.clock.stall(60 * second - 1);
  assert.equal(await redeem(early), 303);
  assert.equal(await redeem(kept, makeApp(t, { auth: authOf(t) })), 401, "after a restart");
  t.clock.stall(1);
  assert.equal(await redeem(late), 401);
  const raced = await ticket();
  const statuses = await Promise.all(Array.from({ length: 6 }, () => redeem(raced)));
  assert.deepEqual(statuses.sort(), [303, 401, 401, 401, 401, 401]);
  assert.equal(await redeem(""), 401);
  assert.equal((await app(path)).status, 401);
});

Deno.test("ownPath() stays on this origin, whatever a browser makes of a text", () => {
  const same = [
    "/",
    "/tasks",
    "/tasks/a?b=c#d",
    "/a//b",
    "/%2F%2Fevil.example",
    "/a:b",
    "/?u=//evil.example",
  ];
  for (const text of same) assert.equal(ownPath(text), text);
  assert.equal(ownPath("/tasks/ä b"), "/tasks/%C3%A4%20b");
  const foreign = [
    undefined,
    "",
    "tasks",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "//evil.example/%2e%2e",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    "/a\r\nset-cookie: x=y",
    "/\x00/evil",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    " //evil.example",
    "@evil.example",
    "?x",
    "#x",
  ];
  for (const text of foreign) assert.equal(ownPath(text), "/", JSON.stringify(text));
});

Deno.test("ownPath() gives what the platform's own URL reads as a path of this origin", () => {
  const pieces = ["/", "\\", ".", "..", "%2e", "%2f", "\t", "evil.example", ":", "@", "?", "#", "a", "//"];
  for (const a of pieces) {
    for (const b of pieces) {
      for (const c of pieces) {
        for (const d of pieces) {
          const path = ownPath(`/${a}${b}${c}${d}`);
          assert.equal(new URL(path, "https://svc.example/x/y").origin, "https://svc.example", path);
          assert.match(path, /^\/(?![/\\])/);
        }
      }
    }
  }
});
