import type { DaemonProcess } from "../support/daemon_process.ts";
import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { rowsOf } from "./history.ts";
import { sign } from "./ledger.ts";
import { pass, type Stage, within } from "./stage.ts";
import { eachSecond, hasty } from "./units.ts";

const config = `${hasty}
${eachSecond("tick", "echo a line")}
${eachSecond("failing", "exit 3", "max_concurrent = 8")}
[services.flood]
healthy_after = "100ms"
log_max_size = "1mb"
run = '''
${sign}
yes 'a line of a log that is followed by many and read by none of them'
'''
`;

const ticking = [{ unit: "tick", step: 1 }, { unit: "failing", step: 1 }];
/** Clients of each kind of stream, at each door. */
const deaf = 12;
/** What the daemon may take more of, for all of them, MB. */
const mostGrown = 100;

/** Clients that open streams and never read, and a daemon whose own log is a full pipe that nobody reads. */
export async function deafScene(stage: Stage): Promise<string> {
  // The pipe holds 64 KiB: it is full before the daemon says its first word.
  const first = "head -c 65536 /dev/zero >&2";
  const daemon = await stage.start(config, { first, unread: true, args: ["--log-level", "debug"] });
  await checkStart(stage, daemon);
  stage.expect(
    await within(5000, () => rowsOf(daemon.dataDir).some(({ status }) => status === "running")),
    "the flood does not run",
  );
  const flood = rowsOf(daemon.dataDir).find(({ unit, status }) => unit === "flood" && status === "running")!;
  const before = await memoryOf(daemon.pid);
  const clients = await listen(daemon, ["/api/events/stream", `/api/runs/${flood.id}/log/stream`]);
  let most = before;
  const rounds = stage.short ? 5 : 60;
  for (let round = 0; round < rounds; round++) {
    await pass(500);
    most = Math.max(most, await memoryOf(daemon.pid));
  }
  const last = rowsOf(daemon.dataDir).findLast(({ unit, end_reason }) =>
    unit === "tick" && end_reason === "success"
  );
  const behind = Date.now() - (last?.created_at ?? 0);
  stage.expect(behind < 3000, `the last tick that ran is ${behind} ms old`);
  stage.expect(most - before < mostGrown, `it grew from ${before} to ${most} MB`);
  await checkQuiet(stage, daemon, ticking);
  const stopped = await checkStop(stage, daemon, { limit: 8000 });
  for (const client of clients) client.close();
  const rows = await checkHistory(stage, { dataDir: daemon.dataDir, ticking, accepted: [] });
  for (const { id, unit, end_reason } of rows) {
    const due = unit === "tick" ? "success" : unit === "failing" ? "failed" : "daemon_stopped";
    stage.expect(end_reason === due, `run ${id} of ${unit} ended as ${end_reason}`);
  }
  return `${clients.length} streams that nobody reads and a full log: ${rows.length} runs, ` +
    `${before} MB before and ${most} MB at most, stopped in ${stopped} ms`;
}

/** Opens each stream at both doors, and reads nothing of them. */
async function listen(daemon: DaemonProcess, paths: readonly string[]): Promise<Deno.Conn[]> {
  const port = Number(new URL(daemon.url).port);
  const clients: Deno.Conn[] = [];
  for (let n = 0; n < deaf; n++) {
    for (const path of paths) {
      const request = new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      const doors = [
        await Deno.connect({ port }),
        await Deno.connect({ transport: "unix", path: `${daemon.dataDir}/svc.sock` }),
      ];
      for (const door of doors) {
        await door.write(request);
        clients.push(door);
      }
    }
  }
  return clients;
}

/** What is resident of a process, MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
