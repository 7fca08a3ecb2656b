import assert from "node:assert/strict";
import { makeEngine } from "../support/make_engine.ts";
import { makeStreams } from "../support/make_streams.ts";
import { task } from "../support/units.ts";

const path = "/api/events/stream";
const units = [task({ name: "hello" }), task({ name: "other" })];
const tcp = (address: string) => ({ kind: "tcp" as const, address });

Deno.test("GET /api/events/stream begins with a ping and tells a run's life in order, with ids that go up", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const response = await app.fetch(path);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("x-accel-buffering"), "no");
  await response.body?.cancel();
  await using stream = await app.open(path);
  const run = test.engine.run("hello", { trigger: "api" });
  test.processes.only("hello").exit(3);
  await test.clock.advance(0);
  const [first, ...events] = await stream.take(4);
  assert.deepEqual([first?.name, first?.data], ["ping", "{}"]);
  // Who breaks off before anything happened has an id to come back with, too.
  await using back = await app.open(path, { lastId: first?.id ?? "" });
  assert.deepEqual((await back.take(4)).slice(1), events);
  assert.deepEqual(events.map(({ name }) => name), ["run.created", "run.started", "run.failed"]);
  const ids = events.map(({ id }) => Number(id));
  assert.ok(ids.every((id, i) => Number.isSafeInteger(id) && id > (ids[i - 1] ?? 0)), `${ids}`);
  const last = JSON.parse(events[2]?.data ?? "");
  assert.equal(last.run.id, run.id);
  assert.equal(last.run.exit_code, 3);
  assert.equal(last.run.status, "ended");
});

Deno.test("GET /api/events/stream says why a run never executed", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("hello", { refuses: 'no such folder "/nope"' }),
  });
  const app = makeStreams(test);
  await using stream = await app.open(path);
  test.engine.run("hello", { trigger: "api" });
  const events = await stream.take(3);
  assert.equal(events[2]?.name, "run.failed");
  assert.match(JSON.parse(events[2]?.data ?? "").error, /no such folder "\/nope"/);
});

Deno.test("GET /api/events/stream sends a ping every 15 s, and nothing is left to do when nobody reads", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const stream = await app.open(path);
  await test.clock.advance(46_000);
  assert.deepEqual((await stream.take(4)).map(({ name }) => name), ["ping", "ping", "ping", "ping"]);
  const waiting = test.clock.waiting;
  await stream[Symbol.asyncDispose]();
  assert.equal(test.clock.waiting, waiting - 1);
});

Deno.test("GET /api/events/stream replays what was missed to a client that comes back", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  let lastId = "";
  {
    await using stream = await app.open(path);
    test.engine.run("hello", { trigger: "api" });
    lastId = (await stream.take(2))[1]?.id ?? "";
  }
  test.processes.only("hello").exit(0);
  await test.clock.advance(0);
  test.engine.run("other", { trigger: "api" });
  await using back = await app.open(path, { lastId });
  const events = await back.take(5);
  assert.deepEqual(events.map(({ name }) => name), [
    "ping",
    "run.started",
    "run.completed",
    "run.created",
    "run.started",
  ]);
  await using newest = await app.open(path, { lastId: events[4]?.id ?? "" });
  assert.deepEqual((await newest.take(1)).map(({ name }) => name), ["ping"]);
  test.processes.only("other").exit(0);
  assert.equal((await newest.take(1))[0]?.name, "run.completed");
});

Deno.test("GET /api/events/stream begins with resync where what was missed can't be told", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using first = await app.open(path);
  test.engine.run("hello", { trigger: "api" });
  const id = Number((await first.take(2))[1]?.id);
  for (let i = 0; i < 1100; i++) test.engine.bus.publish({ type: "tasks.changed" });
  for (const lastId of [String(id), String(id + 5000), "0", "abc", "-1", "1e3"]) {
    await using stream = await app.open(path, { lastId });
    const events = await stream.take(2);
    assert.deepEqual(events.map((event) => [event.name, event.data, event.id]), [
      ["resync", "{}", undefined],
      ["ping", "{}", String(id + 1101)],
    ], lastId);
  }
  await using stream = await app.open(path, { lastId: String(id + 1101 - 1024) });
  const events = await stream.take(1025);
  assert.equal(events[0]?.name, "ping");
  assert.ok(events.slice(1).every(({ name }) => name === "tasks.changed"));
});

