/** A real browser for tests, and a site of somebody else to open in it. */
import { type Browser, chromium } from "playwright-core";

/** Where Debian's package `chromium` puts it. */
const executablePath = "/usr/bin/chromium";

/**
 * Starts Chromium without a window; `extra` goes to its command line. Has to be called in `beforeAll`: it lives longer
 * than one test. Throws where there is no Chromium: a test of the door that doesn't run says nothing.
 */
export async function startBrowser(extra: readonly string[] = []): Promise<Browser> {
  if (!await Deno.stat(executablePath).then(({ isFile }) => isFile, () => false)) {
    throw new Error(
      `cannot start a browser: there is no "${executablePath}"; install it with ` +
        "apt-get install --no-install-recommends chromium",
    );
  }
  return await chromium.launch({
    executablePath,
    timeout: 60_000,
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
