import assert from "node:assert/strict";
import fc from "fast-check";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, second, service, task } from "../support/units.ts";
import type { Unit } from "../../src/types.ts";

/** The most runs that each task may have at once; no definition below says another. */
const places: Record<string, number> = { queued: 2, skipping: 1, replacing: 2, ticking: 1 };

/** Definitions that reloads choose from; a service's script tells its version. */
function units(version: number, without: readonly string[]): Unit[] {
  const script = `v${version}`;
  const all: Unit[] = [
    task({ name: "queued", maxConcurrent: 2, queueMax: 3, retryAttempts: 2, retryDelay: 2000, run: script }),
    task({ name: "skipping", onOverlap: "skip", cron: "*/20 * * * * *", timeout: 15_000, run: script }),
    task({ name: "replacing", onOverlap: "terminate", maxConcurrent: 2, killStrays: false, run: script }),
    task({ name: "ticking", cron: "* * * * *", catchUp: "all", maxCatchUpRuns: 5, run: script }),
    service({ name: "web", instances: 1 + version % 3, restartDelay: 500, run: script }),
    service({ name: "db", startRetries: 2, restartDelay: 500, gracefulStop: 3000 }),
    service({ name: "app", dependsOn: ["db"], restart: "on_failure", run: script }),
  ];
  const left = all.filter(({ name }) => !without.includes(name));
  const isThere = left.some(({ name }) => name === "db");
  return isThere ? left : left.filter(({ name }) => name !== "app");
}

