import type { DaemonProcess } from "../support/daemon_process.ts";
import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { type ClientReport, Clients, together } from "./clients.ts";
import { pass, type Stage } from "./stage.ts";
import { ticking, troubleConfig } from "./trouble.ts";

/** kill -9 at random moments, from the first milliseconds of a start to the middle of full load. */
export async function killScene(stage: Stage): Promise<string> {
  const { random, short } = stage;
  const times = short ? 8 : Number(Deno.env.get("TORTURE_KILLS") ?? 100);
  const reports: ClientReport[] = [];
  let orphans = 0;
  let unready = 0;
  let hides = false;
  let turn = 0;
  const config = (): string => troubleConfig({ turn, hides });

  const begin = async (): Promise<DaemonProcess> => {
    const daemon = await stage.start(config());
    orphans += (await checkStart(stage, daemon)).orphans;
    return daemon;
  };

  // What hides can only be found where there are control groups.
  const first = await begin();
  const { capabilities } = await (await first.request("/api/daemon")).json();
  hides = capabilities.some((one: { name: string; available: boolean }) =>
    one.name === "cgroup" && one.available
  );
  await first.end("SIGKILL");

  for (let n = 1; n < times; n++) {
    if (random.oneIn(3)) {
      const spawned = await stage.spawn(config());
      await pass(5 + random.below(700));
      await spawned.end("SIGKILL");
      unready++;
      continue;
    }
    const daemon = await begin();
    const clients = new Clients(daemon.url, { trigger: "manual" });
    await pass(random.below(short ? 1200 : 2500));
    if (random.oneIn(3)) {
      turn++;
      await Deno.writeTextFile(`${stage.folder}/svc.toml`, config());
      Deno.kill(daemon.pid, "SIGHUP");
      await pass(random.below(400));
    }
    await daemon.end("SIGKILL");
    reports.push(await clients.leave());
    noteErrors(stage, daemon);
  }

  turn = 0;
  const last = await begin();
  await checkQuiet(stage, last, ticking);
  const stopped = await checkStop(stage, last, { limit: 12_000 });
  noteErrors(stage, last);
  const { accepted, requests, slowest, p99, faults } = together(reports);
  for (const fault of faults) stage.expect(false, fault);
  const rows = await checkHistory(stage, { dataDir: last.dataDir, ticking, accepted });
  const count = (reason: string): number => rows.filter(({ end_reason }) => end_reason === reason).length;
  return `kill -9 ${times} times (${unready} of them before it was ready), ${rows.length} runs, ` +
    `${count("crashed")} crashed, ${count("missed")} rows of missed ticks, ${orphans} orphans, ` +
    `${requests} requests (p99 ${p99} ms, slowest ${slowest} ms), stopped in ${stopped} ms` +
    (hides ? "" : "; no control groups: without processes that clear their environment");
}

/** What a daemon itself calls an internal error is one. */
export function noteErrors(stage: Stage, daemon: { log: () => string }): void {
  const log = daemon.log();
  const at = log.indexOf("internal error");
  stage.expect(at < 0, `an internal error: ${log.slice(at, at + 800)}`);
}
