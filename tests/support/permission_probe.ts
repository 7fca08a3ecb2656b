/**
 * Starts a daemon as main.ts does, tries in the same thread what it must not be able to do, before and after its start,
 * and prints what came of each. The first argument is a folder with a configuration.
 */
import { startDaemon } from "../../src/daemon/daemon.ts";
import { daemonLog } from "../../src/io/daemon_log.ts";
import { RecentLines } from "../../src/io/recent_lines.ts";
import { findPlaces } from "../../src/local/places.ts";

const [folder = ".", port = "1"] = Deno.args;
const outcomes: Record<string, string> = {};

async function attempt(name: string, work: () => unknown): Promise<void> {
  try {
    await work();
    outcomes[name] = "done";
  } catch (error) {
    outcomes[name] = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const connect = async (): Promise<void> =>
  (await Deno.connect({ hostname: "127.0.0.1", port: Number(port) })).close();
const library = "/lib/x86_64-linux-gnu/libc.so.6";

await attempt("ffi", () => Deno.dlopen(library, { getpid: { parameters: [], result: "i32" } }));
await attempt("remote import", () => import("https://deno.land/" + "std/version.ts"));
await attempt("write to the system", () => Deno.writeTextFileSync("/etc/svc-permission-probe", ""));
// In the name of a folder that it may write to, where a link says what that is.
await attempt("link to the system", () => Deno.symlinkSync("/etc", `${folder}/.svc/link`));
await attempt(
  "write through a link",
  () => Deno.writeTextFileSync(`${folder}/link/svc-permission-probe`, ""),
);
await attempt("write elsewhere", () => Deno.writeTextFileSync(`${folder}/elsewhere`, ""));
await attempt("read of other processes", () => Deno.readTextFileSync("/proc/1/environ"));
await attempt("connection before the start", connect);
const daemon = await startDaemon({
  places: findPlaces({ config: `${folder}/svc.toml` }),
  host: "127.0.0.1",
  port: 0,
  log: daemonLog({ level: "error", format: "text", times: false, now: Date.now, write: () => {} }),
  lines: new RecentLines(10),
  entry: new URL("../../main.ts", import.meta.url).href,
});
await attempt("connection", connect);
await attempt("fetch", async () => (await fetch(`http://127.0.0.1:${port}/`)).text());
await attempt("question about the system", () => Deno.hostname());
await attempt("listener", () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close());
await attempt(
  "worker with the network",
  () => new Worker(import.meta.url, { type: "module", deno: { permissions: { net: true } } }),
);
await daemon.stop();
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(outcomes)));
Deno.exit(0);
