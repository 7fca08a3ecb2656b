import assert from "node:assert/strict";
import type { SseEvent } from "../../src/core/sse_parser.ts";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { EventReader } from "../support/event_reader.ts";

const lines = 20_000;

const config = `
[tasks.count]
run = 'i=0; while [ $i -lt ${lines} ]; do seq $i $((i + 499)); i=$((i + 500)); sleep 0.03; done'

[tasks.talk]
run = "echo up; exec sleep 600"

[tasks.busy]
run = "exec sleep 600"
on_overlap = "skip"
[[tasks.busy.params]]
env = "FILL"
default = ""
`;

/** Numbers that are the same in every run of a test, from 0 up to but not including `below`. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** Streams over the control socket, which has no cap of its own. */
function socketClient(daemon: DaemonProcess) {
  const client = Deno.createHttpClient({
    proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` },
    // Each stream has a connection of its own, as from many clients.
    poolMaxIdlePerHost: 0,
  });
  return {
    async open(path: string, lastId?: string): Promise<EventReader> {
      const headers = lastId === undefined ? {} : { "last-event-id": lastId };
      const response = await fetch(`http://localhost${path}`, { client, headers });
      assert.equal(response.status, 200);
      return new EventReader(response.body);
    },
    [Symbol.dispose]: () => client.close(),
  };
}