Deno.test("GET /api/events/stream gives larger ids in every later life, with the clock moved back too", async () => {
  await using test = await makeEngine({ units });
  const idOfNext = async (): Promise<number> => {
    await using stream = await makeStreams(test).open(path);
    test.engine.bus.publish({ type: "tasks.changed" });
    return Number((await stream.take(2))[1]?.id);
  };
  const ids = [await idOfNext()];
  for (const jump of [0, -3_600_000, 0, 7_200_000]) {
    await test.crash(1);
    test.clock.jump(jump);
    await test.start();
    ids.push(await idOfNext());
    // A client of an earlier life can't be told what it missed.
    await using stale = await makeStreams(test).open(path, { lastId: String(ids.at(-2)) });
    assert.equal((await stale.take(1))[0]?.name, "resync");
  }
  assert.deepEqual(ids, ids.toSorted((a, b) => a - b));
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("GET /api/events/stream goes on past a block of reserved ids", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using first = await app.open(path);
  test.engine.bus.publish({ type: "tasks.changed" });
  const id = Number((await first.take(2))[1]?.id);
  for (let i = 0; i < 70_000; i++) test.engine.bus.publish({ type: "tasks.changed" });
  await using stream = await app.open(path, { lastId: String(id + 69_998) });
  assert.deepEqual((await stream.take(3)).map((event) => event.id), [
    undefined,
    String(id + 69_999),
    String(id + 70_000),
  ]);
  assert.ok(test.store.reserve("event_ids", { count: 1 }) > id + 70_000);
});

Deno.test("GET /api/events/stream?task_name= leaves out the runs of other units, in replays too", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using all = await app.open(path);
  await using mine = await app.open(`${path}?task_name=other`);
  test.engine.run("hello", { trigger: "api" });
  test.engine.run("other", { trigger: "api" });
  test.engine.bus.publish({ type: "config.stale", stale: true });
  const events = await mine.take(4);
  assert.deepEqual(events.map(({ name }) => name), ["ping", "run.created", "run.started", "config.stale"]);
  assert.ok(events.slice(1, 3).every(({ data }) => JSON.parse(data).run.task_name === "other"));
  assert.deepEqual(JSON.parse(events[3]?.data ?? ""), { stale: true });
  const lastId = (await all.take(2))[1]?.id ?? "";
  await using back = await app.open(`${path}?task_name=other`, { lastId });
  assert.equal((await back.take(4)).length, 4);
});

Deno.test("GET /api/events/stream cuts a client off whose buffer of 256 overflows, and no other", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using slow = await app.open(path);
  await using quick = await app.open(path);
  await quick.take(1);
  await slow.take(1);
  const seen: string[] = [];
  for (let i = 0; i < 300; i++) {
    test.engine.bus.publish({ type: "tasks.changed" });
    seen.push((await quick.take(1))[0]?.id ?? "");
  }
  assert.equal(new Set(seen).size, 300);
  // What was on its way to the slow one is all that it gets.
  assert.ok((await slow.rest()).length < 300);
  test.engine.bus.publish({ type: "tasks.changed" });
  assert.equal((await quick.take(1))[0]?.name, "tasks.changed");
  // Its place is free again.
  for (let i = 0; i < 127; i++) await app.open(path);
});

Deno.test("GET /api/events/stream holds 256 events for a client that reads late", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using late = await app.open(path);
  for (let i = 0; i < 255; i++) test.engine.bus.publish({ type: "tasks.changed" });
  const events = await late.take(256);
  assert.equal(events.filter(({ name }) => name === "tasks.changed").length, 255);
});

Deno.test("GET /api/events/stream answers the 17th stream of an address with 503, until one ends", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const streams = [];
  for (let i = 0; i < 16; i++) streams.push(await app.open(path, { peer: tcp("192.0.2.1") }));
  const refused = await app.fetch(path, { peer: tcp("192.0.2.1") });
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("content-type"), "application/problem+json");
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.match((await refused.json()).detail, /too many open streams/);
  await using other = await app.open(path, { peer: tcp("192.0.2.2") });
  assert.equal((await other.take(1))[0]?.name, "ping");
  await streams[0]?.[Symbol.asyncDispose]();
  await using again = await app.open(path, { peer: tcp("192.0.2.1") });
  assert.equal((await again.take(1))[0]?.name, "ping");
});

Deno.test("GET /api/events/stream gives the control socket all 128 places, and HEAD takes none", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  for (let i = 0; i < 200; i++) assert.equal((await app.fetch(path, { method: "HEAD" })).status, 200);
  for (let i = 0; i < 128; i++) await app.open(path);
  assert.equal((await app.fetch(path)).status, 503);
});

Deno.test("Streams.close() ends all streams after what waits for them, and refuses new ones", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  const stream = await app.open(path);
  test.engine.bus.publish({ type: "tasks.changed" });
  app.streams.close();
  assert.deepEqual((await stream.rest()).map(({ name }) => name), ["ping", "tasks.changed"]);
  assert.equal((await app.fetch(path)).status, 503);
});

Deno.test("broadcast() reaches clients without an id, and is not replayed", async () => {
  await using test = await makeEngine({ units });
  const app = makeStreams(test);
  await using stream = await app.open(path);
  test.engine.bus.publish({ type: "tasks.changed" });
  app.streams.events.broadcast("system.sample", { uptime: "1 m" });
  const events = await stream.take(3);
  assert.deepEqual(events[2], { name: "system.sample", data: '{"uptime":"1 m"}' });
  test.engine.bus.publish({ type: "tasks.changed" });
  await using back = await app.open(path, { lastId: events[1]?.id ?? "" });
  assert.deepEqual((await back.take(2)).map(({ name }) => name), ["ping", "tasks.changed"]);
});

Deno.test("GET /api/daemon/log/stream sends the newest lines, then those that come", async () => {
  await using test = await makeEngine({ units });
  const listeners = new Set<(line: string) => void>();
  const daemonLines = {
    recent: () => ["info  ready", "warn  odd"],
    subscribe(listener: (line: string) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const app = makeStreams(test, { daemonLines });
  {
    await using stream = await app.open("/api/daemon/log/stream");
    for (const listener of listeners) listener("info  more");
    assert.deepEqual(
      (await stream.take(3)).map(({ name, data }) => [name, JSON.parse(data)]),
      ["info  ready", "warn  odd", "info  more"].map((line) => ["line", { line }]),
    );
  }
  assert.equal(listeners.size, 0);
});
