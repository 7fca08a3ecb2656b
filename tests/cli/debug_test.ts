import assert from "node:assert/strict";
import { makeEngine } from "../support/make_engine.ts";
import { minute, second, service, task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

Deno.test("svc debug shows what there is as a few facts and tables that fit", async () => {
  const tick = { cron: "1 12 * * *", jitter: minute };
  await using test = await makeEngine({
    units: [
      task({ name: "held", retryAttempts: 1, retryDelay: minute }),
      task({ name: "a", ...tick }),
      task({ name: "b", ...tick }),
      service({ name: "web", restartDelay: minute }),
    ],
    before: ({ processes }) => processes.behave("a", { ignores: ["SIGTERM"] }),
  });
  const fetch = fetchFrom(test);
  test.engine.run("held", { trigger: "cli" });
  await test.clock.advance(minute);
  test.processes.only("held").exit(1);
  test.processes.only("web").exit(0);
  test.engine.stopRun(test.runs("a")[0]!.id);
  await test.clock.advance(second);
  const { code, stdout } = await call(["debug"], { fetch });
  assert.equal(code, 0);
  const { pid } = test.processes.only("a");
  assert.deepEqual(stdout.split("\n"), [
    "daemon    svc 9.8.7, pid 4711, up 1 m 01 s; Deno 2.0.0, V8 13.0",
    "memory    70 MB resident; heap 15 MB of 20 MB, 1 MB beside it",
    "open      1 at the control socket, 0 streams of events, 0 of logs",
    "database  takes everything",
    "line      1 waiting, 1 started (no limit)",
    `gate      held by run ${test.runs("a")[0]!.id}`,
    "",
    "Runs that are not over: 1 executing, 1 in_line",
    "RUN      UNIT  PHASE      FOR    MACHINE             PID  TIMERS          MARKS",
    `R000003  a     executing  1.0 s  stopping (stopped)  ${pid}  grace in 4.0 s  stopped holds_gate`,
    "R000004  b     in_line    1.0 s",
    "",
    "In the start line",
    "RUN      UNIT  WAITS FOR                   AT THE LATEST",
    "R000004  b     the run at the jitter gate  in 59 s",
    "",
    "Instances",
    "INSTANCE  PHASE        WANT  FAILED STARTS  RUN  TIMERS           MARKS",
    "web 0     backing_off  up                0       backoff in 59 s",
    "",
    "Retries to come",
    "UNIT  ATTEMPT  DUE      OF RUN",
    "held        1  in 59 s  R000002",
    "",
  ]);
  const terminal = memoryTerminal({ isTerminal: true, width: 40 });
  const narrow = await call(["debug"], { fetch, terminal });
  const tables = narrow.stdout.split("\n").slice(7);
  // deno-lint-ignore no-control-regex -- colours have no width
  for (const line of tables) assert.ok(line.replace(/\x1b\[\d+m/g, "").length <= 48, line);
});

Deno.test("svc debug of a daemon that does nothing is short; of one that refuses it says what is refused", async () => {
  await using test = await makeEngine({ units: [] });
  const fetch = fetchFrom(test);
  const idle = (await call(["debug"], { fetch })).stdout.split("\n");
  assert.deepEqual(idle.slice(6), ["", "Runs that are not over: none", ""]);
  test.refusals.note("cannot make a retry", { error: new Error("database is locked") });
  const { stdout } = await call(["debug"], { fetch });
  assert.match(
    stdout,
    /^database +The database has refused for 0 s: database is locked; .* It was tried once: cannot make a retry$/m,
  );
});

Deno.test("svc debug shows the first of many runs, and how many there are", async () => {
  await using test = await makeEngine({ units: [task({ name: "a", onOverlap: "queue", queueMax: 100 })] });
  for (let n = 0; n < 50; n++) test.engine.run("a", { trigger: "cli" });
  const { stdout } = await call(["debug"], { fetch: fetchFrom(test) });
  assert.match(stdout, /1 executing, 49 queued\n/);
  assert.match(stdout, /\nand 20 more: --json has all\n/);
  assert.equal(stdout.match(/^R0000\d\d +a /gm)!.length, 30);
});

Deno.test("svc debug says that a daemon which is reached over TCP tells nothing of it", async () => {
  await using test = await makeEngine({ units: [] });
  const fetch = fetchFrom(test, { peer: { kind: "tcp", address: "127.0.0.1" } });
  const { code, stdout, stderr } = await call(["debug"], { fetch });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /over the control socket only/);
});
