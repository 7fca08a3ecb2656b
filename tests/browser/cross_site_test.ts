import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { attackFromPage, type Loot, readFromOwnPage, runFromOwnPage, submitForm } from "./attacks.ts";
import { shareBrowser, startForeignSite } from "./browser.ts";
import { type Exchange, openWire, type Wire } from "./wire.ts";

/** What the attacks aim at, and what none of them may learn of. */
const [task, secret] = ["payroll", "salaries-7c1e"];
const config = `[tasks.${task}]\nrun = "echo paid"\n[tasks.${secret}]\nrun = "true"\n`;
/** A name that a stranger owns, and lets point at the machine of whoever opens it. */
const rebound = "evil.test";

const env = {
  password: { SVC_AUTH: "", SVC_PASSWORD: "correct horse battery staple" },
  off: { SVC_AUTH: "off" },
};

/** Two real browsers; the second one believes the stranger's name server. */
const shared = [[], [`--host-resolver-rules=MAP ${rebound} 127.0.0.1`]].map((rules) => shareBrowser(rules));
const test = shared[0]!.test;

// Another port of the same host is the same site to a browser: there the cookie comes along in spite of SameSite.
for (const [host, cookie] of [["localhost", "none"], ["127.0.0.1", "sent"]] as const) {
  test(`A page of ${host} can't use the session of its visitor at a daemon on 127.0.0.1 (cookie: ${cookie})`, async () => {
    await visit({ browser: shared[0]!.browser, auth: "password" }, async (visitor) => {
      const own = await logIn(visitor);
      const seen = await attackFrom(host, visitor);
      const withCookie = seen.filter(({ head }) => /^cookie: svc_session_/im.test(head));
      assert.equal(withCookie.length, cookie === "sent" ? seen.length : 0);
      await assertOwnPageWorks(own);
    });
  });
}

test("A page of another site can neither start a task nor read anything of a daemon without authentication", async () => {
  await visit({ browser: shared[1]!.browser, auth: "off" }, async (visitor) => {
    const own = await openOwnPage(visitor);
    for (const host of ["localhost", "127.0.0.1"]) await attackFrom(host, visitor);
    await assertOwnPageWorks(own);
  });
});

for (const auth of ["password", "off"] as const) {
  test(`A page whose name was bound anew to this machine gets nothing of a daemon (authentication: ${auth})`, async () => {
    await visit({ browser: shared[1]!.browser, auth }, async (visitor) => {
      const own = auth === "password" ? await logIn(visitor) : await openOwnPage(visitor);
      const base = `http://${rebound}:${visitor.wire.port}`;
      const page = await visitor.context.newPage();
      // Stands in for the page that the stranger's server gave before the name was bound anew: /health answers
      // under any name.
      await page.goto(`${base}/health`);
      const before = await countRuns(visitor.daemon);
      const loot = await page.evaluate(attackFromPage, { base, task });
      assertNothingRead(loot);
      const paths = ["/api/tasks", "/api/config", "/openapi.json", "/api/daemon/identity"];
      for (const name of ["post with cors", ...paths.map((path) => `get ${path}`)]) {
        assert.ok(loot[name]?.startsWith("basic 403 "), `${name}: ${loot[name]}`);
      }
      const seen = visitor.wire.exchanges().filter(({ head }) => head.includes(rebound));
      for (const { head, ...post } of attempts(seen, 5)) {
        assert.equal(post.status, 403);
        assert.doesNotMatch(head, /^cookie:/im);
      }
      assert.equal(await countRuns(visitor.daemon), before);
      for (const path of ["/", "/metrics", "/api/auth/status", "/api/auth/challenge"]) {
        assert.equal((await page.goto(base + path))?.status(), 403, path);
      }
      await assertOwnPageWorks(own);
    });
  });
}

test("A page of another site can't use up the logins of its visitor", async () => {
  await visit({ browser: shared[0]!.browser, auth: "password" }, async (visitor) => {
    for (const host of ["localhost", "127.0.0.1"]) {
      const page = await visitor.context.newPage();
      await page.goto(`http://${host}:${visitor.foreignPort}/`);
      await page.evaluate(async (url) => {
        const load = (src: string) =>
          new Promise((resolve) => Object.assign(new Image(), { onload: resolve, onerror: resolve, src }));
        await Promise.all(Array.from({ length: 6 }, (_, i) => load(`${url}/api/auth/challenge?${i}`)));
        await fetch(`${url}/api/auth/challenge`, { mode: "no-cors", referrerPolicy: "no-referrer" }).catch(
          () => {},
        );
      }, visitor.url);
    }
    const answer = await visitor.daemon.request("/api/auth/challenge");
    await answer.body?.cancel();
    assert.deepEqual([answer.status, answer.headers.get("ratelimit-remaining")], [200, "4"]);
  });
});

test("The page of routes shows every route to a browser that is logged in, and its links open the schemas", async () => {
  await visit({ browser: shared[0]!.browser, auth: "password" }, async (visitor) => {
    const page = await logIn(visitor);
    const complaints = collectComplaints(page);
    await page.goto(`${visitor.url}/docs`);
    await page.waitForSelector("h1");
    const document = await (await overSocket(visitor.daemon, "/openapi.json")).json();
    const operations = Object.values(document.paths).flatMap((item) => Object.keys(item as object));
    assert.ok(operations.length > 40);
    assert.equal(await page.locator("summary .method").count(), operations.length);
    const route = page.locator("details").filter({
      has: page.getByText("/api/runs/{runId}", { exact: true }),
    });
    await route.first().locator("summary").click();
    await route.first().getByRole("link", { name: "Run", exact: true }).click();
    await page.getByText("Run identifier, a ULID").first().waitFor();
    assert.equal(new URL(page.url()).hash, "#Run");
    await page.reload();
    await page.locator("details#Run[open] tr").first().waitFor();
    assert.deepEqual(complaints, []);
  });
});