const names = ["queued", "skipping", "replacing", "ticking", "web", "db", "app"];
const name = fc.constantFrom(...names);
type Move =
  | { do: "run" | "start" | "stop" | "restart" | "pause" | "resume"; name: string }
  | { do: "stop run" | "exit" | "delete"; pick: number; code: number }
  | { do: "advance" | "stall" | "jump"; ms: number }
  | { do: "behave"; name: string; ignores: boolean; holdsPipes: boolean; refuses: boolean }
  | { do: "reload"; version: number; without: string[] }
  | { do: "crash"; away: number }
  | { do: "clean stop" };

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("run", "run", "run", "start", "stop", "restart", "pause", "resume"),
      name,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("stop run", "exit", "exit", "delete"),
      pick: fc.nat(20),
      code: fc.constantFrom(0, 1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("advance"),
      ms: fc.constantFrom(0, 1, 500, 2000, 5000, 30_000, 90_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stall"), ms: fc.constantFrom(second, minute) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("jump"), ms: fc.constantFrom(-hour, -minute, minute, hour) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("behave"),
      name,
      ignores: fc.boolean(),
      holdsPipes: fc.boolean(),
      refuses: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("reload"),
      version: fc.nat(3),
      without: fc.subarray(names, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash"), away: fc.constantFrom(0, 5 * minute) }) },
  { weight: 1, arbitrary: fc.constant({ do: "clean stop" }) },
) as fc.Arbitrary<Move>;

/** Does one thing; what the engine refuses with a `Fault` counts as done. */
async function perform(t: TestEngine, move: Move): Promise<void> {
  try {
    switch (move.do) {
      case "run":
        return void t.engine.run(move.name, { trigger: "api" });
      case "start":
        return void t.engine.startUnit(move.name, { trigger: "api" });
      case "stop":
        return void t.engine.stopUnit(move.name);
      case "restart":
        return void t.engine.restartUnit(move.name, { trigger: "api" });
      case "pause":
        return t.engine.pause(move.name);
      case "resume":
        return t.engine.resume(move.name);
      case "stop run":
      case "delete": {
        const runs = t.runs();
        const run = runs[runs.length - 1 - move.pick];
        if (run === undefined) return;
        return move.do === "delete" ? t.engine.deleteRun(run.id) : t.engine.stopRun(run.id);
      }
      case "exit":
        return t.processes.alive()[move.pick]?.exit(move.code);
      case "advance":
        return await t.clock.advance(move.ms);
      case "stall":
        return t.clock.stall(move.ms);
      case "jump":
        return t.clock.jump(move.ms);
      case "behave":
        return t.processes.behave(move.name, {
          holdsPipes: move.holdsPipes,
          ...(move.ignores ? { ignores: ["SIGTERM"] } : {}),
          ...(move.refuses ? { refuses: "not today" } : {}),
        });
      case "reload":
        return await t.reload(units(move.version, move.without));
      case "crash":
        await t.crash(move.away);
        return await t.start();
      case "clean stop":
        await t.stop();
        assert.deepEqual(t.processes.alive(), [], "nothing outlives a clean stop");
        await t.crash(0);
        return await t.start();
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Fault") throw error;
  }
}

/** What must hold at every moment; `ticksOnce`: no tick may have two runs. */
function check(t: TestEngine, ticksOnce: boolean): void {
  const copies = new Map<string, number>();
  for (const { spec } of t.processes.alive()) {
    const isTask = Object.hasOwn(places, spec.name);
    const key = isTask ? spec.name : `${spec.name} ${spec.env.SVC_INSTANCE}`;
    copies.set(key, (copies.get(key) ?? 0) + 1);
    assert.ok(copies.get(key)! <= (places[spec.name] ?? 1), `copies of ${key}`);
    assert.equal(
      t.engine.getRun(spec.runId).status,
      "running",
      "a process that lives has a row that says so",
    );
  }
  const ticks = new Set<string>();
  for (const run of t.runs()) {
    assert.equal(run.endReason !== undefined, run.status === "ended");
    assert.equal(run.endedAt !== undefined, run.status === "ended");
    if (run.trigger !== "cron" || run.retryAttempt > 0) continue;
    const tick = `${run.unit} ${run.createdAt}`;
    assert.ok(!ticksOnce || !ticks.has(tick), `two runs of one tick: ${tick}`);
    ticks.add(tick);
  }
  for (const view of t.engine.views()) {
    if (view.unit.kind !== "task") continue;
    assert.ok(view.active <= places[view.unit.name]!, "places");
    assert.ok(
      view.unit.onOverlap !== "skip" || view.queued <= 1,
      "only a restart waits where nothing queues",
    );
  }
}

/** Each run is told of as created, started, ended: in this order, each at most once. */
function checkEvents(t: TestEngine): void {
  const told = new Map<string, string>();
  for (const event of t.events) {
    if (!("run" in event)) continue;
    const letter = { "run.created": "c", "run.started": "s", "run.completed": "e", "run.failed": "e" }[
      event.type as string
    ];
    told.set(event.run.id, (told.get(event.run.id) ?? "") + (letter ?? ""));
  }
  for (const [id, story] of told) assert.match(story, /^c?s?e?$/, `events of ${id}`);
}

/** Once every process ends by itself, every run that was asked for has its turn and its end. */
async function checkNothingIsStuck(t: TestEngine): Promise<void> {
  for (const name of names) t.processes.behave(name, { exits: 0 });
  for (const process of t.processes.alive()) process.exit(0);
  await t.clock.advance(minute);
  for (const { unit, active, queued } of t.engine.views()) {
    if (unit.kind === "task") assert.deepEqual([active, queued], [0, 0], unit.name);
  }
  assert.ok(!t.runs().some((run) => run.status !== "ended" && Object.hasOwn(places, run.unit)));
}

Deno.test("Engine keeps its promises whatever comes, in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 10, maxLength: 60 }), async (moves) => {
      await using t = await makeEngine({ units: units(0, []) });
      let movedBack = false;
      let ticksOnce = true;
      for (const move of moves) {
        if (move.do === "jump" && move.ms < 0) movedBack = true;
        // A schedule that is put in anew begins at the time that the clock says, even where it has said so before.
        if (move.do === "reload" && movedBack) ticksOnce = false;
        await perform(t, move);
        await settle();
        check(t, ticksOnce);
        checkEvents(t);
      }
      await checkNothingIsStuck(t);
      await t.stop();
      assert.deepEqual(t.processes.alive(), []);
      assert.deepEqual(t.outcomes().filter((outcome) => outcome === "running"), []);
    }),
    { seed: 11, numRuns: 60, endOnFailure: false },
  );
});
