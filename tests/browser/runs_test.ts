import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { shareBrowser } from "./browser.ts";
import { failureEvery, filledFolder, filledUnits } from "./filled_folder.ts";
import { SvcPage } from "./svc_page.ts";

const config = `${filledUnits}
[tasks.long]
run = "sleep 300"
max_concurrent = 8
[tasks.quick]
run = "true"
`;
const rows = 100_000;
const shared = shareBrowser();

const row = (page: Page, text: string): Locator =>
  page.locator(".runs-row").filter({ hasText: text }).first();
const toast = (page: Page, text: string): Locator => page.locator(".toast").filter({ hasText: text });

shared.test("The list of runs opens 100,000 of them, goes to the last one, and is filtered by its address", async () => {
  const folder = await filledFolder(rows);
  await using svc = await SvcPage.open(shared.browser, { config, path: "/runs", start: { folder } });
  const { page } = svc;
  await page.getByText("100,000 runs").waitFor();
  await row(page, "unit-19").waitFor();
  assert.ok(await page.locator(".runs-row").count() < 60);
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), String(rows + 1));
  await svc.assertAccessible();

  await page.locator(".runs-scroller").evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  const last = page.locator(`.runs-row[aria-rowindex="${rows + 1}"]`);
  await last.getByTitle(`01K${"0".repeat(23)}`).waitFor();
  // A run is opened from the middle, and the list is where it was on the way back; so is the filter on the next.
  await page.locator(".runs-scroller").evaluate((element) => element.scrollTo({ top: 160_000 }));
  await page.locator('.runs-row[aria-rowindex="5010"]').getByRole("link").last().click();
  await page.getByRole("button", { name: "Rerun" }).waitFor();
  await page.goBack();
  await page.locator('.runs-row[aria-rowindex="5010"]').getByRole("link").last().waitFor();
  await page.locator(".runs-scroller").evaluate((element) => element.scrollTo({ top: 0 }));
  await row(page, "unit-19").waitFor();

  await page.getByRole("button", { name: "failed" }).click();
  await page.getByText("runs that match").waitFor();
  await page.goBack();
  await page.getByText("100,000 runs", { exact: true }).waitFor();
  await page.getByRole("button", { name: "failed" }).click();
  await page.getByText(`${(rows / failureEvery).toLocaleString("en-US")} runs that match`).waitFor();
  assert.match(page.url(), /status=failed/);
  await svc.go("/runs?status=failed&task_name=unit-10&sort_field=created_at&sort_direction=asc");
  await row(page, "unit-10").waitFor();
  assert.equal(
    await page.getByRole("columnheader", { name: "Created" }).getAttribute("aria-sort"),
    "ascending",
  );
  await svc.go("/runs?search=nothing-is-called-so");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("100,000 runs").waitFor();

  // All that match are deleted at once, and come back.
  await svc.go("/runs?status=failed");
  await page.getByRole("checkbox", { name: "Select all that match" }).click();
  await page.getByText("2,000 runs selected").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No run matches these filters").waitFor();
  await toast(page, "2000 runs were deleted").getByRole("button", { name: "Undo" }).click();
  await page.getByText("2,000 runs that match").waitFor();
  assert.deepEqual(svc.complaints, []);
});

shared.test("Runs are selected, deleted, brought back, stopped and made again by keys; another tab sees it", async () => {
  const folder = await filledFolder(500);
  await using svc = await SvcPage.open(shared.browser, { config, path: "/runs", start: { folder } });
  const { page } = svc;
  await page.getByText("500 runs").waitFor();
  await page.locator(".link-state.live").waitFor();
  const other = await page.context().newPage();
  svc.listen(other);
  await other.goto(`${svc.daemon.url}/runs`);
  await other.getByText("500 runs").waitFor();
  await other.locator(".link-state.live").waitFor();

  // At the top, new runs come in by themselves.
  await svc.api("/api/tasks/long/run", { method: "POST" });
  await row(page, "running").waitFor();
  await row(other, "running").waitFor();

  await page.bringToFront();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByText("1 run selected").waitFor();
  await page.locator(".runs-row").nth(4).click({ modifiers: ["Shift"] });
  await page.getByText("4 runs selected").waitFor();
  // While some are selected, rows stand still.
  await svc.api("/api/tasks/quick/run?wait=true", { method: "POST" });
  await page.getByRole("button", { name: "1 new run" }).waitFor();
  await page.keyboard.press("#");
  await toast(page, "4 runs were deleted").waitFor();
  await other.getByText("498 runs").waitFor();
  await page.getByText("498 runs").waitFor();
  await toast(page, "4 runs were deleted").getByRole("button", { name: "Undo" }).click();
  await page.getByText("502 runs").waitFor();

  await row(page, "long").focus();
  await page.keyboard.press("s");
  await row(page, "stopped").waitFor();
  await row(other, "stopped").waitFor();
  await row(page, "long").focus();
  await page.keyboard.press("r");
  await toast(page, "long was started").waitFor();
  await row(page, "running").waitFor();
  await page.keyboard.press("Escape");

  // A run that is active can't be deleted.
  await row(page, "running").getByRole("checkbox").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await toast(page, "None was deleted").waitFor();
  await row(page, "running").getByRole("checkbox").click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await toast(page, "1 run is being stopped").waitFor();
  await row(page, "long").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\/01/);
  assert.deepEqual(svc.complaints, []);
});

shared.test("The list of runs is at home on a narrow screen", async () => {
  const folder = await filledFolder(300);
  await using svc = await SvcPage.open(shared.browser, {
    config,
    path: "/runs",
    width: 360,
    start: { folder },
  });
  const { page } = svc;
  await row(page, "unit-19").waitFor();
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Sort").selectOption("oldest first");
  await row(page, "unit-0").waitFor();
  await svc.assertAccessible();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);
  assert.deepEqual(svc.complaints, []);
});
