import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { filledFolder, filledUnits } from "./filled_folder.ts";
import { SvcPage } from "./svc_page.ts";

const config = `${filledUnits}
[tasks.often]
group = "a group"
cron = "@every 2m"
run = "true"
[tasks.long]
group = "a group"
run = "sleep 300"
`;
const shared = shareBrowser();

function lengthOf({ searchParams }: URL): number {
  return Date.parse(searchParams.get("to") ?? "") - Date.parse(searchParams.get("from") ?? "");
}

const isWide = "document.documentElement.scrollWidth - innerWidth";

shared.test("The timeline shows bars and what comes, zooms by drag and keys, and keeps that in its address", async () => {
  const folder = await filledFolder(2000);
  await using svc = await SvcPage.open(shared.browser, {
    config,
    path: "/timeline?span=1h",
    start: { folder },
  });
  const { page } = svc;
  const track = (unit: string) => page.locator(`[data-unit="${unit}"]`);
  await track("unit-3").locator("g.good path").waitFor();
  await track("unit-10").locator("g.bad path.over").waitFor();
  await track("often").locator("circle.ahead").first().waitFor({ state: "attached" });
  await page.getByRole("heading", { name: "a group" }).waitFor();
  await page.getByRole("button", { name: "1 h" }).and(page.locator("[aria-pressed=true]")).waitFor();
  await svc.assertAccessible();

  // A run that begins stands there at once, with an open end.
  await page.locator(".link-state.live").waitFor();
  await svc.api("/api/tasks/long/run", { method: "POST" });
  await track("long").locator("g.accent path").waitFor();

  // Drag marks what is zoomed into.
  const box = (await track("unit-3").boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 100, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, y, { steps: 4 });
  await page.locator(".timeline-mark").waitFor();
  await page.mouse.up();
  await page.waitForURL(/from=.*&to=/);
  const dragged = lengthOf(new URL(page.url()));
  assert.ok(Math.abs(dragged / (65 * 60_000 * 200 / box.width) - 1) < 0.02, String(dragged));
  await page.keyboard.press("+");
  await page.waitForURL((url) => Math.abs(lengthOf(url) / dragged - 0.5) < 0.01);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  await page.waitForURL(/span=1h/);
  // Ctrl and wheel zoom around the pointer.
  await page.mouse.move(box.x + 200, y);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await page.waitForURL(/from=.*&to=/);
  assert.ok(lengthOf(new URL(page.url())) < 65 * 60_000);
  await page.getByRole("button", { name: "6 h" }).click();
  await page.waitForURL(/\/timeline$/);

  // Rows by j and k, runs of a row by arrows, Enter opens.
  await page.getByLabel("Filter by unit or group").fill("unit-3");
  await page.waitForURL(/q=unit-3/);
  await track("unit-4").waitFor({ state: "detached" });
  await page.getByLabel("Filter by unit or group").blur();
  await page.keyboard.press("j");
  await page.getByRole("list", { name: "Runs of unit-3" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".timeline-tip").getByText("took 2.0 s").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\/01K/);

  await page.setViewportSize({ width: 360, height: 740 });
  await svc.go("/timeline?span=24h");
  await track("unit-3").locator("g.good path").waitFor();
  assert.equal(await page.evaluate(isWide), 0);
  await svc.assertAccessible();
  await svc.go("/timeline?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z");
  await page.getByText("Nothing ran in this time").waitFor();
  assert.deepEqual(svc.complaints, []);
});

shared.test("The timeline says when there are more runs than it shows", async () => {
  const folder = await filledFolder(6000);
  await using svc = await SvcPage.open(shared.browser, {
    config,
    path: "/timeline?span=24h",
    start: { folder },
  });
  await svc.page.getByText("The newest 5,000 of 6,000 runs are shown").waitFor();
  await svc.page.getByRole("button", { name: "1 h" }).click();
  await svc.page.getByText("The newest 5,000").waitFor({ state: "detached" });
  assert.deepEqual(svc.complaints, []);
});

shared.test("The timeline stays legible while it waits for runs", async () => {
  const folder = await filledFolder(20);
  await using svc = await SvcPage.open(shared.browser, {
    config,
    path: "/timeline?span=1h",
    start: { folder },
  });
  const { page } = svc;
  await page.locator("g.good path").first().waitFor();
  const held: Array<() => Promise<void>> = [];
  await page.route("**/api/runs?*", (route) => void held.push(() => route.continue()));
  await page.getByRole("button", { name: "24 h" }).click();
  const axis = page.locator(".timeline-chart.loading .timeline-axis");
  await axis.waitFor();
  // However it tells that it waits, it has come to its end.
  await page.evaluate(
    "Promise.all(document.querySelector('.timeline-axis').getAnimations().map((one) => one.finished))",
  );
  await svc.assertAccessible();
  for (const release of held) await release();
  await axis.waitFor({ state: "detached" });
  assert.deepEqual(svc.complaints, []);
});
