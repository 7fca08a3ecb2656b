/// <reference lib="dom" />
import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const config = `
[tasks.report]
run = '''
echo "begin of $SVC_RUN_ID"
for i in $(seq 1 12); do echo "row $i: connection refused"; done
echo "out of luck" >&2
exit 3
'''
[[tasks.report.params]]
env = "TARGET"
default = "eu-west"
[tasks.quiet]
run = "true"
`;

const shared = shareBrowser();

for (const dark of [false, true]) {
  shared.test(`The view of a run tells what is known of it, and leads to others and back (${dark ? "dark" : "light"})`, async () => {
    await using svc = await SvcPage.open(shared.browser, { config, dark, width: dark ? 360 : 1280 });
    const { page } = svc;
    const [first, second] = [await run(svc), await run(svc)];
    await svc.go(`/runs/${second}`);
    await page.getByText("failed (3)").waitFor();
    await page.getByText("eu-west").waitFor();
    await page.getByText("out of luck").waitFor();
    await svc.assertAccessible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(overflow, 0);
    await page.getByRole("link", { name: "Run before" }).click();
    await page.waitForURL(`**/runs/${first}`);
    await page.getByText(`begin of ${first}`).waitFor();
    await page.getByRole("link", { name: "Next run" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL("**/runs");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForURL(`**/runs/${first}`);
    await page.getByText(`begin of ${first}`).waitFor();
    assert.deepEqual(svc.complaints, []);
  });

  shared.test(`The search finds lines by run, marks them and leads to them (${dark ? "dark" : "light"})`, async () => {
    await using svc = await SvcPage.open(shared.browser, { config, dark, width: dark ? 360 : 1280 });
    const { page } = svc;
    const id = await run(svc);
    await svc.api("/api/tasks/quiet/run?wait=true", { method: "POST" });
    await svc.go("/search");
    await page.getByText("Every line of every log that is kept").waitFor();
    await svc.assertAccessible();
    await page.getByRole("textbox", { name: "Search for" }).pressSequentially("Connection REFUSED");
    await page.getByText("12 lines in 1 run, all of 2 runs searched").waitFor();
    await page.getByRole("heading", { level: 2 }).getByText("failed (3)").waitFor();
    assert.equal(await page.locator("mark").first().innerText(), "connection refused");
    await svc.assertAccessible();
    await page.getByRole("button", { name: "4 more lines of this run" }).click();
    assert.equal(await page.locator("mark").count(), 12);
    await page.getByRole("combobox", { name: "In which unit" }).selectOption("quiet");
    await page.getByText("Nothing found").waitFor();
    await page.goBack().catch(() => {});
    await svc.go("/search?q=row+1[12]&regex=true&task=report");
    await page.getByText("2 lines in 1 run, all of 1 run searched").waitFor();
    await page.getByRole("link", { name: "Line 13" }).click();
    await page.waitForURL(`**/runs/${id}#L13`);
    await page.locator(".log-selected").getByText("row 12: connection refused").waitFor();
    assert.deepEqual(svc.complaints, []);
  });

  shared.test(`The daemon's own log is shown as it comes, and filtered (${dark ? "dark" : "light"})`, async () => {
    await using svc = await SvcPage.open(shared.browser, { config, dark, path: "/system/log" });
    const { page } = svc;
    const lines = page.getByRole("region", { name: "Lines of the daemon's log" });
    await lines.getByText("ready").waitFor();
    await lines.getByText(/authentication is off/).waitFor();
    await svc.assertAccessible();
    await page.getByRole("button", { name: "warn and up" }).click();
    await lines.getByText("ready").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Filter lines" }).fill("no such line");
    await page.getByText("No line fits the filter").waitFor();
    assert.equal(new URL(page.url()).search, "?level=warn&q=no+such+line");
    await page.getByRole("button", { name: "all", exact: true }).click();
    await page.getByRole("textbox", { name: "Filter lines" }).fill("");
    await svc.api("/api/daemon/reload", { method: "POST" });
    await lines.getByText(/configuration|reload/i).first().waitFor();
    assert.deepEqual(svc.complaints, []);
  });
}

/** Runs the report; answers the id of its run. */
async function run(svc: SvcPage): Promise<string> {
  return (await svc.api("/api/tasks/report/run?wait=true", { method: "POST" })).id;
}
