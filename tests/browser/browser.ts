/** A real browser for tests, and a site of somebody else to open in it. */
import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../support/chromium.ts";
import { needs } from "../support/needs.ts";

/** A browser that all tests of a file share; they are left out where there is none. */
export interface SharedBrowser {
  readonly browser: Browser;
  test(name: string, body: (t: Deno.TestContext) => Promise<void>): void;
}

/** Starts Chromium for the tests of a file, and ends it behind them; `extra` goes to its command line. */
export function shareBrowser(extra: readonly string[] = []): SharedBrowser {
  const { isThere } = needs.browser;
  let started: Browser | undefined;
  Deno.test.beforeAll(async () => {
    if (isThere) started = await startBrowser(extra);
  });
  Deno.test.afterAll(() => started?.close());
  return {
    get browser() {
      return started!;
    },
    test: (name, body) => Deno.test({ name, ignore: !isThere, fn: body }),
  };
}

/** Starts Chromium without a window; `extra` goes to its command line. Throws where there is none. */
export async function startBrowser(extra: readonly string[] = []): Promise<Browser> {
  const found = await findChromium();
  if (found === undefined) {
    throw new Error(
      "cannot start a browser: there is none; get one with apt-get install --no-install-recommends chromium",
    );
  }
  return await chromium.launch({
    executablePath: found.executablePath,
    env: { ...Deno.env.toObject(), ...found.env },
    timeout: 60_000,
    // A test of signals beside this one sends them to the process of both: no browser is to end for it. One whose process
    // is gone ends by itself, with its pipe.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...extra,
    ],
  });
}

/** A server with one empty page for every path, on 127.0.0.1 and under the name `localhost`. */
export function startForeignSite(): { port: number; stop: () => Promise<void> } {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(lure, { headers: { "content-type": "text/html" } }),
  );
  return { port: server.addr.port, stop: () => server.shutdown() };
}

/** Nothing restricts what its scripts may try. */
const lure = "<!doctype html><title>lure</title><link rel=icon href=data:,><p>You have won";
