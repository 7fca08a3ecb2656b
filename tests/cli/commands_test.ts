import assert from "node:assert/strict";
import type { Surroundings } from "../../src/cli/cli.ts";
import { OutputClosed } from "../../src/cli/terminal.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { minute, noon, service, task } from "../support/units.ts";
import { call, fetchFrom, type MemoryTerminal, memoryTerminal, until } from "./memory.ts";

const units = [
  task({ name: "backup-db", cron: "0 2 * * *", description: "Nightly dump" }),
  task({ name: "held", cron: "30 4 * * *" }),
  task({ name: "hello" }),
  service({ name: "web", instances: 2 }),
];

/** Calls commands on one engine. */
function caller(test: TestEngine) {
  const fetch = fetchFrom(test);
  const now = (): number => test.clock.now();
  return (words: string[], own: Surroundings & { terminal?: MemoryTerminal } = {}) =>
    call(words, { fetch, now, ...own });
}

/** Lets a task end once its process is there. */
async function finish(
  test: TestEngine,
  name: string,
  act: (process: ReturnType<typeof test.processes.only>) => void,
) {
  await until(() => test.processes.alive(name).length > 0);
  act(test.processes.only(name));
}

/** How long lines can still be redrawn, ms. */
const settling = 250;

Deno.test("svc list shows units as a table that fits, and as JSON", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  test.engine.pause("held");
  await test.clock.advance(3 * minute);
  const { code, stdout } = await svc(["list"]);
  assert.equal(code, 0);
  assert.deepEqual(stdout.split("\n"), [
    "  UNIT       STATE        SCHEDULE        LAST  NEXT",
    "· backup-db  not run yet  daily at 02:00  –     in 13 h",
    "‖ held       paused       daily at 04:30  –     –",
    "· hello      not run yet  by request      –     –",
    "● web        up 2/2       service         3 m   –",
    "",
  ]);
  const narrow = await svc(["list"], { terminal: memoryTerminal({ isTerminal: true, width: 30 }) });
  for (const line of narrow.stdout.split("\n")) {
    // deno-lint-ignore no-control-regex -- colours have no width
    assert.ok(line.replace(/\x1b\[\d+m/g, "").length <= 30, line);
  }
  const ascii = await svc(["list", "web"], { terminal: memoryTerminal({ env: { LANG: "C" } }) });
  assert.match(ascii.stdout, /^\* web {3}up 2\/2 /m);
  const json = JSON.parse((await svc(["list", "--json", "h*"])).stdout);
  assert.equal(json.schema_version, 1);
  assert.deepEqual(json.units.map(({ name }: { name: string }) => name), ["held", "hello"]);
});

Deno.test("svc run shows both streams and exits with the run's code", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  const running = svc(["run", "hello"]);
  await finish(test, "hello", (process) => {
    process.print("one\ntw");
    process.print("careful\n", "stderr");
    process.print("o\n");
    process.exit(3);
  });
  const { code, stdout, stderr } = await running;
  assert.equal(code, 3);
  assert.equal(stdout, "one\ntwo\n");
  assert.equal(stderr, "careful\n✕ hello failed (3) in 0 ms (run R000003)\n");
  assert.equal(test.runs("hello")[0]?.trigger, "cli");
});

Deno.test("svc run shows what comes while it waits, once, and unfinished lines when they are whole", async () => {
  await using test = await makeEngine({ units });
  const terminal = memoryTerminal();
  const running = caller(test)(["run", "hello"], { terminal });
  await finish(test, "hello", (process) => process.print("first\nbeg"));
  await test.clock.advance(settling);
  await until(() => terminal.stdout !== "");
  assert.equal(terminal.stdout, "first\n");
  test.processes.only("hello").print("un\nlast");
  test.processes.only("hello").exit(0);
  assert.equal((await running).code, 0);
  assert.equal(terminal.stdout, "first\nbegun\nlast\n");
  assert.match(terminal.stderr, /^✓ hello ok in \d+ ms \(run R000003\)\n$/);
});

Deno.test("svc run shows all of standard error when nobody reads standard output, and waits for the code", async () => {
  await using test = await makeEngine({ units });
  const terminal = memoryTerminal();
  terminal.out.write = () => {
    throw new OutputClosed("nobody reads");
  };
  const running = caller(test)(["run", "hello"], { terminal });
  await finish(test, "hello", (process) => {
    process.print("one\n");
    process.print("careful\n", "stderr");
    process.exit(3);
  });
  assert.equal((await running).code, 3);
  assert.match(terminal.stderr, /^careful\n✕ hello failed \(3\)/);
});

