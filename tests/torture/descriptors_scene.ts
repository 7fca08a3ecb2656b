import type { DaemonProcess } from "../support/daemon_process.ts";
import { checkHistory, checkQuiet, checkStart, checkStop } from "./checks.ts";
import { rowsOf } from "./history.ts";
import { noteErrors } from "./kill_scene.ts";
import { sign } from "./ledger.ts";
import { within } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { eachSecond, hasty } from "./units.ts";

/** How many files the daemon may have open. */
const limit = 128;
/** More than it has places for. */
const hogs = 150;
/** Two pipes each: more than it has files for. */
const greedy = 60;

const config = (lasts: number): string =>
  `${hasty}
${eachSecond("tick", "echo a line")}
[tasks.greedy]
max_concurrent = 1000
run = '''
${sign}
sleep ${lasts} "$LIFE"
'''
[services.up]
healthy_after = "100ms"
restart_delay = "100ms"
run = '''
${sign}
sleep 300 "$LIFE"
'''
`;

const ticking = [{ unit: "tick", step: 1 }];

/** A daemon that may have few files open, a listener that is full, and runs that take the rest. */
export async function descriptorsScene(stage: Stage): Promise<string> {
  const daemon = await stage.start(config(stage.short ? 1 : 5), { first: `ulimit -n ${limit}` });
  await checkStart(stage, daemon);
  const door = new Door(daemon);
  const accepted: string[] = [];
  let starved = 0;
  const rounds = stage.short ? 1 : 4;
  for (let round = 0; round < rounds; round++) {
    const full = await fill(daemon);
    // The listener alone keeps nobody out, and takes nothing from runs.
    const from = newest(daemon.dataDir);
    stage.expect(
      await within(5000, () => newest(daemon.dataDir) > from + 1000),
      "no runs beside a full listener",
    );
    await door.ask(stage, "beside a full listener");
    for (let n = 0; n < greedy; n++) {
      const run = await door.trigger("greedy");
      if (run !== undefined) accepted.push(run);
    }
    await door.ask(stage, "while runs have taken every file");
    for (const hog of full) hog.close();
    const isOver = (): boolean =>
      !rowsOf(daemon.dataDir).some(({ unit, status }) => unit === "greedy" && status !== "ended");
    stage.expect(await within(30_000, isOver), "runs do not end");
    const over = Date.now();
    stage.expect(
      await within(5000, () => newest(daemon.dataDir) > over),
      "it does not go on when it is over",
    );
    await door.ask(stage, "when it is over");
    const answer = await daemon.request("/health", { signal: AbortSignal.timeout(3000) });
    await answer.body?.cancel();
    stage.expect(answer.status === 200, `the listener answers ${answer.status} when it is over`);
    starved = rowsOf(daemon.dataDir).filter(({ end_reason }) => end_reason === "start_failed").length;
  }
  door.close();
  await checkQuiet(stage, daemon, ticking);
  const left = (await Array.fromAsync(Deno.readDir(`/proc/${daemon.pid}/fd`))).length;
  stage.expect(left < limit / 2, `${left} files are open when it is over`);
  const stopped = await checkStop(stage, daemon, { limit: 8000 });
  noteErrors(stage, daemon);
  const rows = await checkHistory(stage, { dataDir: daemon.dataDir, ticking, accepted });
  for (const { id, unit, end_reason } of rows) {
    const isFine = ["success", "start_failed"].includes(end_reason!) ||
      (unit === "up" && end_reason === "daemon_stopped");
    stage.expect(isFine, `run ${id} of ${unit} ended as ${end_reason}`);
  }
  return `${rounds} times ${hogs} connections and ${greedy} runs within ${limit} files: ${rows.length} runs, ` +
    `${starved} could not be started, the control socket took ${door.slowest} ms at most, ` +
    `${left} files open at the end, stopped in ${stopped} ms`;
}

/** The control socket. */
class Door {
  /** The longest that it took to answer, ms. */
  slowest = 0;
  readonly #client: Deno.HttpClient;

  constructor({ dataDir }: DaemonProcess) {
    this.#client = Deno.createHttpClient({ proxy: { transport: "unix", path: `${dataDir}/svc.sock` } });
  }

  async ask(stage: Stage, when: string): Promise<void> {
    const status = await this.#fetch("/api/daemon", {}).then((answer) => answer.status, String);
    stage.expect(status === 200, `the control socket answers ${status} ${when}`);
  }

  /** The id of a run; undefined where it was refused. */
  async trigger(unit: string): Promise<string | undefined> {
    const answer = await this.#fetch(`/api/tasks/${unit}/run`, { method: "POST" });
    return answer.status === 201 ? answer.body.id : undefined;
  }

  close(): void {
    this.#client.close();
  }

  // deno-lint-ignore no-explicit-any
  async #fetch(path: string, init: RequestInit): Promise<{ status: number; body: any }> {
    const began = performance.now();
    const answer = await fetch(`http://localhost${path}`, {
      ...init,
      client: this.#client,
      signal: AbortSignal.timeout(10_000),
    });
    const body = await answer.json();
    this.slowest = Math.max(this.slowest, Math.round(performance.now() - began));
    return { status: answer.status, body };
  }
}

/** Takes every place of the listener, with requests that are never finished. */
async function fill(daemon: DaemonProcess): Promise<Deno.TcpConn[]> {
  const half = new TextEncoder().encode("GET /health HTTP/1.1\r\nHost: x\r\nX: ");
  const port = Number(new URL(daemon.url).port);
  const taken: Deno.TcpConn[] = [];
  for (let n = 0; n < hogs; n++) {
    const hog = await Deno.connect({ port });
    await hog.write(half).catch(() => {});
    taken.push(hog);
  }
  return taken;
}

function newest(dataDir: string): number {
  return rowsOf(dataDir).findLast(({ unit, end_reason }) => unit === "tick" && end_reason === "success")
    ?.created_at ??
    0;
}
