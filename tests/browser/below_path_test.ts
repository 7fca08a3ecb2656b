import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

let browser: Browser;

Deno.test.beforeAll(async () => {
  browser = await startBrowser();
});

Deno.test.afterAll(async () => {
  await browser.close();
});

/** A proxy that puts a daemon below `/svc`, as nginx does with `location /svc/ { proxy_pass http://127.0.0.1:8420/; }`. */
function proxy(): { port: number; lead: (to: string) => void; close: () => Promise<void> } {
  let daemon = "";
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/svc/")) return new Response("nothing of ours", { status: 404 });
    const { method, body } = request;
    const headers = new Headers(request.headers);
    // What comes compressed would be unpacked here.
    headers.set("accept-encoding", "identity");
    const answer = await fetch(daemon + pathname.slice("/svc".length) + search, {
      method,
      headers,
      body,
      redirect: "manual",
    });
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  });
  return { port: server.addr.port, lead: (to) => daemon = to, close: () => server.shutdown() };
}

Deno.test("The page works below a path that a proxy puts it at", async () => {
  const front = proxy();
  const config = `
[daemon]
external_url = "http://127.0.0.1:${front.port}/svc/"
[tasks.greet]
run = "echo good morning"
`;
  {
    await using svc = await SvcPage.open(browser, { config });
    front.lead(svc.daemon.url);
    const { page } = svc;
    const at = `http://127.0.0.1:${front.port}/svc`;
    await page.goto(`${at}/`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.goto(`${at}/units/greet`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("link", { name: /ok/ }).first().click();
    await page.getByText("good morning", { exact: true }).waitFor();
    assert.match(page.url(), new RegExp(`^${RegExp.escape(at)}/units/greet\\?run_id=[0-9A-Z]{26}$`));
    await page.reload();
    await page.getByText("good morning", { exact: true }).waitFor();
    assert.equal(await page.getByRole("link", { name: "svc: overview" }).getAttribute("href"), "/svc/");
    await page.getByRole("link", { name: "svc: overview" }).click();
    await page.waitForURL(`${at}/`);
    await page.goBack();
    await page.getByText("good morning", { exact: true }).waitFor();
    assert.deepEqual(svc.complaints, []);
  }
  await front.close();
});