Deno.test("svc run exits with 1 for a run that never executed, and says why", async () => {
  await using test = await makeEngine({
    units: [task({ name: "busy", onOverlap: "skip" }), task({ name: "lost" })],
    before: ({ processes }) => processes.behave("lost", { refuses: 'no such folder "/nope"' }),
  });
  const svc = caller(test);
  await svc(["run", "busy", "--detach"]);
  const skipped = await svc(["run", "busy"]);
  assert.equal(skipped.code, 1);
  assert.match(
    skipped.stderr,
    /^↷ busy skipped: it was running at its limit already: R000001 \(run R000002\)\n$/,
  );
  const detached = await svc(["run", "busy", "--detach"]);
  assert.deepEqual([detached.code, detached.stdout], [1, "R000003\n"]);
  const lost = await svc(["run", "lost"]);
  assert.equal(lost.code, 1);
  assert.match(
    lost.stderr,
    /no such folder "\/nope"\n✕ lost start failed: no such folder "\/nope" \(run R000004\)\n$/,
  );
});

Deno.test("svc run exits with 1 where a run ended badly with code 0", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("hello", { onSignal: 0 }),
  });
  const svc = caller(test);
  const running = svc(["run", "hello"]);
  await finish(test, "hello", () => void test.engine.stopUnit("hello"));
  const { code, stderr } = await running;
  assert.equal(code, 1);
  assert.match(stderr, /■ hello stopped in/);
});

Deno.test("svc run asks the daemon to stop at the first Ctrl-C, and leaves at the second", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("hello", { ignores: ["SIGTERM"] }),
  });
  const terminal = memoryTerminal();
  const running = caller(test)(["run", "hello"], { terminal });
  await finish(test, "hello", (process) => process.print("up\n"));
  await test.clock.advance(settling);
  await until(() => terminal.stdout !== "");
  terminal.interrupt();
  await until(() => test.processes.only("hello").signals.length > 0);
  assert.deepEqual(test.processes.only("hello").signals, ["SIGTERM"]);
  terminal.interrupt();
  assert.equal((await running).code, 130);
  assert.match(terminal.stderr, /stopping run R000003; Ctrl-C again leaves it\n/);
});

Deno.test("svc run tells what is wrong with parameters, and with the name of a task", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  const params = await svc(["run", "hello", "--param", "size=3"]);
  assert.equal(params.code, 1);
  assert.match(params.stderr, /^svc: cannot run "hello": unknown parameter "size": this task takes none\n$/);
  const name = await svc(["run", "hallo"]);
  assert.equal(name.code, 1);
  assert.match(name.stderr, /^svc: no unit "hallo": did you mean "hello"\?\n$/);
  const odd = await svc(["run", ".."]);
  assert.equal(odd.code, 1);
  assert.match(odd.stderr, /^svc: no unit or run "\.\."\n$/);
  assert.equal((await svc(["run", "web"])).code, 1);
});

Deno.test("svc stop waits for the end, start and restart take globs, nothing happens for a wrong name", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  const wrong = await svc(["stop", "web", "wbe"]);
  assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
  assert.match(wrong.stderr, /no unit "wbe": did you mean "web"\?/);
  assert.equal(test.processes.alive("web").length, 2);
  const stopped = await svc(["stop", "web"]);
  assert.deepEqual([stopped.code, stopped.stdout], [0, "stopped web\n"]);
  assert.equal(test.processes.alive("web").length, 0);
  assert.equal((await svc(["start", "w*"])).stdout, "started web\n");
  assert.equal(test.processes.alive("web").length, 2);
  const json = JSON.parse((await svc(["restart", "web", "--json"])).stdout);
  assert.deepEqual(json, { schema_version: 1, action: "restart", units: ["web"], failed: [] });
});

