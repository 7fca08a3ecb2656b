/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const config = `
[tasks.live]
run = '''
for i in $(seq 1 200); do echo "begin $i"; done
while :; do i=$((i + 1)); echo "more $i"; sleep 0.02; done
'''
[tasks.big]
log_max_size = 0
run = "seq 1 5000000"
[tasks.mixed]
run = '''
for i in $(seq 1 300); do echo "step $i of 300"; done
while [ ! -e warn ]; do sleep 0.02; done; echo "something went wrong" >&2
while [ ! -e go ]; do sleep 0.02; done
printf '\\033[31mred\\033[0m and https://example.com/page.\\n'
seq 1 400 | tr '\\n' ' '; echo
'''
[tasks.bar]
run = '''
echo downloading
for n in $(seq 1 20); do printf '\\rat %3d%%' "$((n * 5))"; sleep 0.04; done
while [ ! -e go ]; do sleep 0.05; done
printf '\\rat 100%% done\\n'; sleep 0.5; echo finished
'''
[tasks.links]
run = '''
echo https://example.com/one
echo https://example.com/two
printf '\\033]8;;https://example.com/three\\033\\\\docs\\033]8;;\\033\\\\\\n'
for bar in a b; do for n in 1 2 3 4 5; do printf "\\r$bar $n"; sleep 0.4; done; echo; sleep 0.4; done
'''
[tasks.silent]
run = "true"
`;

const shared = shareBrowser();

shared.test("The log of a running task follows its end, stays where somebody scrolls to, and comes back", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  const id = await start(svc, "live");
  await svc.go(`/runs/${id}`);
  const lines = page.getByRole("region", { name: "Lines of the log" });
  await lines.getByText(/^more 2[2-9]\d$/).first().waitFor();
  assert.equal(await isAtEnd(lines), true);
  await lines.hover();
  await page.mouse.wheel(0, -1000);
  const news = page.getByRole("button", { name: /new lines? ↓/ });
  await news.waitFor();
  const first = await firstSeen(page);
  await page.getByRole("button", { name: /[3-9]\d new lines ↓/ }).waitFor();
  assert.equal(await firstSeen(page), first);
  await svc.assertAccessible();
  await news.click();
  await news.waitFor({ state: "detached" });
  await page.waitForFunction(atEnd);
  assert.equal(await page.getByRole("button", { name: "Follow" }).getAttribute("aria-pressed"), "true");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".run-title").getByText("stopped").waitFor();
  await page.getByRole("button", { name: "End", exact: true }).waitFor();
  assert.deepEqual(svc.complaints, []);
});

shared.test("A log of five million lines opens at its end, shows any line at once, and is scrolled line by line", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  const id = await start(svc, "big", { isAwaited: true });
  await svc.go(`/runs/${id}`);
  const lines = page.getByRole("region", { name: "Lines of the log" });
  await lines.getByText("5000000", { exact: true }).last().waitFor();
  assert.equal(await isAtEnd(lines), true);
  assert.ok(await page.locator(".log-row").count() < 200);

  await svc.go(`/runs/${id}#L2500000`);
  const line = page.locator('[data-n="2499999"]');
  await line.waitFor();
  assert.equal(await line.innerText(), "25000002500000");
  assert.match(await line.getAttribute("class") ?? "", /log-selected/);
  assert.ok(await isInView(line));
  await lines.focus();
  const before = await firstSeen(page);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  await untilFirstSeen(page, before + 5);

  // The thumb, in the middle of the bar.
  await lines.evaluate((box) => box.scrollTop = box.scrollHeight / 4);
  await page.locator('[data-n^="12"][data-n$="0"]').first().waitFor();
  const at = await firstSeen(page);
  assert.ok(Math.abs(at - 1_250_000) < 5000, String(at));
  await lines.hover();
  await page.mouse.wheel(0, 180);
  await untilFirstSeen(page, at + 10);
  await page.keyboard.press("Home");
  await untilFirstSeen(page, 0);
  await page.getByRole("textbox", { name: "Search in this log" }).fill(":4000000");
  await page.keyboard.press("Enter");
  await page.locator('.log-selected[data-n="3999999"]').waitFor();
  assert.equal(new URL(page.url()).hash, "#L4000000");
  assert.deepEqual(svc.complaints, []);
});

