import assert from "node:assert/strict";
import { writeLaunchFile } from "../../src/tui/launch_file.ts";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const password = "correct horse battery staple";
const config = `[tasks.backup]\nrun = "echo done"\n`;
const start = { env: { SVC_AUTH: "", SVC_PASSWORD: password } };
/** Plain HTTP under a name that isn't this machine's: a browser has no WebCrypto there. */
const elsewhere = "svc.test";

const shared = shareBrowser([`--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`]);

shared.test("The page asks for the password first, says how many tries are left, and goes where it was asked to", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, path: "/units", start });
  const { page } = svc;
  const field = page.getByLabel("Password");
  await field.waitFor();
  assert.equal(svc.complaints.join(), "");
  await svc.assertAccessible();
  assert.equal(await page.locator("input[autocomplete=username]").count(), 1);
  assert.equal(await field.getAttribute("autocomplete"), "current-password");
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("That is not the password of this daemon. One more try").waitFor();
  await field.fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("h1", { hasText: "Units" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/units");
  // A browser itself complains of the one refusal.
  assert.deepEqual(svc.complaints.filter((text) => !text.includes("401")), []);
  await page.reload();
  await page.locator("h1", { hasText: "Units" }).waitFor();
});

shared.test("The page logs in without the browser's help on plain HTTP", async () => {
  const named = `[daemon]\nexternal_url = "http://${elsewhere}"\n${config}`;
  await using svc = await SvcPage.open(shared.browser, { config: named, start });
  await svc.page.goto(svc.daemon.url.replace("127.0.0.1", elsewhere));
  await svc.page.getByLabel("Password").waitFor();
  assert.equal(await svc.page.evaluate("crypto.subtle === undefined"), true);
  await svc.page.getByLabel("Password").fill(password);
  await svc.page.getByRole("button", { name: "Log in" }).click();
  await svc.page.getByText("live", { exact: true }).waitFor({ timeout: 60_000 });
  assert.deepEqual(svc.complaints, []);
});

shared.test("A launch ticket opens the page without a password, once", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, start });
  const { page, daemon } = svc;
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` } });
  const answer = await fetch("http://svc/api/auth/launch-ticket", { method: "POST", client });
  const { url } = await answer.json();
  client.close();
  // As the terminal UI does it: a file leads to the address, so that it stands on no command line.
  const file = await writeLaunchFile(url, { life: 60, runtimeDir: undefined });
  await page.goto(file.address);
  await page.getByText("live", { exact: true }).waitFor();
  assert.equal(page.url(), `${daemon.url}/`);
  assert.deepEqual(svc.complaints, []);
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie?.sameSite, cookie?.httpOnly], ["Strict", true]);
  await page.goto(file.address);
  await page.getByText("the launch ticket was used or is too old").waitFor();
  file.remove();
});