Deno.test("svc pause by glob is about what has a schedule, by name it is refused where there is none", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  assert.equal((await svc(["pause", "*"])).stdout, "paused backup-db\npaused held\n");
  assert.equal((await svc(["next"])).stderr, "svc: no run is scheduled\n");
  assert.equal((await svc(["resume", "*"])).code, 0);
  const named = await svc(["pause", "backup-db", "hello"]);
  assert.deepEqual([named.code, named.stdout], [1, "paused backup-db\n"]);
  assert.match(named.stderr, /cannot pause "hello": it has no cron schedule/);
  assert.match(
    (await svc(["pause", "w*"])).stderr,
    /cannot pause "w\*": nothing that it matches has a schedule/,
  );
});

Deno.test("svc next merges the ticks of all tasks in order", async () => {
  await using test = await makeEngine({ units: [...units, task({ name: "often", cron: "@every 8h" })] });
  const svc = caller(test);
  const { ticks } = JSON.parse((await svc(["next", "--count", "5", "--json"])).stdout);
  assert.deepEqual(
    ticks.map((tick: { task_name: string; at: string }) => `${tick.at.slice(0, 16)} ${tick.task_name}`),
    [
      "2027-01-15T20:00 often",
      "2027-01-16T02:00 backup-db",
      "2027-01-16T04:00 often",
      "2027-01-16T04:30 held",
      "2027-01-16T12:00 often",
    ],
  );
  const one = await svc(["next", "held", "--count", "1"]);
  assert.equal(one.stdout, "Sat 2027-01-16 04:30:00 UTC  in 16 h\n");
});

Deno.test("svc status says in a sentence how things are", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  await test.clock.advance(minute);
  const well = await svc(["status"]);
  assert.match(well.stdout, /^All well\. 3 tasks, 1 service up, 0 running, next: backup-db in 13 h\.\n/);
  assert.match(well.stdout, /svc 9\.8\.7, pid 4711\n/);
  test.processes.behave("hello", { exits: 2 });
  await svc(["run", "hello"]);
  const trouble = await svc(["status"]);
  assert.match(trouble.stdout, /^1 needs attention\.\n {2}✕ hello failed \(2\) just now\n/);
  const json = JSON.parse((await svc(["status", "--json"])).stdout);
  assert.equal(json.daemon.pid, 4711);
  assert.deepEqual(json.counts, {
    tasks: 3,
    paused: 0,
    services: 1,
    services_up: 1,
    running: 0,
    queued: 0,
    attention: 1,
  });
  assert.deepEqual(json.attention, [{ name: "hello", state: "failed (2)", run_id: "R000003" }]);
  const unit = await svc(["status", "backup-db"]);
  assert.match(unit.stdout, /^· backup-db {2}not run yet\n {2}Nightly dump\n/);
  assert.match(unit.stdout, /schedule +daily at 02:00 \(0 2 \* \* \*\)\n/);
});

Deno.test("svc runs mirrors the filters of the API", async () => {
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("hello", { exits: 2 }),
  });
  const svc = caller(test);
  await svc(["run", "hello"]);
  const ids = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await svc(["runs", "--json", ...words])).stdout).runs.map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids(), ["R000003", "R000002", "R000001"]);
  assert.deepEqual(await ids("--asc", "--limit", "2"), ["R000001", "R000002"]);
  assert.deepEqual(await ids("--failed"), ["R000003"]);
  assert.deepEqual(await ids("--status", "running", "--offset", "1"), ["R000001"]);
  assert.deepEqual(await ids("--task", "hello", "--since", "1m"), ["R000003"]);
  assert.deepEqual(await ids("--until", new Date(noon - 1).toISOString()), []);
  const bad = await svc(["runs", "--status", "broken"]);
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /unknown status "broken": use pending, running, ended, success, failed, /);
  assert.match((await svc(["runs", "--status", "faild"])).stderr, /: did you mean "failed"\?\n$/);
  assert.match((await svc(["runs", "--trigger", "crom"])).stderr, /"crom" is invalid: choose one of cron, /);
  const mistyped = await svc(["runs", "--task", "hallo"]);
  assert.deepEqual([mistyped.code, mistyped.stderr], [1, 'svc: no unit "hallo": did you mean "hello"?\n']);
  assert.equal((await svc(["runs", "--task", "held"])).code, 0, "it has no runs yet");
  await test.reload([]);
  assert.equal(
    (await svc(["runs", "--task", "hello", "--status", "running"])).code,
    0,
    "its runs are stored",
  );
  const table = await svc(["runs", "--task", "hello"]);
  assert.deepEqual(table.stdout.split("\n"), [
    "  RUN      UNIT   STATE       CREATED   TOOK  BY",
    "✕ R000003  hello  failed (2)  just now  0 ms  api",
    "",
  ]);
});