shared.test("A log is searched, its hits are gone through, and its lines are told apart", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, dark: true });
  const { page } = svc;
  const id = await start(svc, "mixed");
  await svc.go(`/runs/${id}`);
  // The two streams have an order only if one waits for the other.
  await page.getByText("step 300 of 300", { exact: true }).waitFor();
  await Deno.writeTextFile(`${svc.daemon.folder}/warn`, "");
  await page.getByRole("img", { name: "stderr:" }).waitFor();
  await Deno.writeTextFile(`${svc.daemon.folder}/go`, "");
  const link = page.getByRole("link", { name: "https://example.com/page", exact: true });
  assert.equal(await link.getAttribute("rel"), "noreferrer noopener");
  // A long line is wrapped into what there is.
  assert.ok(await page.locator('[data-n="302"]').evaluate((row) => row.clientHeight) > 30);

  await page.keyboard.press("/");
  await page.keyboard.type("STEP 2.0");
  await page.getByText("nothing found").waitFor();
  await page.getByRole("button", { name: "Regular expression" }).click();
  // The first that is in view, or below.
  await page.getByText("9 of 10").waitFor();
  assert.equal(await page.locator(".log-current mark").innerText(), "step 280");
  await page.getByRole("textbox", { name: "Search in this log" }).press("Enter");
  await page.getByText("10 of 10").waitFor();
  await page.getByRole("button", { name: "Next hit" }).click();
  await page.getByText("1 of 10").waitFor();
  assert.equal(await page.locator(".log-current mark").innerText(), "step 200");
  assert.ok(await isInView(page.locator(".log-current")));
  await page.locator(".log-scroll").focus();
  await page.keyboard.press("N");
  await page.getByText("10 of 10").waitFor();
  await svc.assertAccessible();

  await page.getByRole("link", { name: "Line 290", exact: true }).click();
  await page.getByRole("link", { name: "Line 292", exact: true }).click({ modifiers: ["Shift"] });
  assert.equal(new URL(page.url()).hash, "#L290-L292");
  await page.locator(".log-selected").nth(2).waitFor();
  assert.equal(await page.locator(".log-selected").count(), 3);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy 3 lines" }).click();
  await page.getByText("3 lines copied").waitFor();
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    "step 290 of 300\nstep 291 of 300\nstep 292 of 300\n",
  );
  await page.keyboard.press("t");
  await page.locator(".log-selected time").first().waitFor();
  await page.keyboard.press("w");
  await page.waitForFunction(() => document.querySelector(".log-scroll")!.scrollWidth > 2000);
  assert.deepEqual(svc.complaints, []);
});

shared.test("Lines that are nothing but a link are told where they lead, and are large enough to be hit", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  const id = await start(svc, "links", { isAwaited: true });
  await svc.go(`/runs/${id}`);
  const link = page.getByRole("link", { name: "docs", exact: true });
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "https://example.com/three");
  await page.getByRole("button", { name: "Earlier states of line 5" }).waitFor();
  for (const name of ["Times", "Wrap"]) {
    await svc.assertAccessible();
    await page.getByRole("button", { name, exact: true }).click();
  }
  await svc.assertAccessible();
  assert.deepEqual(svc.complaints, []);
});

shared.test("The lines of a log are as high as a finger needs them where there is no mouse", async () => {
  await using svc = await SvcPage.open(shared.browser, { config, width: 360, touch: true });
  const { page } = svc;
  const id = await start(svc, "big", { isAwaited: true });
  await svc.go(`/runs/${id}#L2500000`);
  const line = page.locator('[data-n="2499999"]');
  await line.waitFor();
  assert.equal((await line.boundingBox())?.height, 24);
  assert.ok(await isInView(line));
  assert.equal(
    await page.locator('[data-n="2500009"]').evaluate((row) => row.getBoundingClientRect().top) -
      await line.evaluate((row) => row.getBoundingClientRect().top),
    240,
  );
  assert.deepEqual(svc.complaints, []);
});

shared.test("A progress bar moves below the lines, and is rewound when it has come to rest", async () => {
  await using svc = await SvcPage.open(shared.browser, { config });
  const { page } = svc;
  const id = await start(svc, "bar");
  await svc.go(`/runs/${id}`);
  const region = page.getByRole("group", { name: "Being redrawn" });
  await region.getByText("at 100%").waitFor();
  await svc.assertAccessible();
  await Deno.writeTextFile(`${svc.daemon.folder}/go`, "");
  await page.getByText("finished", { exact: true }).waitFor();
  await region.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Earlier states of line 2" }).click();
  const frames = page.getByRole("dialog", { name: "Earlier states of line 2" });
  await frames.getByText(/^\d+ of \d+$/).waitFor();
  const last = await frames.locator(".log-frame").innerText();
  await frames.getByRole("button", { name: "Before" }).click();
  assert.notEqual(await frames.locator(".log-frame").innerText(), last);
  await svc.assertAccessible();
  await page.keyboard.press("Escape");
  await frames.waitFor({ state: "detached" });
  await page.locator(".run-title").getByText("ok").waitFor();
  assert.deepEqual(svc.complaints, []);
});

/** Starts a task; answers the id of its run. */
async function start(svc: SvcPage, task: string, { isAwaited = false } = {}): Promise<string> {
  const query = isAwaited ? "?wait=true&waitTimeout=60" : "";
  return (await svc.api(`/api/tasks/${task}/run${query}`, { method: "POST" })).id;
}

function atEnd(): boolean {
  const box = document.querySelector(".log-scroll")!;
  return box.scrollHeight - box.clientHeight - box.scrollTop < 2;
}

function isAtEnd(lines: Locator): Promise<boolean> {
  return lines.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop < 2);
}

/** The number of the first line that is seen. */
function firstSeen(page: Page): Promise<number> {
  return page.evaluate(() => {
    const top = document.querySelector(".log-scroll")!.getBoundingClientRect().top;
    const rows = [...document.querySelectorAll<HTMLElement>(".log-row[data-n]")];
    return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.dataset.n);
  });
}

async function untilFirstSeen(page: Page, n: number): Promise<void> {
  await page.waitForFunction((n) => {
    const top = document.querySelector(".log-scroll")!.getBoundingClientRect().top;
    const rows = [...document.querySelectorAll<HTMLElement>(".log-row[data-n]")];
    return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.dataset.n) === n;
  }, n);
}

function isInView(row: Locator): Promise<boolean> {
  return row.evaluate((row) => {
    const view = row.closest(".log-scroll")!.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    return top >= view.top && bottom <= view.bottom;
  });
}
