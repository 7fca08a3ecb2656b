import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { EventReader } from "../support/event_reader.ts";
import type { Figure } from "./figures.ts";

const clients = 100;
const lines = 300;

const config = `
[tasks.skip]
run = "exec sleep 600"
on_overlap = "skip"

[tasks.tick]
run = 'i=0; while [ $i -lt ${lines} ]; do date +%s.%N; sleep 0.02; i=$((i + 1)); done'

[tasks.flood]
run = "seq 1000000"
log_max_size = 0
`;

/** Events to 100 clients, how late a line reaches a client, and how fast a finished log is streamed. */
export async function benchStreams(): Promise<Figure[]> {
  const daemon = await startDaemonProcess(config);
  try {
    return [...await events(daemon), ...await latency(daemon), ...await catchingUp(daemon)];
  } finally {
    await daemon.end();
  }
}

/** Each skipped run is two events; the rate is that of the events, each of which reaches all clients. */
async function events(daemon: DaemonProcess): Promise<Figure[]> {
  using socket = overSocket(daemon);
  await trigger(daemon, "skip");
  const streams = await Promise.all(
    Array.from({ length: clients }, async () => new EventReader(await socket.open("/api/events/stream"))),
  );
  const rounds = 300;
  const begun = performance.now();
  const all = Promise.all(streams.map(async (stream) => {
    const ids = (await stream.takeNumbered(2 * rounds)).map(({ id }) => Number(id));
    if (ids.some((id, i) => i > 0 && id !== ids[i - 1]! + 1)) throw new Error("an event was lost or doubled");
  }));
  let left = rounds;
  await Promise.all(Array.from({ length: 4 }, async () => {
    while (left-- > 0) await trigger(daemon, "skip");
  }));
  await all;
  const rate = (2 * rounds) / ((performance.now() - begun) / 1000);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  return [
    { figure: `events told to ${clients} clients, none lost or doubled`, value: rate, unit: "events/s" },
    { figure: "deliveries of events", value: rate * clients, unit: "events/s" },
  ];
}

/** Each line is the time at which it was written. */
async function latency(daemon: DaemonProcess): Promise<Figure[]> {
  const { id } = await trigger(daemon, "tick");
  const response = await daemon.request(`/api/runs/${id}/log/stream?from=0`);
  await using stream = new EventReader(response.body);
  const late: number[] = [];
  for (let event = await stream.next(); event?.name === "line"; event = await stream.next()) {
    late.push(Date.now() + 0.5 - Number(JSON.parse(event.data).text) * 1000);
  }
  if (late.length !== lines) throw new Error(`${late.length} of ${lines} lines came`);
  late.sort((a, b) => a - b);
  const p50 = late[lines >> 1]!;
  const p99 = late[Math.floor(lines * 0.99)]!;
  return [
    { figure: "line written to line received, p50", value: p50, unit: "ms" },
    {
      figure: "line written to line received, p99",
      value: p99,
      unit: "ms",
      // Lines are held for 250 ms, since a cursor may go back to them.
      target: "350 or less",
      pass: p99 <= 350,
    },
  ];
}

async function catchingUp(daemon: DaemonProcess): Promise<Figure[]> {
  const { id } = await trigger(daemon, "flood", "?wait=true");
  const path = `/api/runs/${id}/log`;
  const streamed = await timed(async () => {
    const response = await daemon.request(`${path}/stream?from=0`);
    let size = 0;
    for await (const piece of response.body!) size += piece.length;
    if (size < 50_000_000) throw new Error(`only ${size} bytes of a million lines came`);
  });
  const raw = await timed(async () => {
    const response = await daemon.request(`${path}/raw`);
    for await (const _ of response.body!);
  });
  const searched = await timed(async () => {
    const found = await (await daemon.request("/api/log/search?q=999999")).json();
    if (found.hits.length !== 1 || !found.exhausted) throw new Error(JSON.stringify(found).slice(0, 200));
  });
  return [
    { figure: "a log of 1,000,000 lines as a stream", value: 1e9 / streamed, unit: "lines/s" },
    { figure: "the same as a raw download (6.9 MB)", value: raw, unit: "ms" },
    { figure: "the same searched, worker started for it", value: searched, unit: "ms" },
  ];
}

async function trigger(daemon: DaemonProcess, name: string, query = ""): Promise<{ id: string }> {
  const response = await daemon.request(`/api/tasks/${name}/run${query}`, { method: "POST" });
  return await response.json();
}

/** The control socket has no cap for one client. */
function overSocket(daemon: DaemonProcess) {
  const client = Deno.createHttpClient({
    proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` },
    poolMaxIdlePerHost: 0,
  });
  return {
    open: async (path: string) => (await fetch(`http://localhost${path}`, { client })).body,
    [Symbol.dispose]: () => client.close(),
  };
}

/** Takes time, in ms. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
