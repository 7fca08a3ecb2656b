import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { Clients } from "./clients.ts";
import { noteErrors } from "./kill_scene.ts";
import { pass, type Stage } from "./stage.ts";
import { ticking, troubleConfig } from "./trouble.ts";

const broken = [
  "[tasks.plain\n",
  '[tasks.plain]\nrun = "true"\ncron = "99 * * * *"\n',
  '[tasks.plain]\nrun = "true"\nno_such_key = 1\n',
  '[services.a]\nrun = "true"\ndepends_on = ["a"]\n',
  "\0\0\0",
];

/** A pile of SIGHUPs under load, with a configuration that changes and is broken at times, and one that is gone. */
export async function reloadScene(stage: Stage): Promise<string> {
  const { random, short } = stage;
  const path = `${stage.folder}/svc.toml`;
  const daemon = await stage.start(troubleConfig({ hides: false }));
  await checkStart(stage, daemon);
  const clients = new Clients(daemon.url, { trigger: "manual" });
  const times = short ? 25 : 200;
  let refused = 0;
  for (let n = 1; n <= times; n++) {
    if (random.oneIn(4)) {
      refused++;
      await replace(path, random.pick(broken));
    } else if (random.oneIn(12)) {
      refused++;
      await Deno.remove(path).catch(() => {});
    } else await replace(path, troubleConfig({ turn: n, hides: false }));
    for (let piled = random.below(4); piled >= 0; piled--) Deno.kill(daemon.pid, "SIGHUP");
    await pass(random.below(short ? 120 : 250));
  }
  const wanted = troubleConfig({ turn: 1000, hides: false });
  await replace(path, wanted);
  const response = await daemon.request("/api/daemon/reload", { method: "POST" });
  const text = await response.text();
  stage.expect(response.status === 200, `the last reload: ${response.status} ${text.slice(0, 400)}`);
  const { tasks } = await (await daemon.request("/api/tasks")).json();
  const names = new Set(tasks.map(({ name }: { name: string }) => name));
  stage.expect(!names.has("odd") && !names.has("odd_task"), "a removed unit is still there");
  const report = await clients.leave();
  for (const fault of report.faults) stage.expect(false, fault);
  await checkQuiet(stage, daemon, ticking);
  await checkStart(stage, daemon);
  const stopped = await checkStop(stage, daemon, { limit: 12_000 });
  noteErrors(stage, daemon);
  const { accepted } = report;
  const rows = await checkHistory(stage, { dataDir: daemon.dataDir, ticking, accepted });
  return `${times} configurations (${refused} of them refused), ${rows.length} runs, ${report.requests} requests ` +
    `(p99 ${report.p99} ms, slowest ${report.slowest} ms), stopped in ${stopped} ms`;
}

/** As editors write: a reload that comes in the middle of it reads the old file, never half of the new one. */
async function replace(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, text);
  await Deno.rename(`${path}.new`, path);
}
