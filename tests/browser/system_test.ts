import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const config = '[tasks.first]\nrun = "true"\n';
const shared = shareBrowser();

shared.test("The system page tells of daemon and machine, reloads, backs up, and asks before it drains", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/system" });
  const { page } = svc;
  await page.getByText(String(svc.daemon.pid)).waitFor();
  await page.getByText("✓ up to date").waitFor();
  const chart = page.getByRole("slider", { name: "CPU and memory over time" });
  await chart.locator("svg").waitFor({ state: "attached" });
  await svc.assertAccessible();
  await page.getByRole("button", { name: "24 h" }).click();
  await page.waitForURL(/range=24h/);

  await Deno.writeTextFile(`${svc.daemon.folder}/svc.toml`, `${config}[tasks.second]\nrun = "true"\n`);
  await page.getByRole("button", { name: "Reload …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("second").waitFor();
  await dialog.getByRole("button", { name: "Reload", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  assert.ok((await svc.api("/api/tasks/second")).name === "second");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Back up" }).click();
  assert.match((await download).suggestedFilename(), /^svc-\d{8}-\d{6}\.db$/);

  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "dark");
  await page.setViewportSize({ width: 360, height: 740 });
  await svc.assertAccessible();
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);

  // With the first sample the arrow keys go through the chart.
  await chart.and(page.locator('[aria-valuetext*="% now"]')).waitFor();
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await chart.and(page.locator('[aria-valuetext*="CPU"][aria-valuetext*="memory"]')).waitFor();

  await page.getByRole("button", { name: "Drain …" }).click();
  await dialog.getByText("There is no way back").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await svc.api("/api/daemon")).scheduling_active, true);
  assert.deepEqual(svc.complaints, []);
});

shared.test("Who has logged in can log out", async () => {
  const env = { SVC_AUTH: "", SVC_PASSWORD: "correct horse battery staple" };
  await using svc = await SvcPage.open(shared.browser, { config, path: "/system", start: { env } });
  const { page } = svc;
  await page.getByLabel("Password").fill(env.SVC_PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("by password").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Password").waitFor();
  assert.deepEqual(svc.complaints, []);
});
