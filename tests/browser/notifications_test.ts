import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const config = `[tasks.bad]
run = "echo no space left; exit 3"
[tasks.worse]
run = "kill -SEGV $$"
[notifiers.ops]
type = "webhook"
url = "http://127.0.0.1:9/"
`;
const shared = shareBrowser();

shared.test("Notifications come by themselves, are marked read and unread, and lead to their run", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/notifications" });
  const { page } = svc;
  await page.getByText("Nothing to tell").waitFor();
  await page.locator(".link-state.live").waitFor();
  for (const task of ["bad", "bad", "worse"]) {
    await svc.api(`/api/tasks/${task}/run?wait=true`, { method: "POST" });
  }
  const bad = page.locator(".notices-row").filter({ hasText: 'Task "bad" failed' });
  await bad.getByText("last line: no space left").waitFor();
  await bad.getByRole("button", { name: "2 times" }).click();
  await bad.getByRole("list", { name: "When it happened" }).waitFor();
  await page.locator(".notices-row").filter({ hasText: "worse" }).waitFor();
  await page.getByText("2 unread").waitFor();
  await svc.assertAccessible();

  await bad.getByRole("button", { name: "Mark read" }).click();
  await bad.getByRole("button", { name: "Mark unread" }).waitFor();
  await page.getByText("1 unread").waitFor();
  await page.getByRole("button", { name: "unread", exact: true }).click();
  await page.waitForURL(/show=unread/);
  await bad.waitFor({ state: "detached" });
  await page.getByLabel("Kind").selectOption("run failed");
  await page.getByText("None of this kind").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await bad.focus();
  await page.keyboard.press("u");
  await page.getByText("2 unread").waitFor();

  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 740 });
  await svc.assertAccessible();
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.locator(".notices-notifiers .bad").waitFor();

  await bad.getByRole("link", { name: "Newest run" }).click();
  await page.waitForURL(/\/runs\/01/);
  await page.goBack();
  await bad.getByRole("button", { name: "Mark unread" }).waitFor();
  await page.getByRole("button", { name: "Mark all read" }).click();
  await page.getByText("all read").waitFor();
  assert.equal((await svc.api("/api/notifications/unread-count")).count, 0);
  assert.deepEqual(svc.complaints, []);
});