/** Somebody with a browser of their own, who reaches a daemon over a wire. */
interface Visitor {
  context: BrowserContext;
  daemon: DaemonProcess;
  wire: Wire;
  /** Port of the foreign site. */
  foreignPort: number;
  /** The origin of the daemon as the browser knows it. */
  url: string;
}

/**
 * Gives a visitor without a past, and a daemon that only this one knows. The daemon's own Content-Security-Policy is off in the browser, so that it helps in no
 * attack: a stranger's page would have none.
 */
async function visit(
  { browser, auth }: { browser: Browser; auth: keyof typeof env },
  work: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const daemon = await startDaemonProcess(config, { env: env[auth] });
  const wire = openWire(Number(new URL(daemon.url).port));
  const foreign = startForeignSite();
  const context = await browser.newContext({ bypassCSP: true });
  try {
    await work({
      context,
      daemon,
      wire,
      foreignPort: foreign.port,
      url: `http://127.0.0.1:${wire.port}`,
    });
  } finally {
    await context.close();
    await foreign.stop();
    await wire.stop();
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
}

/** Tries everything from a page of another port of `host`; nothing may come of it. Returns all attempts so far. */
async function attackFrom(
  host: string,
  { context, daemon, wire, url, foreignPort }: Visitor,
): Promise<Exchange[]> {
  const before = { runs: await countRuns(daemon), attempts: attempts(wire.exchanges(), 0).length };
  const lure = `http://${host}:${foreignPort}/`;
  const run = `${url}/api/tasks/${task}/run`;
  const page = await context.newPage();
  await page.goto(lure);
  const loot = await page.evaluate(attackFromPage, { base: url, task });
  assertNothingRead(loot);
  for (const [name, text] of Object.entries(loot)) {
    assert.match(text, /^(opaque 0 |TypeError: .*|refused|closed|true)$/, name);
  }
  for (const policy of ["unsafe-url", "no-referrer"] as const) {
    await page.goto(lure);
    await page.evaluate(submitForm, { url: run, policy });
    await page.waitForURL(run, { waitUntil: "load" });
    assert.match(await page.content(), /403/);
  }
  await page.goto(lure);
  await page.evaluate((url) => void globalThis.location.assign(url), run);
  await page.waitForURL(run, { waitUntil: "load" });
  assert.match(await page.content(), /401|405/);
  await page.close();
  const seen = attempts(wire.exchanges(), before.attempts + 6);
  for (const { status } of seen) assert.equal(status, 403);
  assert.doesNotMatch(wire.answers(), /^access-control-/im);
  assert.equal(await countRuns(daemon), before.runs);
  return seen;
}

/** The requests that would have run the task; fails when there are too few for the attacks to have meant anything. */
function attempts(exchanges: Exchange[], least: number): Exchange[] {
  const found = exchanges.filter(({ method, path }) =>
    method === "POST" && path === `/api/tasks/${task}/run`
  );
  assert.ok(found.length >= least, `only ${found.length} attempts to run the task arrived`);
  return found;
}

function assertNothingRead(loot: Loot): void {
  assert.ok(Object.keys(loot).length >= 16);
  for (const [name, text] of Object.entries(loot)) {
    assert.ok(!text.includes(secret), `${name} reads ${text}`);
    assert.doesNotMatch(text, /^(open|loaded)$/, name);
  }
}

async function assertOwnPageWorks(page: Page): Promise<void> {
  assert.ok((await page.evaluate(readFromOwnPage, "/api/tasks")).includes(secret));
  assert.equal(await page.evaluate(runFromOwnPage, task), 201);
}

/** Comes in by a launch ticket of the control socket, and stays on the daemon's page. */
async function logIn(visitor: Visitor): Promise<Page> {
  const made = await overSocket(visitor.daemon, "/api/auth/launch-ticket", { method: "POST" });
  return await openOwnPage(visitor, `/api/auth/launch-ticket?ticket=${(await made.json()).ticket}`);
}

/** Opens the daemon's page, which has to work and to complain of nothing. */
async function openOwnPage({ context, url }: Visitor, path = "/"): Promise<Page> {
  const page = await context.newPage();
  const complaints = collectComplaints(page);
  await page.goto(url + path);
  assert.equal(page.url(), `${url}/`);
  await page.locator("h1", { hasText: "All well" }).waitFor();
  await page.getByText("live", { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
  return page;
}

function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

async function countRuns(daemon: DaemonProcess): Promise<number> {
  return (await (await overSocket(daemon, "/api/runs")).json()).total;
}

/** Asks over the control socket, where no browser can come from. */
async function overSocket(daemon: DaemonProcess, path: string, init: RequestInit = {}): Promise<Response> {
  using client = Deno.createHttpClient({
    proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` },
  });
  const response = await fetch(`http://localhost${path}`, { ...init, client });
  return new Response(await response.arrayBuffer(), response);
}
