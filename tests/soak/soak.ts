import { Mark } from "../bench/managers/marked.ts";
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
/** A busy machine may have left much to do when the time is over, s. */
const resting = { within: 120 };
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
  /** Ends it early, in good order. */
  signal?: AbortSignal;
}

/** What stands in all the configurations of one soak. */
interface Texts {
  receiver: string;
  ledger: string;
  leak?: Leak;
}

interface Reloaded {
  added: string[] | null;
  removed: string[] | null;
  changed: { name: string }[] | null;
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
  const mark = new Mark();
  let daemon: DaemonProcess | undefined;
  try {
    const texts: Texts = { receiver: receiver.url, ledger: `${folder}/ledger`, ...pick(options.leak) };
    await Deno.writeTextFile(texts.ledger, "");
    daemon = await startDaemonProcess(configText(-1, { ...texts, calm: true }), { folder, env: mark.env });
    return await watch(daemon, { ...options, receiver, texts });
  } catch (error) {
    throw new Error(`a soak broke down; the daemon said: ${daemon?.log().slice(-2000)}`, { cause: error });
  } finally {
    await daemon?.end("SIGKILL");
    await mark.end();
    await receiver.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function watch(
  daemon: DaemonProcess,
  { receiver, texts, ...options }: SoakOptions & { receiver: Receiver; texts: Texts },
): Promise<SoakReport> {
  const { seconds, slack = 1, leak } = options;
  const complaints: string[] = [];
  const account = new Account();
  const following = await followAll(daemon, account);
  const reload = async (round: number, { calm = false } = {}): Promise<void> => {
    await Deno.writeTextFile(`${daemon.folder}/svc.toml`, configText(round, { ...texts, calm }));
    const answer = await daemon.request("/api/daemon/reload", { method: "POST" });
    const body = await answer.json();
    if (!answer.ok) complaints.push(`reload ${round}: ${answer.status} ${JSON.stringify(body)}`);
    else if (round > 0 && !calm) complaints.push(...differences(body, changesOf(round, pick(leak))));
  };
  await reload(0);
  const readers = new Readers(daemon);
  const deaf = leak === "deaf" ? new DeafStreams(daemon, { every: seconds / 100 }) : undefined;
  let live: { samples: Sample[]; round: number };
  try {
    live = await spend(daemon, { ...options, account, reload });
  } finally {
    complaints.push(...await readers.leave());
    deaf?.leave();
  }
  await comeToRest(daemon, () => reload(live.round, { calm: true }));
  account.ticks(await rowsOf(daemon, "tick"));
  const isSwept = async (): Promise<boolean> => (await rowsOf(daemon, "few")).length <= keptFew;
  await until("retention has left no more runs than are to be kept", isSwept, resting);
  await until("events have told of all ends", () => Promise.resolve(account.open === 0), resting);
  await following.leave();
  const code = await daemon.end();
  if (code !== 0) complaints.push(`the daemon ended with ${code}: ${daemon.log().slice(-500)}`);
  const ledger = (await Deno.readTextFile(texts.ledger)).split("\n").filter((line) => line !== "");
  complaints.push(...account.complaints({ ledger, signing }), ...receiver.complaints());
  const trends = trendsOf(live.samples, { warmUp: seconds * warmUpShare, slack });
  for (const { measure, growth, allowed, unit } of trends) {
    if (growth <= allowed) continue;
    complaints.push(`${measure} grew by ${growth.toFixed(1)}${unit}, of ${allowed.toFixed(1)} allowed`);
  }
  const counts = {
    ...readers.counts,
    reloads: live.round,
    ticks: account.seenTicks,
    runs: account.seenRuns,
    deliveries: receiver.count,
  };
  return { complaints, trends, counts };
}

/** The time itself: samples, looks at the ticks, and reloads; ends early when told to. */
async function spend(
  daemon: DaemonProcess,
  { seconds, sampleEvery, onSample, signal, account, reload }: SoakOptions & {
    account: Account;
    reload: (round: number) => Promise<void>;
  },
): Promise<{ samples: Sample[]; round: number }> {
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  const samples: Sample[] = [];
  let round = 0;
  for (let n = 0; passed() < seconds; n++) {
    await pause((n * sampleEvery - passed()) * 1000, signal);
    if (signal?.aborted) break;
    const sample = await takeSample(daemon, { at: passed() });
    samples.push(sample);
    onSample?.(sample);
    account.ticks(await rowsOf(daemon, "tick"));
    if (passed() >= (round + 1) * reloadEvery) await reload(++round);
  }
  return { samples, round };
}

/** Follows all events from now on, to the end. */
async function followAll(
  daemon: DaemonProcess,
  account: Account,
): Promise<{ leave(): Promise<void> }> {
  const stream = new EventReader((await daemon.request("/api/events/stream")).body);
  await stream.next(); // it begins with a ping
  let broken: unknown;
  const reading = (async () => {
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      account.event(event.name, { id: event.id, data: event.data });
    }
  })().catch((error) => {
    broken = error;
  });
  return {
    async leave() {
      await stream[Symbol.asyncDispose]();
      await reading;
      if (broken !== undefined) throw broken;
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
  }, resting);
}

async function rowsOf(daemon: DaemonProcess, task: string): Promise<SeenRun[]> {
  return (await (await daemon.request(`/api/runs?task_name=${task}&limit=1000`)).json()).runs;
}

/** What a reload has found and should not have, or the other way round. */
function differences(found: Reloaded, wanted: ReturnType<typeof changesOf>): string[] {
  const { added, removed, changed } = found;
  const names = {
    added: added ?? [],
    removed: removed ?? [],
    changed: (changed ?? []).map(({ name }) => name),
  };
  const [is, should] = [JSON.stringify(names), JSON.stringify(wanted)];
  return is === should ? [] : [`a reload found ${is}, and should find ${should}`];
}

function pick(leak: Leak | undefined): { leak?: Leak } {
  return leak === undefined ? {} : { leak };
}