Deno.test("svc runs and svc status show what runs have used, where there is room", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  test.engine.watch();
  test.processes.behave("hello", {});
  test.engine.run("hello", { trigger: "api" });
  test.processes.only("hello").used = { cpuMs: 1500, memoryBytes: 0, peakBytes: 64e6, oomKills: 0 };
  for (const web of test.processes.alive("web")) web.used = { cpuMs: 20, memoryBytes: 2 ** 20, oomKills: 0 };
  test.processes.only("hello").exit(0);
  await test.clock.advance(1000);
  const [titles, hello] = (await svc(["runs", "--task", "hello"])).stdout.split("\n");
  assert.match(titles!, /BY +MEMORY +CPU$/);
  assert.match(hello!, /api +64 MB +1\.5 s$/);
  const status = (await svc(["status", "hello", "web"])).stdout;
  assert.match(status, /last run .*, used 1\.5 s of CPU and 64 MB at most \(run R/);
  assert.match(status, /uses +2 MiB, 4 % of a core/);
});

Deno.test("svc logs shows the newest run with output, by name, with prefixes for several, as JSON lines", async () => {
  await using test = await makeEngine({ units: [...units, task({ name: "busy", onOverlap: "skip" })] });
  const svc = caller(test);
  await svc(["run", "busy", "-d"]);
  test.processes.only("busy").print("one\ntwo\nhal");
  await svc(["run", "busy", "-d"]);
  assert.equal((await svc(["logs", "busy"])).stdout, "one\ntwo\nhal\n");
  assert.equal((await svc(["logs", "busy", "-n", "2"])).stdout, "two\nhal\n");
  assert.equal((await svc(["logs", "hello"])).stderr, 'svc: "hello" has not run yet\n');
  for (const process of test.processes.alive("web")) process.print("up\n");
  assert.equal(
    (await svc(["logs", "web", "busy", "-n", "1"])).stdout,
    "web[0] | up\nweb[1] | up\nbusy   | hal\n",
  );
  const [first] = (await svc(["logs", "busy", "--json"])).stdout.split("\n");
  assert.deepEqual(JSON.parse(first ?? ""), {
    schema_version: 1,
    task_name: "busy",
    run_id: "R000003",
    n: 0,
    ts: noon,
    stream: "stdout",
    text: "one",
  });
  assert.equal((await svc(["logs", "nothing"])).code, 1);
});

Deno.test("svc logs -f ends with the run of a task", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  await svc(["run", "hello", "-d"]);
  const terminal = memoryTerminal();
  const following = svc(["logs", "-f", "hello"], { terminal });
  test.processes.only("hello").print("one\n");
  await test.clock.advance(settling);
  await until(() => terminal.stdout !== "");
  test.processes.only("hello").print("two\n");
  test.processes.only("hello").exit(0);
  assert.deepEqual([(await following).code, terminal.stdout], [0, "one\ntwo\n"]);
});

Deno.test("svc reload says what changes and why", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  assert.equal((await svc(["reload"])).stdout, "nothing has changed\n");
  test.config = { ...test.config, units: [task({ name: "hello", timeout: minute }), task({ name: "new" })] };
  const dry = await svc(["reload", "--dry-run"]);
  const changes = "  + new\n  - backup-db\n  - held\n  - web\n  ~ hello: timeout\n";
  assert.equal(dry.stdout, `a reload would change:\n${changes}`);
  assert.equal((await svc(["reload"])).stdout, `reloaded:\n${changes}`);
  test.problems = [{ file: "/a.toml", line: 1, column: 2, key: "", message: "no such key" }];
  const refused = await svc(["reload"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /nothing was changed\n {2}\/a\.toml:1:2: no such key\n$/);
});

Deno.test("commands that change something name a daemon that isn't the default one", async () => {
  await using test = await makeEngine({ units });
  const svc = caller(test);
  const stopped = await svc(["stop", "web", "--url", "http://box:1"]);
  assert.equal(stopped.stdout, "stopped web (at http://box:1)\n");
  test.processes.behave("hello", { exits: 0 });
  assert.match((await svc(["run", "hello", "--data", "/d"])).stderr, /\(run R000003 at \/data\)\n$/);
});
