/** The page of a real daemon in a real browser. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import axe from "axe-core";
import { type DaemonProcess, startDaemonProcess, type StartOptions } from "../support/daemon_process.ts";

/** A daemon and a tab that shows its page. */
export class SvcPage implements AsyncDisposable {
  readonly daemon: DaemonProcess;
  readonly page: Page;
  /** What the browser's console said, and errors nobody caught: a test that ends with some of it fails. */
  readonly complaints: string[] = [];

  private constructor(daemon: DaemonProcess, page: Page) {
    this.daemon = daemon;
    this.page = page;
    this.listen(page);
  }

  /** Starts a daemon, and opens a path of its page. `width` in CSS pixels. */
  static async open(
    browser: Browser,
    { config, path = "/", width = 1280, dark = false, touch = false, start = {} }: {
      config: string;
      path?: string;
      width?: number;
      dark?: boolean;
      /** Fingers instead of a mouse. */
      touch?: boolean;
      start?: StartOptions;
    },
  ): Promise<SvcPage> {
    const daemon = await startDaemonProcess(config, start);
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: dark ? "dark" : "light",
      hasTouch: touch,
      isMobile: touch,
    });
    context.setDefaultTimeout(15_000);
    const opened = new SvcPage(daemon, await context.newPage());
    await opened.go(path);
    return opened;
  }

  /** Keeps what a tab complains about. */
  listen(page: Page): void {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }

  /** Opens a path of the page. */
  async go(path: string): Promise<void> {
    await this.page.goto(this.daemon.url + path);
  }

  /** What the daemon answers, as JSON. */
  async api(path: string, init?: RequestInit): Promise<ReturnType<typeof JSON.parse>> {
    const response = await this.daemon.request(path, init);
    return response.status === 204 ? undefined : await response.json();
  }

  /** Runs axe on what is shown; throws for what breaks WCAG 2.2 AA. `only`: names of the rules to hold it to. */
  async assertAccessible({ only }: { only?: string[] } = {}): Promise<void> {
    const rules = only === undefined
      ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
      : { type: "rule", values: only };
    // The page's policy lets no script in: this one comes from outside of it, once for each document.
    const isThere = await this.page.evaluate("globalThis.axe !== undefined");
    if (!isThere) await this.page.evaluate(`(() => { ${axe.source} })()`);
    // Only what is wrong is worked out and handed over: all that is right takes longer than the look itself.
    const violations = await this.page.evaluate(`axe.run(document, {
      runOnly: ${JSON.stringify(rules)},
      resultTypes: ["violations"],
    }).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.map(({ html }) => html).join(" | ")
    ))`);
    assert.deepEqual(violations, [], this.page.url());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    await this.daemon.end();
    await Deno.remove(this.daemon.folder, { recursive: true });
  }
}
