import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { startFront } from "./front.ts";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { SvcPage } from "./svc_page.ts";

const shared = shareBrowser();

shared.test("The page works below a path that a proxy puts it at", async () => {
  const front = startFront("/svc");
  const config = `
[daemon]
external_url = "${front.url}/"
[tasks.greet]
run = "echo good morning"
`;
  {
    await using svc = await SvcPage.open(shared.browser, { config });
    front.lead(svc.daemon.url);
    const { page } = svc;
    const at = front.url;
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

shared.test("The page learns what another daemon has, though nothing ever happened while it looked", async () => {
  const front = startFront();
  const config = (more: string): string =>
    `[daemon]\nexternal_url = "${front.url}"\n[tasks.alpha]\nrun = "true"\n${more}`;
  {
    await using svc = await SvcPage.open(shared.browser, { config: config("") });
    front.lead(svc.daemon.url);
    const { page } = svc;
    await page.goto(`${front.url}/units`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("link", { name: "alpha" }).waitFor();
    const { folder } = svc.daemon;
    await svc.daemon.end();
    const next = await startDaemonProcess(config('[tasks.beta]\nrun = "true"\n'), { folder });
    try {
      front.lead(next.url);
      await page.getByRole("link", { name: "beta" }).waitFor();
    } finally {
      await page.close();
      await next.end();
    }
  }
  await front.close();
});
