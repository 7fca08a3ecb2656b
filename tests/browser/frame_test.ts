/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const config = `
[tasks.backup]
run = "echo done"

[tasks.other]
run = "echo done"

[tasks.talk]
run = "while :; do echo talk; sleep 0.2; done"

[services.web]
run = "sleep 1000"
`;

const shared = shareBrowser();

shared.test("The palette finds units and does things, by keyboard alone", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  await page.getByText("live", { exact: true }).waitFor();
  await page.keyboard.press("Control+k");
  const found = page.getByRole("option");
  await page.getByRole("combobox", { name: "Find a unit" }).fill("run back");
  await found.first().getByText("run backup").waitFor();
  await svc.assertAccessible();
  await page.keyboard.press("Enter");
  await page.getByText("backup was started").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a unit" }).fill("system");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/system");
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keys" }).waitFor();
  await svc.assertAccessible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.waitForURL("**/units");
  assert.deepEqual(svc.complaints, []);
});

shared.test("The page says that the configuration is stale, shows what a reload would change, and reloads", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page, daemon } = svc;
  await page.getByText("live", { exact: true }).waitFor();
  await Deno.writeTextFile(`${daemon.folder}/svc.toml`, `${config}\n[tasks.fresh]\nrun = "true"\n`);
  await page.getByRole("button", { name: "Show changes" }).click();
  await page.getByText("+ fresh").waitFor();
  await svc.assertAccessible();
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await page.getByText("The configuration was read").waitFor();
  await page.getByRole("button", { name: "Hide changes" }).waitFor({ state: "detached" });
  assert.deepEqual(svc.complaints, []);
});

shared.test("The page shows that the daemon is away, and goes on by itself when it is back", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page, daemon } = svc;
  await page.getByText("live", { exact: true }).waitFor();
  const { port } = new URL(daemon.url);
  await daemon.end();
  await page.getByText("daemon away").waitFor();
  await page.locator(".banner", { hasText: "does not answer" }).waitFor();
  const again = await startDaemonProcess(config, { folder: daemon.folder, args: ["--port", port] });
  try {
    await page.getByText("live", { exact: true }).waitFor();
    await (await again.request("/api/tasks/backup/run?wait=true", { method: "POST" })).body?.cancel();
    await findState(page, "backup", "ok");
  } finally {
    await again.end();
  }
  // The browser itself complains of requests that nobody answered.
  assert.deepEqual(svc.complaints.filter((text) => !/ERR_|Failed to load/.test(text)), []);
});

shared.test("The page says that the daemon is being replaced, without alarm, and then what the next one took over", async () => {
  const running = `${config}\n[services.steady]\nrun = "sleep 300"\n`;
  await using svc = await SvcPage.open(shared.browser, { config: running });
  const { page, daemon } = svc;
  await page.getByText("live", { exact: true }).waitFor();
  const { port } = new URL(daemon.url);
  await (await daemon.request("/api/daemon/handover?force=true", { method: "POST" })).body?.cancel();
  await page.locator(".banner", { hasText: "is being replaced" }).waitFor();
  assert.equal(await page.locator(".banner.bad").count(), 0);
  assert.equal(await daemon.ended(), 75);
  const again = await startDaemonProcess(running, { folder: daemon.folder, args: ["--port", port] });
  try {
    await page.getByText("live", { exact: true }).waitFor();
    assert.equal(await page.locator(".banner").count(), 0);
    await page.goto(`${daemon.url}/system`);
    await page.getByText(/took over 2 runs/).waitFor();
  } finally {
    await again.end();
  }
  assert.deepEqual(svc.complaints.filter((text) => !/ERR_|Failed to load/.test(text)), []);
});

shared.test("Tabs share one stream: when the one that reads it closes, another goes on", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const first = svc.page;
  await first.getByText("live", { exact: true }).waitFor();
  const second = await first.context().newPage();
  svc.listen(second);
  let streams = 0;
  second.on("request", (request) => streams += request.url().endsWith("/api/events/stream") ? 1 : 0);
  await second.goto(`${svc.daemon.url}/system`);
  await second.getByText("live", { exact: true }).waitFor();
  await findState(second, "backup", "not run yet");
  assert.equal(streams, 0);
  await svc.api("/api/tasks/backup/run?wait=true", { method: "POST" });
  await findState(second, "backup", "ok");
  assert.equal(streams, 0);
  const taken = second.waitForRequest("**/api/events/stream");
  await first.close();
  await taken;
  await second.getByText("live", { exact: true }).waitFor();
  await svc.api("/api/tasks/other/run?wait=true", { method: "POST" });
  await findState(second, "other", "ok");
  assert.equal(streams, 1);
  assert.deepEqual(svc.complaints, []);
});

shared.test("A tab that nobody sees lets its log go, since a browser has few connections, and takes it up again", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  const { id } = await svc.api("/api/tasks/talk/run", { method: "POST" });
  const isLog = (request: { url(): string }): boolean => request.url().endsWith("/log/stream");
  const opened = page.waitForRequest(isLog);
  await svc.go(`/runs/${id}`);
  await opened;
  await page.getByText("talk", { exact: true }).nth(2).waitFor();
  const left = page.waitForEvent("requestfailed", isLog);
  await show(page, false);
  await left;
  const again = page.waitForRequest(isLog);
  await show(page, true);
  await again;
  const lines = await page.locator("[data-n]").count();
  await page.locator("[data-n]").nth(lines).waitFor();
  assert.deepEqual(svc.complaints, []);
});

shared.test("Who logs out in one tab is logged out in all", async () => {
  const start = { env: { SVC_AUTH: "", SVC_PASSWORD: "one for all" } };
  await using svc = await SvcPage.open(shared.browser, { config, start });
  const { page } = svc;
  await page.getByLabel("Password").fill("one for all");
  await page.keyboard.press("Enter");
  await page.getByText("live", { exact: true }).waitFor();
  const other = await page.context().newPage();
  svc.listen(other);
  await other.goto(`${svc.daemon.url}/system`);
  await other.getByRole("button", { name: "Log out" }).click();
  await other.getByLabel("Password").waitFor();
  await page.getByLabel("Password").waitFor();
  // What the first tab asked for in the moment between is refused, and Chromium says so.
  assert.deepEqual(svc.complaints.filter((said) => !said.includes("status of 401")), []);
});

shared.test("Nonsense in an address shows a view all the same", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  for (
    const [path, title] of [
      ["/runs?range=constructor", "Runs"],
      ["/runs?created_after=%2B275760-09-13", "Runs"],
      ["/timeline?span=toString", "Timeline"],
      ["/timeline?from=%2B275760-09-12T00:00:00Z&to=%2B275760-09-13T00:00:00Z", "Timeline"],
      ["/units/web?tab=__proto__", "web"],
    ] as const
  ) {
    await svc.go(path);
    await page.locator("h1", { hasText: title }).waitFor();
  }
  // The browser itself says what the daemon has refused.
  assert.deepEqual(svc.complaints.filter((text) => !text.includes("422")), []);
});

/** Has a tab seen, or not: what a browser says when another one is in front. */
async function show(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isSeen);
}

/** Waits until the palette shows a unit in a state. */
async function findState(page: Page, unit: string, state: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a unit" }).fill(unit);
  await page.getByRole("option", { name: `${state} ${unit}` }).first().waitFor();
  await page.keyboard.press("Escape");
}
