import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const shared = shareBrowser();

const start = { env: { SVC_AUTH: "off" } };

const config = `[tasks.report]
description = "A report with parameters of all kinds"
cron = "30 2 * * *"
timezone = "Europe/Berlin"
run = 'echo "size=$SIZE" "$@"; [ "$SIZE" != 60 ] || sleep 60'
[[tasks.report.params]]
env = "SIZE"
type = "number"
default = "1"
[[tasks.report.params]]
option = "--format"
choices = ["pdf", "html"]
allow_custom = true
default = "pdf"
[[tasks.report.params]]
flag = "--quick"
[[tasks.report.params]]
arg = "target"
[services.web]
instances = 2
healthy_after = "0s"
run = "exec sleep 600"
`;

shared.test("The form of a run shows what the daemon refuses at its field, and starts what it takes", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/units/report?run=1", start });
  const { page } = svc;
  const dialog = page.getByRole("dialog", { name: "Run report" });
  await dialog.getByLabel("SIZE", { exact: true }).fill("much");
  await svc.assertAccessible();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.getByText('parameter "SIZE" is a number, not "much"').waitFor();
  await dialog.getByLabel("SIZE", { exact: true }).fill("12");
  await dialog.getByLabel("--format", { exact: true }).selectOption({ label: "another value …" });
  await dialog.getByLabel("Value of --format").fill("e pub");
  await dialog.getByLabel("--quick").check();
  await dialog.getByText("svc run report --param SIZE=12 --param '--format=e pub' --param --quick=true")
    .waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/units\/report\?run_id=/);
  await page.locator('.unit-runs [aria-current="true"]').getByText("ok").waitFor();
  const { runs } = await svc.api("/api/runs?task_name=report");
  assert.deepEqual(runs.map(({ params }: { params: unknown }) => params), [
    { SIZE: "12", "--format": "e pub", "--quick": "true" },
  ]);

  await page.getByRole("button", { name: "Run…" }).click();
  await dialog.getByRole("checkbox", { name: "leave out --format" }).check();
  await dialog.getByText("The command line can't leave out").waitFor();
  await dialog.getByLabel("SIZE", { exact: true }).fill("60");
  await dialog.getByRole("button", { name: "Run and stay" }).click();
  await page.getByText("report was started").waitFor();
  await page.locator(".unit-header").getByText("running").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".unit-header").getByText("stopped").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".unit-header").getByText("paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  assert.deepEqual(svc.complaints.filter((text) => !text.includes("422")), [], "422 is what was asked for");
});

shared.test("Every tab of a unit is accessible in both themes and fits a narrow screen", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/units/report", start });
  const { page } = svc;
  await svc.api("/api/tasks/report/run?wait=true", { method: "POST" });
  await page.locator(".unit-runs a").first().waitFor();
  const seen: ReadonlyArray<readonly [path: string, sign: string]> = [
    ["/units/report", ".unit-runs a"],
    ["/units/report?tab=schedule", ".heat svg"],
    ["/units/report?tab=durations", ".scatter .ok"],
    ["/units/report?tab=definition", ".unit-definition dl"],
    ["/units/web", ".unit-runs a"],
    ["/units/web?tab=instances", ".unit-instances td"],
    ["/units/reprot", ".empty"],
  ];
  for (const [path, sign] of seen) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await svc.go(path);
    await page.locator(sign).first().waitFor();
    await svc.assertAccessible();
    await page.emulateMedia({ colorScheme: "dark" });
    await svc.assertAccessible();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator(sign).first().waitFor();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, path);
  }
  await page.getByRole("link", { name: "report", exact: true }).click();
  await page.waitForURL(/\/units\/report$/);
  assert.deepEqual(svc.complaints, []);
});

shared.test("The split between runs and log moves by keys, and stays so", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/units/web", start });
  const bar = svc.page.getByRole("separator", { name: "Width of the list" });
  await bar.focus();
  await svc.page.keyboard.press("ArrowRight");
  assert.equal(await bar.getAttribute("aria-valuenow"), "40");
  await svc.page.reload();
  await bar.waitFor();
  assert.equal(await bar.getAttribute("aria-valuenow"), "40");
  assert.deepEqual(svc.complaints, []);
});
