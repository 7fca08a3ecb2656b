import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const shared = shareBrowser();

const start = { env: { SVC_AUTH: "off" } };

shared.test("The list of units filters by its address, and its rows do what the keys say", async () => {
  const config = `[tasks.backup]
group = "night"
description = "Packs it all"
cron = "0 2 * * *"
run = "true"
[tasks.bad]
group = "night"
run = "exit 1"
[tasks.sleeper]
run = "sleep 60"
[services.web]
run = "exec sleep 600"
`;
  await using svc = await SvcPage.open(shared.browser, { config, path: "/units", start });
  const { page } = svc;
  const rows = page.locator("[data-row]");
  await rows.nth(3).waitFor();
  await svc.api("/api/tasks/bad/run?wait=true", { method: "POST" });
  await page.getByText("failed (1)", { exact: true }).waitFor();
  await svc.assertAccessible();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();

  await svc.go("/units?q=night&is=failing");
  await rows.first().waitFor();
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-name"))), ["bad"]);
  await page.getByRole("button", { name: /^failing/ }).click();
  await rows.nth(1).waitFor();
  assert.equal(new URL(page.url()).search, "?q=night");
  await page.keyboard.press("/");
  await page.keyboard.type("nothing");
  await page.getByText("No unit is like that").waitFor();
  assert.equal(new URL(page.url()).search, "?q=nothing");
  await page.getByRole("button", { name: "Show all" }).click();
  await rows.nth(3).waitFor();

  await page.getByRole("button", { name: "Name" }).click();
  await page.locator('th[aria-sort="descending"]').waitFor();
  assert.equal(new URL(page.url()).search, "?sort=-name");

  await page.locator('[data-name="sleeper"]').focus();
  await page.keyboard.press("r");
  await page.locator('[data-name="sleeper"] .state').getByText("running").waitFor();
  await page.keyboard.press("s");
  await page.locator('[data-name="sleeper"] .state').getByText("stopped").waitFor();
  await page.locator('[data-name="backup"]').focus();
  await page.keyboard.press("p");
  await page.locator('[data-name="backup"] .state').getByText("paused").waitFor();
  await page.getByRole("button", { name: "night" }).click();
  await page.locator('[data-name="bad"]').waitFor({ state: "detached" });
  await page.reload();
  await rows.first().waitFor();
  assert.equal(await page.locator('[data-name="bad"]').count(), 0, "a folded group stays so");

  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  await page.locator('[data-name="web"]').focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/units\/web$/);
  assert.deepEqual(svc.complaints, []);
});

shared.test("A thousand units cost no more rows, and no more requests, than are seen", async () => {
  const config = Array.from({ length: 1000 }, (_, i) => `[tasks.t${i}]\nrun = "true"\n`).join("");
  await using svc = await SvcPage.open(shared.browser, { config, path: "/system", start });
  const { page } = svc;
  let asked = 0;
  page.on("request", (request) => void (asked += /\/api\/runs\?task_name/.test(request.url()) ? 1 : 0));
  await svc.go("/units");
  await page.locator("[data-row]").first().waitFor();
  await page.locator('[data-name="t0"] .strip').waitFor();
  assert.ok(await page.locator("[data-row]").count() <= 100);
  assert.ok(asked <= 60, `${asked} requests`);
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await page.locator('[data-name="t999"]').waitFor();
  await page.locator('[data-name="t999"] .strip').waitFor();
  assert.ok(await page.locator("[data-row]").count() <= 150);
  assert.deepEqual(svc.complaints, []);
});
