import assert from "node:assert/strict";
import { shareBrowser } from "./browser.ts";
import { SvcPage } from "./svc_page.ts";

const shared = shareBrowser();

const config = `[tasks.report]
description = "A report with parameters, and a name for what comes with https://example.com/a-rather-long-address-to-break"
group = "books"
cron = "30 2 * * *"
timezone = "Europe/Berlin"
run = '''
echo https://example.com/one
echo https://example.com/two
echo "to stderr" >&2
[ "$SIZE" = 1 ]
'''
[[tasks.report.params]]
env = "SIZE"
type = "number"
default = "1"
[[tasks.report.params]]
option = "--format"
choices = ["pdf", "html"]
[tasks.a-task-with-a-name-that-is-longer-than-a-narrow-screen-is-wide-01234567]
cron = "@every 1h"
run = "exit 3"
[tasks.bars]
run = '''
for bar in a b; do for n in 1 2 3 4 5; do printf "\\r$bar $n"; sleep 0.2; done; echo; sleep 0.4; done
'''
[services.web]
instances = 2
healthy_after = "0s"
run = "echo serving; exec sleep 600"
[services.broken]
start_retries = 0
run = "exit 1"
`;

/** A view, what tells that it has come, and the keys that open what lies over it. */
type Seen = readonly [path: string, sign: string, ...keys: string[]];

function seenViews(failed: string, ended: string, bars: string): readonly Seen[] {
  return [
    ["/", ".overview h2"],
    ["/", ".overview h2", "Control+k"],
    ["/", ".overview h2", "?"],
    ["/units", "text=books"],
    ["/units?q=nothing-has-this-name", "text=No unit"],
    ["/units/report", ".unit-runs a"],
    ["/units/report?run=1", "dialog"],
    ["/units/report?tab=schedule", ".heat svg"],
    ["/units/report?tab=durations", ".scatter"],
    ["/units/report?tab=definition", ".unit-definition dl"],
    ["/units/web", ".unit-runs a"],
    ["/units/web?tab=instances", ".unit-instances td"],
    ["/units/web?tab=durations", ".empty"],
    ["/units/web?tab=definition", ".unit-definition dl"],
    ["/units/broken", ".unit-header"],
    ["/units/nobody", ".empty"],
    ["/runs", ".runs-row"],
    ["/runs?status=running", ".runs-row"],
    ["/runs?search=nothing", ".empty"],
    [`/runs/${failed}`, ".log-row"],
    [`/runs/${ended}#L1-L2`, ".log-selected"],
    [`/runs/${bars}`, ".log-rewind"],
    ["/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV", ".empty"],
    ["/timeline", "g.good"],
    ["/notifications", "h1"],
    ["/search", "h1"],
    ["/search?q=example", ".log-link"],
    ["/search?q=nothing-says-this", ".empty"],
    ["/system", ".system-chart"],
    ["/system/log", ".daemonlog-row"],
    ["/nowhere", "text=Go to the overview"],
  ];
}

shared.test("Every view is accessible in both themes and at both widths, fits, and keeps the console clean", async (t) => {
  await using svc = await SvcPage.open(shared.browser, { config, start: { env: { SVC_AUTH: "off" } } });
  const { page } = svc;
  const [failed, ended, bars] = await Promise.all([
    run(svc, "report", { SIZE: "2" }),
    run(svc, "report", {}),
    run(svc, "bars", {}),
  ]);
  await run(svc, "a-task-with-a-name-that-is-longer-than-a-narrow-screen-is-wide-01234567", {});
  for (const [path, sign, ...keys] of seenViews(failed, ended, bars)) {
    for (const width of [1280, 360]) {
      const name = `${path.replaceAll(/01[0-9A-Z]{24}/g, "…")} ${keys.join(" ")} at ${width}`;
      await t.step(name, async () => {
        await page.setViewportSize({ width, height: 740 });
        // An address that differs by its fragment alone would not be loaded.
        await page.goto("about:blank");
        await svc.go(path);
        await page.locator(sign).first().waitFor();
        for (const key of keys) await page.keyboard.press(key);
        if (keys.length > 0) await page.locator("dialog[open]").waitFor();
        await page.emulateMedia({ colorScheme: "light" });
        await svc.assertAccessible();
        // The other theme differs in its colours alone.
        await page.emulateMedia({ colorScheme: "dark" });
        await svc.assertAccessible({ only: ["color-contrast"] });
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth"),
          width,
          "it scrolls sideways",
        );
        // A browser reports what was not found by itself.
        assert.deepEqual(svc.complaints.splice(0).filter((text) => !text.includes("404")), []);
      });
    }
  }
});

/** Runs a task to its end; returns the run's id. */
async function run(svc: SvcPage, task: string, params: Record<string, string>): Promise<string> {
  const { id } = await svc.api(`/api/tasks/${task}/run?wait=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ params }),
  });
  return id;
}
