import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const shared = shareBrowser();

const start = { env: { SVC_AUTH: "off" } };

shared.test("The overview's first line turns when a task fails, and back when it succeeds", async () => {
  const config = `[tasks.certs]
run = '[ -f ok ] || { printf "\\033[31mrefused\\033[0m by acme\\n"; exit 3; }'
[tasks.long]
run = "echo begun; sleep 60"
[tasks.nightly]
cron = "0 2 * * *"
run = "true"
[services.web]
healthy_after = "0s"
run = "exec sleep 600"
`;
  await using svc = await SvcPage.open(shared.browser, { config, start });
  const { page } = svc;
  const line = page.locator("h1");
  await line.getByText("All well. 3 tasks, 1 service up, next: nightly").waitFor();
  await svc.assertAccessible();
  await svc.api("/api/tasks/certs/run?wait=true", { method: "POST" });
  await line.getByText("1 needs attention.").waitFor();
  const attention = page.getByRole("region", { name: "Needs attention" });
  await attention.getByText("failed (3)").waitFor();
  await attention.getByText("refused by acme").waitFor();

  await attention.getByRole("button", { name: "Dismiss certs" }).click();
  await line.getByText("All well.").waitFor();
  await page.reload();
  await page.getByText("1 dismissed.").waitFor();
  await page.getByRole("button", { name: "Show again" }).click();
  await line.getByText("1 needs attention.").waitFor();

  await svc.api("/api/tasks/long/run", { method: "POST" });
  await page.getByRole("region", { name: "Running now" }).getByText("begun").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await svc.assertAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
  await svc.assertAccessible();
  await page.getByRole("button", { name: "Stop long" }).click();
  await page.getByText("Nothing runs at this moment.").waitFor();

  await Deno.writeTextFile(`${svc.daemon.folder}/ok`, "");
  await attention.getByRole("button", { name: "Rerun certs" }).click();
  await line.getByText("All well.").waitFor();
  assert.deepEqual(svc.complaints, []);
});

shared.test("The bars of the last 24 hours are one stop of the Tab key, and lead to their runs", async () => {
  await using svc = await SvcPage.open(shared.browser, {
    config: '[tasks.a]\nrun = "true"\n',
    path: "/units",
    start,
  });
  await svc.api("/api/tasks/a/run?wait=true", { method: "POST" });
  await svc.go("/");
  const { page } = svc;
  const bars = page.locator(".day-strip a");
  await page.getByText("1 ok").waitFor();
  assert.equal(
    await bars.evaluateAll((all) => all.filter((bar) => bar.getAttribute("tabindex") === "0").length),
    1,
  );
  await bars.last().focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".day-strip figcaption").getByText(": no runs").waitFor();
  await page.keyboard.press("End");
  await page.locator(".day-strip figcaption").getByText(": 1 ok").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\?created_after=.*&created_before=/);
  assert.deepEqual(svc.complaints, []);
});

shared.test("A daemon without units explains how to make one", async () => {
  await using svc = await SvcPage.open(shared.browser, { config: "", start });
  await svc.page.getByRole("heading", { name: "Nothing to run yet" }).waitFor();
  await svc.assertAccessible();
  assert.deepEqual(svc.complaints, []);
});
