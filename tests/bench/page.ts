/// <reference lib="dom" />
import type { Browser, CDPSession, Page } from "playwright-core";
import { startBrowser } from "../browser/browser.ts";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { walkFiles } from "../../tools/walk_files.ts";
import { atMost, type Figure, quantile } from "./figures.ts";

const lines = 5_000_000;
/** Events for the page that is left open. A skipped run is two. */
const events = 100_000;
/** How long 50 events a second go on, ms. */
const busyFor = 10_000;

const config = `
[tasks.skip]
run = "exec sleep 600"
on_overlap = "skip"

[tasks.large]
run = "seq 1 ${lines}"
log_max_size = 0
${Array.from({ length: 20 }, (_, i) => `[tasks.t${i}]\nrun = "true"\ncron = "0 ${i} * * *"\n`).join("\n")}
`;

/** The page in a real browser: what it weighs, how soon it is there, and what it costs while it stays open. */
export async function benchPage(): Promise<Figure[]> {
  const browser = await startBrowser(["--js-flags=--expose-gc", "--enable-precise-memory-info"]);
  const daemon = await startDaemonProcess(config);
  try {
    return [
      ...await weight(),
      ...await firstView(browser, daemon),
      ...await scrolling(browser, daemon),
      ...await openPages(browser, daemon),
    ];
  } finally {
    await browser.close();
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
}

/** What a browser loads of scripts, compressed. The page of the API's description is another one. */
async function weight(): Promise<Figure[]> {
  let all = 0;
  for (const path of await walkFiles("ui/dist")) {
    if (!path.endsWith(".js") || path.endsWith("/docs.js")) continue;
    const stream = (await Deno.open(path)).readable.pipeThrough(new CompressionStream("gzip"));
    all += (await new Response(stream).arrayBuffer()).byteLength;
  }
  return [atMost(90, { figure: "all scripts, gzipped", value: all / 1024, unit: "KB" })];
}

/** A cold load from loopback: nothing is in the browser's cache. */
async function firstView(browser: Browser, daemon: DaemonProcess): Promise<Figure[]> {
  const times: number[] = [];
  let loaded = 0;
  for (let round = 0; round < 5; round++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      if (!new URL(request.url()).pathname.endsWith(".js")) return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    const begun = performance.now();
    await page.goto(daemon.url, { waitUntil: "commit" });
    await page.locator("main h1").waitFor();
    await page.getByText("live", { exact: true }).waitFor();
    times.push(performance.now() - begun);
    loaded = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    await context.close();
  }
  return [
    atMost(45, { figure: "scripts before the first view is usable", value: loaded / 1024, unit: "KB" }),
    atMost(1000, { figure: "cold load to the first view", value: quantile(times, 0.5), unit: "ms" }),
  ];
}

/** Scrolls a large log by wheel and by its thumb; a frame is blank while no line is seen. */
async function scrolling(browser: Browser, daemon: DaemonProcess): Promise<Figure[]> {
  const ended = await daemon.request("/api/tasks/large/run?wait=true", { method: "POST" });
  const { id } = await ended.json();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const begun = performance.now();
  await page.goto(`${daemon.url}/runs/${id}`);
  await page.getByText(String(lines), { exact: true }).first().waitFor();
  const opened = performance.now() - begun;
  const longest = await longestBlank(page, async () => {
    const log = await page.locator(".log-body").boundingBox();
    await page.mouse.move(log!.x + log!.width / 2, log!.y + log!.height / 2);
    for (let i = 0; i < 200; i++) await page.mouse.wheel(0, i % 2 === 0 ? -1500 : -300);
    for (const share of [0.1, 0.7, 0.3, 0.5, 0.9, 0]) {
      await page.evaluate((share) => {
        const scroller = document.querySelector<HTMLElement>(".log-scroll")!;
        scroller.scrollTop = share * scroller.scrollHeight;
      }, share);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    }
  });
  await page.close();
  return [
    { figure: `a log of ${lines.toLocaleString("en")} lines, opened at its end`, value: opened, unit: "ms" },
    atMost(100, { figure: "longest blank frame while it is scrolled", value: longest, unit: "ms" }),
  ];
}

/** The longest time during which no line was seen, of those frames that the browser drew. */
async function longestBlank(page: Page, scroll: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, since: 0, isOn: true };
    Object.assign(globalThis, { watch });
    const look = (now: number): void => {
      const box = document.querySelector(".log-body")!.getBoundingClientRect();
      const at = document.elementFromPoint(box.left + 200, box.top + box.height / 2);
      const isBlank = at?.closest("[data-n]") == null;
      if (!isBlank) watch.since = 0;
      else if (watch.since === 0) watch.since = now;
      else watch.longest = Math.max(watch.longest, now - watch.since);
      if (watch.isOn) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await scroll();
  return await page.evaluate(() => (globalThis as unknown as { watch: { longest: number } }).watch.longest);
}

/** A page that stays open: 50 events a second, then very many. */
async function openPages(browser: Browser, daemon: DaemonProcess): Promise<Figure[]> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(daemon.url);
  await page.getByText("live", { exact: true }).waitFor();
  await trigger(daemon);
  const begun = { at: performance.now(), busy: await metric(session, "TaskDuration") };
  while (performance.now() - begun.at < busyFor) {
    const next = performance.now() + 40;
    await trigger(daemon);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  const seconds = (performance.now() - begun.at) / 1000;
  const busy = (await metric(session, "TaskDuration") - begun.busy) / seconds;
  await flood(daemon, events / 10);
  const before = await heap(session);
  await flood(daemon, events);
  const grown = await heap(session) - before;
  await page.close();
  const others: number[] = [];
  for (const path of ["/units", "/units/skip", "/runs", "/timeline"]) {
    const other = await browser.newPage();
    const watch = await other.context().newCDPSession(other);
    await watch.send("Performance.enable");
    await other.goto(daemon.url + path);
    await other.getByText("live", { exact: true }).waitFor();
    await flood(daemon, events / 50);
    const first = await heap(watch);
    await flood(daemon, events / 10);
    others.push(await heap(watch) - first);
    await other.close();
  }
  return [
    atMost(30, { figure: "main thread busy at 50 events a second", value: busy * 100, unit: "%" }),
    atMost(2, {
      figure: `growth over ${events.toLocaleString("en")} events`,
      value: Math.max(0, grown) / 1e6,
      unit: "MB",
    }),
    atMost(1, {
      figure: `growth of four other views over ${(events / 10).toLocaleString("en")} events, the largest`,
      value: Math.max(0, ...others) / 1e6,
      unit: "MB",
    }),
  ];
}

async function flood(daemon: DaemonProcess, count: number): Promise<void> {
  let left = count / 2;
  await Promise.all(Array.from({ length: 4 }, async () => {
    while (left-- > 0) await trigger(daemon);
  }));
}

async function trigger(daemon: DaemonProcess): Promise<void> {
  await (await daemon.request("/api/tasks/skip/run", { method: "POST" })).body?.cancel();
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((one) => one.name === name)?.value ?? NaN;
}

/** Bytes in use after a full collection, when nothing of the last events waits any more. */
async function heap(session: CDPSession): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  for (let i = 0; i < 3; i++) await session.send("HeapProfiler.collectGarbage");
  return await metric(session, "JSHeapUsedSize");
}