async function trigger(daemon: DaemonProcess, name: string, params = {}): Promise<string> {
  const response = await daemon.request(`/api/tasks/${name}/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ params }),
  });
  assert.equal(response.status, 201);
  return (await response.json()).id;
}

Deno.test("a log stream loses and doubles no line for 20 clients that break off and come back", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    using socket = socketClient(daemon);
    const id = await trigger(daemon, "count");
    const path = `/api/runs/${id}/log/stream?from=0`;
    const texts = await Promise.all(Array.from({ length: 20 }, async (_, i) => {
      const dice = random(i + 1);
      const seen: string[] = [];
      let lastId: string | undefined;
      for (let isDone = false, tries = 0; !isDone; tries++) {
        await using stream = await socket.open(path, lastId);
        const most = tries > 15 ? Infinity : 1 + dice(4000);
        for (let count = 0; count < most; count++) {
          const event = await stream.next();
          assert.ok(event, "the stream ended without saying so");
          isDone = event.name === "done";
          if (isDone) {
            assert.deepEqual(JSON.parse(event.data), { final_line: lines - 1, status: "ended" });
            break;
          }
          assert.equal(event.name, "line");
          seen.push(JSON.parse(event.data).text);
          lastId = event.id;
        }
      }
      return `${seen.join("\n")}\n`;
    }));
    const raw = await (await daemon.request(`/api/runs/${id}/log/raw`)).text();
    assert.equal(raw.split("\n").length, lines + 1);
    for (const text of texts) assert.ok(text === raw, "a client has seen another log");
  } finally {
    await daemon.end();
  }
});

Deno.test("an event stream replays after a break what a client that stayed has seen", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    using socket = socketClient(daemon);
    await using steady = await socket.open("/api/events/stream");
    const all: SseEvent[] = [];
    const parts: SseEvent[] = [];
    await trigger(daemon, "busy");
    for (let round = 0, lastId: string | undefined; round < 5; round++) {
      {
        await using broken = await socket.open("/api/events/stream", lastId);
        if (round > 0) parts.push(...await broken.takeNumbered(2 * 10));
        await trigger(daemon, "busy");
        const more = await broken.takeNumbered(2);
        parts.push(...more);
        lastId = more[1]?.id;
      }
      for (let i = 0; i < 10; i++) await trigger(daemon, "busy");
    }
    while (all.at(-1)?.id !== parts.at(-1)?.id) all.push(...await steady.takeNumbered(1));
    const missed = all.findIndex(({ id }) => id === parts[0]?.id);
    assert.deepEqual(parts, all.slice(missed));
  } finally {
    await daemon.end();
  }
});

Deno.test("a client that does not read is cut off, and neither the daemon nor others wait for it", async () => {
  const daemon = await startDaemonProcess(config);
  try {
    using socket = socketClient(daemon);
    const { hostname, port } = new URL(daemon.url);
    using stuck = await Deno.connect({ hostname, port: Number(port) });
    await stuck.write(
      new TextEncoder().encode(`GET /api/events/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`),
    );
    await trigger(daemon, "busy");
    await using quick = await socket.open("/api/events/stream");
    const FILL = "x".repeat(20_000);
    const rounds = 600;
    for (let i = 0; i < rounds; i++) {
      await trigger(daemon, "busy", { FILL });
      const events = await quick.takeNumbered(2);
      assert.deepEqual(events.map(({ name }) => name), ["run.created", "run.completed"]);
    }
    let size = 0;
    const buffer = new Uint8Array(1 << 20);
    let tail = "";
    const decoder = new TextDecoder();
    // The end of a body in chunks: the daemon has ended the stream.
    while (!tail.endsWith("0\r\n\r\n")) {
      const count = await stuck.read(buffer);
      if (count === null) break;
      size += count;
      tail = (tail + decoder.decode(buffer.subarray(0, count))).slice(-5);
    }
    assert.ok(size < 2 * rounds * FILL.length, `${size} bytes came through`);
  } finally {
    await daemon.end();
  }
});

Deno.test("the 17th stream of an address is refused with 503 and Retry-After, until one ends", async () => {
  const daemon = await startDaemonProcess(config);
  const streams: EventReader[] = [];
  try {
    const id = await trigger(daemon, "talk");
    const path = `/api/runs/${id}/log/stream`;
    for (let i = 0; i < 16; i++) {
      const stream = new EventReader((await daemon.request(path)).body);
      streams.push(stream);
      assert.equal((await stream.next())?.name, "line");
    }
    const refused = await daemon.request(path);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get("content-type"), "application/problem+json");
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    await refused.body?.cancel();
    await streams.pop()?.[Symbol.asyncDispose]();
    let status = 503;
    for (const end = Date.now() + 5000; status === 503 && Date.now() < end;) {
      const response = await daemon.request(path);
      status = response.status;
      await response.body?.cancel();
    }
    assert.equal(status, 200);
  } finally {
    for (const stream of streams) await stream[Symbol.asyncDispose]();
    await daemon.end();
  }
});

Deno.test("a daemon with 30 open streams stops in order within a second, and tells them the end", async () => {
  const daemon = await startDaemonProcess(config);
  using socket = socketClient(daemon);
  const id = await trigger(daemon, "talk");
  const events: EventReader[] = [];
  const logs: EventReader[] = [];
  for (let i = 0; i < 15; i++) {
    events.push(await socket.open("/api/events/stream"));
    logs.push(await socket.open(`/api/runs/${id}/log/stream`));
  }
  for (const stream of [...events, ...logs]) await stream.next();
  const { hostname, port } = new URL(daemon.url);
  using stuck = await Deno.connect({ hostname, port: Number(port) });
  await stuck.write(
    new TextEncoder().encode(`GET /api/daemon/log/stream HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`),
  );
  const begun = performance.now();
  const ends = [...events, ...logs].map((stream) => stream.rest());
  assert.equal(await daemon.end(), 0);
  const took = performance.now() - begun;
  const rests = await Promise.all(ends);
  for (const rest of rests.slice(0, 15)) {
    const [failed, ...more] = rest.filter(({ id }) => id !== undefined);
    assert.equal(failed?.name, "run.failed");
    assert.equal(JSON.parse(failed.data).run.end_reason, "daemon_stopped");
    assert.deepEqual(more, []);
  }
  for (const rest of rests.slice(15)) assert.equal(rest.at(-1)?.name, "done");
  assert.ok(took < 1000, `${took} ms`);
});
