import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { EventReader } from "../support/event_reader.ts";
import { until } from "../support/machine.ts";
import { Account, type SeenRun } from "./account.ts";
import { changesOf, configText, keptFew, type Leak } from "./config.ts";
import { DeafStreams } from "./deaf.ts";
import { pause, Readers } from "./readers.ts";
import { type Sample, takeSample, type Trend, trendsOf } from "./samples.ts";
import { Receiver } from "./receiver.ts";

const reloadEvery = 10;
/** How much of the time a daemon has to come to its size. */
const warmUpShare = 0.25;
const signing = ["tick", "few"];

/** How a soak is done. */
export interface SoakOptions {
  seconds: number;
  sampleEvery: number;
  /** Widens all bounds: a short soak on a busy machine can only see what is large. */
  slack?: number;
  leak?: Leak;
  /** Is told of each sample as it is taken. */
  onSample?: (sample: Sample) => void;
}

/** What came of a soak. */
export interface SoakReport {
  complaints: string[];
  trends: Trend[];
  counts: Record<string, number>;
}

/** Lets a real daemon do a bit of everything for some time, and holds what it does and what it takes against what it should. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = await Deno.makeTempDir({ prefix: "svc-soak-" });
  const receiver = new Receiver();
  let daemon: DaemonProcess | undefined;
  try {
    const texts = { receiver: receiver.url, ledger: `${folder}/ledger`, ...pick(options.leak) };
    await Deno.writeTextFile(texts.ledger, "");
    daemon = await startDaemonProcess(configText(-1, { ...texts, calm: true }), { folder });
    return await watch(daemon, { ...options, receiver, texts });
  } finally {
    await daemon?.end("SIGKILL");
    await receiver.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function watch(
  daemon: DaemonProcess,
  { seconds, sampleEvery, slack = 1, leak, onSample, receiver, texts }: SoakOptions & {
    receiver: Receiver;
    texts: { receiver: string; ledger: string; leak?: Leak };
  },
): Promise<SoakReport> {
  const complaints: string[] = [];
  const account = new Account();
  const following = await followAll(daemon, account);
  const reload = async (round: number, calm = false): Promise<unknown> => {
    await Deno.writeTextFile(`${daemon.folder}/svc.toml`, configText(round, { ...texts, calm }));
    const answer = await daemon.request("/api/daemon/reload", { method: "POST" });
    if (!answer.ok) complaints.push(`reload ${round}: ${answer.status} ${await answer.text()}`);
    return answer.ok ? await answer.json() : undefined;
  };
  await reload(0);
  const readers = new Readers(daemon);
  const deaf = leak === "deaf" ? new DeafStreams(daemon, { every: seconds / 100 }) : undefined;
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const samples: Sample[] = [];
  let round = 0;
  for (let n = 0; passed() < seconds; n++) {
    await pause((n * sampleEvery - passed()) * 1000);
    const sample = await takeSample(daemon, { at: passed() });
    samples.push(sample);
    onSample?.(sample);
    account.ticks(await rowsOf(daemon, "tick"));
    if (passed() < (round + 1) * reloadEvery) continue;
    round++;
    const found = await reload(round);
    const wrong = found === undefined ? undefined : differs(found, changesOf(round, pick(leak)));
    if (wrong !== undefined) complaints.push(`reload ${round}: ${wrong}`);
  }
  complaints.push(...await readers.leave());
  deaf?.leave();
  await comeToRest(daemon, () => reload(round, true));
  account.ticks(await rowsOf(daemon, "tick"));
  const few = await rowsOf(daemon, "few");
  if (few.length > keptFew + 1) complaints.push(`${few.length} runs of few are there, of ${keptFew} to keep`);
  await until("all has been told", () => Promise.resolve(account.seenRuns > 0 && account.open === 0));
  await following.leave();
  const code = await daemon.end();
  if (code !== 0) complaints.push(`the daemon ended with ${code}: ${daemon.log().slice(-500)}`);
  const ledger = (await Deno.readTextFile(texts.ledger)).split("\n").filter((line) => line !== "");
  complaints.push(...account.complaints({ ledger, signing }), ...receiver.complaints());
  const trends = trendsOf(samples, { warmUp: seconds * warmUpShare, slack });
  for (const { measure, growth, allowed, unit } of trends) {
    if (growth > allowed) {
      complaints.push(`${measure} grew by ${growth.toFixed(1)} ${unit}, of ${allowed.toFixed(1)} allowed`);
    }
  }
  const counts = {
    ...readers.counts,
    reloads: round,
    ticks: account.seenTicks,
    runs: account.seenRuns,
    deliveries: receiver.count,
  };
  return { complaints, trends, counts };
}

/** Follows all events from now on, to the end. */
async function followAll(
  daemon: DaemonProcess,
  account: Account,
): Promise<{ leave(): Promise<void> }> {
  const stream = new EventReader((await daemon.request("/api/events/stream")).body);
  await stream.next(); // it begins with a ping
  const reading = (async () => {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      account.event(event.name, { id: event.id, data: event.data });
    }
  })();
  return {
    async leave() {
      await stream[Symbol.asyncDispose]();
      await reading;
    },
  };
}

/** Nothing is started by a schedule any more, services stop, and what runs ends. */
async function comeToRest(daemon: DaemonProcess, calm: () => Promise<unknown>): Promise<void> {
  await calm();
  const { tasks } = await (await daemon.request("/api/tasks")).json();
  for (const { name, kind } of tasks as { name: string; kind: string }[]) {
    if (kind !== "service") continue;
    await (await daemon.request(`/api/tasks/${name}/stop?wait=true`, { method: "POST" })).body?.cancel();
  }
  await until("all runs have ended", async () => {
    const active = await daemon.request("/api/runs?status=pending,running&limit=1");
    return (await active.json()).total === 0;
  });
}

async function rowsOf(daemon: DaemonProcess, task: string): Promise<SeenRun[]> {
  return (await (await daemon.request(`/api/runs?task_name=${task}&limit=1000`)).json()).runs;
}

function differs(
  found: unknown,
  wanted: { added: string[]; removed: string[]; changed: string[] },
): string | undefined {
  const { added, removed, changed } = found as {
    added: string[] | null;
    removed: string[] | null;
    changed: { name: string }[] | null;
  };
  const names = {
    added: added ?? [],
    removed: removed ?? [],
    changed: (changed ?? []).map(({ name }) => name),
  };
  const [is, should] = [JSON.stringify(names), JSON.stringify(wanted)];
  return is === should ? undefined : `it found ${is}, and should find ${should}`;
}

function pick(leak: Leak | undefined): { leak?: Leak } {
  return leak === undefined ? {} : { leak };
}
