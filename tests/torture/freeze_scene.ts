import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { type Row, rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { alone, sign } from "./ledger.ts";
import { pass, type Stage, within } from "./stage.ts";
import { hasty } from "./units.ts";

const tasks = [
  { unit: "all", settings: 'catch_up = "all"\nmax_concurrent = 4\nqueue_max = 1000', script: "true" },
  { unit: "latest", settings: 'catch_up = "latest"', script: "true" },
  { unit: "skip", settings: 'catch_up = "skip"', script: "true" },
  // What ends in time has ended in time, whenever the daemon hears of it.
  {
    unit: "brief",
    settings: 'catch_up = "all"\nmax_concurrent = 4\nqueue_max = 1000\ntimeout = "1500ms"',
    script: "sleep 0.5",
  },
];
const ticking = tasks.map(({ unit }) => ({ unit, step: 1 }));

const config = `${hasty}
${
  tasks.map(({ unit, settings, script }) => `
[tasks.${unit}]
cron = "* * * * * *"
${settings}
run = '''
${sign}
${script}
'''
`).join("")
}
[services.up]
health_check = { run = "sleep 0.2", interval = "200ms", timeout = "1s", retries = 0 }
run = '''
${sign}
${alone}
sleep 300 "$LIFE"
'''
`;

/** Wakes so much later than it was to, and a daemon has stood still (docs/behaviour.md), s; nearer to it both are right. */
const standstill = 10;

/** SIGSTOP and SIGCONT: what came due meanwhile is late, or missed where that took long, and nothing is doubled. */
export async function freezeScene(stage: Stage): Promise<string> {
  const daemon = await stage.start(config);
  await checkStart(stage, daemon);
  const { dataDir, pid } = daemon;
  const spans = stage.short ? [2] : [3, 14, 1, 25, 7, 14, 4];
  const isHealthy = async (): Promise<boolean> =>
    (await (await daemon.request("/api/tasks/up")).json()).service_state === "running";
  stage.expect(await within(5000, isHealthy), "the service is not up");
  for (const seconds of spans) {
    await pass(1000 + stage.random.below(700));
    const from = Date.now();
    Deno.kill(pid, "SIGSTOP");
    await pass(seconds * 1000);
    Deno.kill(pid, "SIGCONT");
    const to = Date.now();
    const isDone = (): boolean =>
      ticking.every(({ unit }) => rowsOf(dataDir).some((row) => row.unit === unit && row.created_at > to));
    stage.expect(await within(10_000, isDone), `it does not go on after ${seconds} s`);
    const frozen = rowsOf(dataDir).filter(({ created_at }) =>
      created_at > from + 1000 && created_at < to - 1000
    );
    for (const { unit } of ticking) {
      checkSpan(stage, {
        unit,
        seconds,
        rows: frozen.filter((row) => row.unit === unit && row.trigger === "cron"),
      });
    }
  }
  await checkQuiet(stage, daemon, ticking);
  const stopped = await checkStop(stage, daemon, { limit: 8000 });
  noteErrors(stage, daemon);
  const rows = await checkHistory(stage, { dataDir, ticking, accepted: [] });
  for (const { id, unit, end_reason } of rows) {
    const due = unit === "up" ? ["daemon_stopped"] : ["success", "missed"];
    stage.expect(due.includes(end_reason!), `run ${id} of ${unit} ended as ${end_reason}`);
  }
  const missed = rows.filter(({ end_reason }) => end_reason === "missed").length;
  return `frozen ${spans.length} times for up to ${Math.max(...spans)} s, ${rows.length} runs, ` +
    `${missed} rows of missed ticks, stopped in ${stopped} ms`;
}

/** Rows of ticks that went by while the daemon was frozen. */
function checkSpan(
  stage: Stage,
  { unit, seconds, rows }: { unit: string; seconds: number; rows: readonly Row[] },
): void {
  const missed = rows.filter(({ end_reason }) => end_reason === "missed").length;
  const ran = rows.length - missed;
  const what = `${unit}: ${ran} ticks ran and ${missed} rows of missed ones of ${seconds} s`;
  if (seconds <= standstill - 1) {
    stage.expect(missed === 0 && ran >= seconds - 2, `${what}, all were only late`);
  } else if (unit === "all" || unit === "brief") {
    stage.expect(missed === 0 && ran >= seconds - 2, `${what}, all were to run`);
  } else if (seconds > standstill + 2) stage.expect(ran <= 1, `${what}, the newest at most was to run`);
}
