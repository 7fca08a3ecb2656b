import assert from "node:assert/strict";
import fc from "fast-check";
import type { ProbeResult } from "../../src/core/health_check.ts";
import type { HealthCheck, Service } from "../../src/types.ts";
import { settle } from "../support/fake_clock.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { check, minute, service } from "../support/units.ts";

const url = "http://localhost:80/up";
const results: Record<string, ProbeResult> = {
  passed: { result: "passed" },
  failed: { result: "failed", why: "status 503" },
  unknown: { result: "unknown", why: "no worker" },
};

type Move =
  | { do: "start" | "stop" | "restart" | "refuse" | "allow" }
  | { do: "exit" | "stop run"; pick: number }
  | { do: "answer"; result: string }
  | { do: "probe ends"; pick: number; code: number }
  | { do: "advance"; ms: number }
  | { do: "reload"; version: number; kind: string; instances: number };

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constantFrom("start", "stop", "restart", "refuse", "allow") }),
  fc.record({ do: fc.constantFrom("exit", "stop run"), pick: fc.nat(5) }),
  fc.record({ do: fc.constant("answer"), result: fc.constantFrom("passed", "failed", "unknown") }),
  fc.record({ do: fc.constant("probe ends"), pick: fc.nat(5), code: fc.constantFrom(0, 1) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("advance"), ms: fc.constantFrom(0, 1, 100, 1500, 7000, 70_000) }),
  },
  fc.record({
    do: fc.constant("reload"),
    version: fc.nat(1),
    kind: fc.constantFrom("none", "http", "run"),
    instances: fc.integer({ min: 1, max: 3 }),
  }),
);

function web({ version, kind, instances }: { version: number; kind: string; instances: number }): Service {
  const probe: HealthCheck["probe"] = kind === "http" ? { kind: "http", url } : { kind: "run", run: "is-up" };
  const healthCheck = check(probe, { interval: 500, timeout: 3000, retries: 1 });
  const base = { name: "web", run: `v${version}`, instances, gracefulStop: 2000, restartDelay: 500 };
  return service(kind === "none" ? base : { ...base, healthCheck });
}

/** Makes the database refuse starts and ends of runs; the result ends it. */
function refuse({ store: { runs } }: TestEngine): () => void {
  const { insert, update } = runs;
  runs.insert = runs.update = () => {
    throw new Error("disk I/O error");
  };
  return () => void Object.assign(runs, { insert, update });
}

function mustHold(t: TestEngine): void {
  const seen = new Set<string>();
  for (const { spec } of t.processes.alive("web")) {
    const slot = spec.env.SVC_INSTANCE!;
    assert.ok(!seen.has(slot), `two processes of instance ${slot}`);
    seen.add(slot);
  }
  const lives = new Set(t.processes.alive("web").map(({ spec }) => spec.runId));
  const probed = t.processes.alive("web health check").map(({ spec }) => spec.runId);
  assert.equal(new Set(probed).size, probed.length, "two probes of one life");
  for (const id of probed) assert.ok(lives.has(id), "a probe of a life that is over");
}

Deno.test("Services keeps one process and one probe for each instance, whatever comes in whatever order", async () => {
  const sequence = fc.array(anyMove, { minLength: 10, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sequence, fc.boolean(), async (moves, isStubborn) => {
      const first = { version: 0, kind: "http", instances: 2 };
      await using t = await makeEngine({
        units: [web(first)],
        before: (it) => it.processes.behave("web", { ignores: isStubborn ? ["SIGTERM"] : [] }),
      });
      let allow = (): void => {};
      for (const move of moves) {
        const alive = t.processes.alive("web");
        switch (move.do) {
          case "start":
            t.engine.startUnit("web", { trigger: "api" });
            break;
          case "stop":
            void t.engine.stopUnit("web");
            break;
          case "restart":
            t.engine.restartUnit("web", { trigger: "api" });
            break;
          case "refuse":
            allow();
            allow = refuse(t);
            break;
          case "allow":
            allow();
            break;
          case "exit":
            alive[move.pick % Math.max(1, alive.length)]?.exit(1);
            break;
          case "stop run": {
            const active = t.runs("web").filter(({ status }) => status !== "ended");
            const run = active[move.pick % Math.max(1, active.length)];
            if (run !== undefined) t.engine.stopRun(run.id);
            break;
          }
          case "answer":
            t.net.answer(url, results[move.result]!);
            break;
          case "probe ends": {
            const probes = t.processes.alive("web health check");
            probes[move.pick % Math.max(1, probes.length)]?.exit(move.code);
            break;
          }
          case "advance":
            await t.clock.advance(move.ms);
            break;
          case "reload":
            await t.reload([web(move)]);
        }
        await settle();
        mustHold(t);
      }
      allow();
      const last = { version: 0, kind: "none", instances: 2 };
      await t.reload([web(last)]);
      t.engine.startUnit("web", { trigger: "api" });
      await t.clock.advance(5 * minute);
      mustHold(t);
      assert.equal(t.engine.view("web").service!.state, "running", "it comes up in the end");
      assert.deepEqual(t.processes.alive("web").map(({ spec }) => spec.script), ["v0", "v0"]);
      const open = t.runs("web").filter(({ status }) => status !== "ended");
      assert.equal(open.length, 2, "every other row has ended");
      await t.stop();
      assert.equal(t.processes.alive().length, 0);
      assert.ok(t.runs("web").every(({ status }) => status === "ended"));
    }),
    { seed: 1, numRuns: 60 },
  );
});
