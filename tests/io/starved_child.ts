/** Looks at a configuration while it has no descriptor left, and prints what came of it; see starved_test.ts. */
import { expandGlob } from "../../src/io/glob_walk.ts";
import { ConfigWatcher } from "../../src/io/config_watcher.ts";
import { loadConfigFile } from "../../src/io/config_files.ts";
import { FakeClock } from "../support/fake_clock.ts";

const [folder = ""] = Deno.args;
const { config } = await loadConfigFile(`${folder}/svc.toml`, { env: {} });
const watcher = new ConfigWatcher(new FakeClock(Date.now()), { current: () => config!, tell: () => {} });
const before = watcher.check();
const held: Deno.FsFile[] = [];
try {
  for (;;) held.push(Deno.openSync("/dev/null"));
} catch {
  // There are no more.
}
const during = watcher.check();
const starved = expandGlob(`${folder}/*.toml`);
for (const file of held) file.close();
Deno.writeTextFileSync(`${folder}/t.env`, "A=2\n");
const after = watcher.check();
watcher.close();
Deno.stdout.writeSync(
  new TextEncoder().encode(
    JSON.stringify({ before, during, after, starved, fed: expandGlob(`${folder}/*.toml`) }),
  ),
);
