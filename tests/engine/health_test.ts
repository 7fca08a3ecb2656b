import assert from "node:assert/strict";
import type { ProbeResult } from "../../src/core/health_check.ts";
import { settle } from "../support/fake_clock.ts";
import type { FakeProcess } from "../support/fake_processes.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { check, minute, second, service } from "../support/units.ts";
import type { HealthCheck, Service } from "../../src/types.ts";

const passed: ProbeResult = { result: "passed" };
const failed: ProbeResult = { result: "failed", why: "status 503" };
const unknown: ProbeResult = { result: "unknown", why: "no worker" };
const url = "http://localhost:80/up";

/** A service with a check by http that is made every second. */
function web(own: Partial<Service> = {}, ownCheck: Partial<HealthCheck> = {}): Service {
  const healthCheck = check({ kind: "http", url }, { interval: second, retries: 2, ...ownCheck });
  return service({ name: "web", gracefulStop: 1000, healthCheck, ...own });
}

/** A service with a check by script that is made every second. */
function scripted(own: Partial<Service> = {}, ownCheck: Partial<HealthCheck> = {}): Service {
  return web({
    ...own,
    healthCheck: check({ kind: "run", run: "is-up" }, { interval: second, ...ownCheck }),
  });
}

function state(t: TestEngine, name = "web"): string {
  return t.engine.view(name).service!.state;
}

/** Processes of the check of "web" that are under way. */
function probes(t: TestEngine): FakeProcess[] {
  return t.processes.alive("web health check");
}

/** Lines of a run's log that name its health. */
function healthLines(t: TestEngine, nth = 0): string[] {
  return t.logLines(t.runs("web")[nth]!).filter((line) => line.includes("unhealthy"));
}

Deno.test("HealthWatch makes an instance healthy at the first pass, soon after its start, whatever healthy_after says", async () => {
  await using t = await makeEngine({ units: [web({ healthyAfter: minute }, { interval: 30 * second })] });
  assert.deepEqual(t.net.asked, []);
  await t.clock.advance(100);
  assert.deepEqual(t.net.asked, [url]);
  assert.equal(state(t), "starting");
  await t.clock.advance(5 * minute);
  assert.notEqual(state(t), "running", "healthy_after alone makes nobody healthy");
  await t.stop();
  await t.start();
  t.net.answer(url, passed);
  await t.clock.advance(100);
  assert.equal(state(t), "running");
  await t.clock.advance(90 * second);
  assert.equal(t.net.asked.length, 4, "once it is healthy, every interval");
});

Deno.test("HealthWatch stops an instance after retries + 1 failures in a row, and the restart policy goes on", async () => {
  await using t = await makeEngine({ units: [web({ restartDelay: 2000 })] });
  t.net.answer(url, passed);
  await t.clock.advance(10 * second);
  t.net.answer(url, failed);
  await t.clock.advance(2000);
  assert.equal(state(t), "running");
  await t.clock.advance(200);
  assert.deepEqual(t.outcomes("web"), ["unhealthy"]);
  const [run] = t.runs("web");
  assert.equal(run!.isFailure, true);
  assert.equal(run!.exitCode, 143, "what its process really gave");
  assert.equal(run!.error, "its health check failed: status 503 (3 failures in a row)");
  assert.equal(state(t), "unhealthy");
  assert.deepEqual(healthLines(t), [
    "[unhealthy: status 503 (3 failures in a row)]",
    "[unhealthy: SIGTERM sent]",
  ]);
  const asked = t.net.asked.length;
  await t.clock.advance(1800);
  assert.equal(t.net.asked.length, asked, "nobody asks for what is down");
  await t.clock.advance(200);
  assert.deepEqual(t.outcomes("web"), ["unhealthy", "running"]);
  assert.equal(state(t), "unhealthy", "until it passes");
  t.net.answer(url, passed);
  await t.clock.advance(second);
  assert.equal(state(t), "running");
});

Deno.test("HealthWatch forgives failures inside start_period", async () => {
  await using t = await makeEngine({ units: [web({}, { startPeriod: 20 * second, retries: 0 })] });
  await t.clock.advance(19 * second);
  assert.equal(state(t), "starting");
  await t.clock.advance(2 * second);
  assert.equal(t.outcomes("web")[0], "unhealthy");
});

Deno.test("HealthWatch leaves a healthy instance alone while its health can't be found out, and says so once", async () => {
  await using t = await makeEngine({ units: [web()] });
  t.net.answer(url, passed);
  await t.clock.advance(second);
  t.net.answer(url, unknown);
  await t.clock.advance(5 * minute);
  assert.equal(state(t), "running");
  assert.equal(t.said.filter((line) => line.includes("can't be checked")).length, 1);
});

Deno.test("HealthWatch asks of each instance by itself, and never twice at once", async () => {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  await using t = await makeEngine({ units: [web({ instances: 2 })] });
  t.net.answer(url, promise);
  await t.clock.advance(minute);
  assert.equal(t.net.asked.length, 2);
  t.net.answer(url, failed);
  resolve(passed);
  await settle();
  assert.equal(t.engine.view("web").service!.healthyInstances, 2);
});

Deno.test("HealthWatch tells nothing of a life that is over: a late answer is nobody's", async () => {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  await using t = await makeEngine({ units: [web({ restartDelay: 0 }, { retries: 0, interval: 100 })] });
  t.net.answer(url, promise);
  await t.clock.advance(100);
  t.net.answer(url, passed);
  t.processes.only("web").exit(1);
  await t.clock.advance(second);
  assert.equal(state(t), "running");
  resolve(failed);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("web"), ["failed", "running"]);
});

Deno.test("Services holds a service back until a dependency is healthy by its check", async () => {
  await using t = await makeEngine({ units: [web(), service({ name: "app", dependsOn: ["web"] })] });
  t.net.answer(url, unknown);
  await t.clock.advance(20 * second);
  assert.equal(state(t, "app"), "waiting");
  t.net.answer(url, passed);
  await t.clock.advance(second);
  assert.equal(state(t, "app"), "starting");
});

Deno.test("runProbe() runs the script as the instance runs", async () => {
  const own = {
    env: { A: "1" },
    secrets: { B: "2" },
    umask: "027",
    user: "www-data",
    workingDir: "/srv",
    shell: "bash",
  };
  await using t = await makeEngine({ units: [scripted({ ...own, instances: 2 })] });
  await t.clock.advance(100);
  assert.equal(probes(t).length, 2);
  const { script: _s, name: _n, ...instance } = t.processes.alive("web")[1]!.spec;
  const { script, name, ...probe } = probes(t)[1]!.spec;
  assert.deepEqual(probe, instance);
  assert.equal(probe.env.SVC_INSTANCE, "1");
  assert.equal(probe.env.SVC_RUN_ID, t.runs("web")[1]!.id);
  assert.deepEqual([script, name], ["is-up", "web health check"]);
});

Deno.test("runProbe() passes with exit code 0; the last line of a failure is its reason", async () => {
  await using t = await makeEngine({ units: [scripted({}, { retries: 0 })] });
  await t.clock.advance(100);
  probes(t)[0]!.print("all is bad\n");
  probes(t)[0]!.exit(0);
  await settle();
  assert.equal(state(t), "running");
  await t.clock.advance(second);
  probes(t)[0]!.print("looking\n");
  probes(t)[0]!.print("no replica\n", "stderr");
  probes(t)[0]!.exit(1);
  await settle();
  assert.deepEqual(t.outcomes("web"), ["unhealthy"]);
  assert.equal(healthLines(t)[0], "[unhealthy: no replica]");
});

Deno.test("runProbe() kills a script with its group at the timeout, and doesn't wait for who holds its pipes", async () => {
  await using t = await makeEngine({
    units: [scripted({}, { retries: 0, timeout: 3000 })],
    before: (it) => it.processes.behave("web health check", { ignores: ["SIGTERM"], holdsPipes: true }),
  });
  await t.clock.advance(3000);
  const [probe] = probes(t);
  assert.deepEqual(probe!.signals, []);
  await t.clock.advance(100);
  assert.deepEqual(probe!.signals, ["SIGKILL"]);
  assert.equal(probe!.isAlive, false);
  await t.clock.advance(10 * second);
  assert.equal(t.outcomes("web")[0], "unhealthy");
  assert.equal(healthLines(t)[0], "[unhealthy: no answer within 3.0 s]");
});

Deno.test("runProbe() ends with the instance, and with the daemon", async () => {
  await using t = await makeEngine({ units: [scripted()] });
  await t.clock.advance(100);
  const [first] = probes(t);
  t.engine.restartUnit("web", { trigger: "api" });
  await settle();
  assert.deepEqual(first!.signals, ["SIGKILL"]);
  await t.clock.advance(100);
  const [second] = probes(t);
  assert.notEqual(second, first);
  await t.stop();
  assert.deepEqual(second!.signals, ["SIGKILL"]);
  assert.equal(t.processes.alive().length, 0);
  assert.deepEqual(t.outcomes("web"), ["stopped", "daemon_stopped"]);
});

Deno.test("runProbe() takes it for no fault of the service that its script can't be started", async () => {
  await using t = await makeEngine({ units: [scripted({}, { retries: 0 })] });
  await t.clock.advance(100);
  probes(t)[0]!.exit(0);
  await settle();
  t.processes.behave("web health check", { breaks: "no more processes" });
  await t.clock.advance(minute);
  assert.equal(state(t), "running");
  t.processes.behave("web health check", { refuses: "no such folder" });
  await t.clock.advance(second);
  assert.equal(t.outcomes("web")[0], "unhealthy");
});

Deno.test("Engine.reload() lets live instances go on under a changed health check, without a restart", async () => {
  await using t = await makeEngine({ units: [web({ instances: 2 })] });
  t.net.answer(url, passed);
  await t.clock.advance(10 * second);
  const other = check({ kind: "tcp", host: "localhost", port: 9 }, { interval: second, retries: 0 });
  t.net.answer("localhost:9", passed);
  await t.reload([web({ instances: 2, healthCheck: other })]);
  assert.deepEqual(t.net.allowed, ["localhost:80", "localhost:9"]);
  const before = t.net.asked.length;
  await t.clock.advance(10 * second);
  assert.deepEqual(new Set(t.net.asked.slice(before)), new Set(["localhost:9"]));
  assert.equal(state(t), "running");
  assert.equal(t.processes.count("web"), 2);
  t.net.answer("localhost:9", failed);
  await t.clock.advance(second);
  assert.deepEqual(t.outcomes("web").slice(0, 2), ["unhealthy", "unhealthy"]);
});

Deno.test("Engine.reload() that leaves a health check as it is leaves its count of failures too", async () => {
  await using t = await makeEngine({ units: [web({}, { interval: 10 * second, retries: 1 })] });
  t.net.answer(url, passed);
  await t.clock.advance(second);
  t.net.answer(url, failed);
  await t.clock.advance(10 * second);
  await t.reload([web({ description: "x" }, { interval: 10 * second, retries: 1 })]);
  await t.clock.advance(10 * second);
  assert.equal(t.outcomes("web")[0], "unhealthy");
});

Deno.test("Engine.reload() judges a starting instance by healthy_after once its check is gone, and by the check once one came", async () => {
  await using t = await makeEngine({ units: [web({}, { startPeriod: minute })] });
  await t.clock.advance(10 * second);
  assert.equal(state(t), "starting");
  const { healthCheck: _, ...bare } = web();
  await t.reload([bare]);
  await t.clock.advance(4999);
  assert.equal(state(t), "starting");
  await t.clock.advance(1);
  assert.equal(state(t), "running");
  const asked = t.net.asked.length;
  await t.clock.advance(minute);
  assert.equal(t.net.asked.length, asked);
  t.engine.restartUnit("web", { trigger: "api" });
  await settle();
  await t.reload([web({}, { startPeriod: minute })]);
  await t.clock.advance(30 * second);
  assert.equal(state(t), "starting", "healthy_after counts no more");
  assert.equal(t.processes.count("web"), 2);
});

Deno.test("Engine.reload() leaves instances that are to be recycled their old check until they are", async () => {
  await using t = await makeEngine({ units: [web({ instances: 2, run: "old" })] });
  t.net.answer(url, passed);
  await t.clock.advance(10 * second);
  const fresh = check({ kind: "tcp", host: "localhost", port: 9 }, { interval: second, retries: 0 });
  // Nobody listens there yet: an old instance would fail the new check at once.
  await t.reload([web({ instances: 2, run: "new", healthCheck: fresh, restartDelay: minute })]);
  await t.clock.advance(20 * second);
  assert.deepEqual(t.processes.alive("web").map(({ spec }) => spec.script), ["old"]);
  t.net.answer("localhost:9", passed);
  await t.clock.advance(3 * minute);
  assert.deepEqual(t.processes.alive("web").map(({ spec }) => spec.script), ["new", "new"]);
  assert.equal(state(t), "running");
});

Deno.test("Engine.reload() refuses the first check that needs the network, but none where it is there", async () => {
  await using t = await makeEngine({ units: [scripted()] });
  t.config = { ...t.config, units: [web({ name: "a" }), scripted()] };
  await assert.rejects(
    () => t.engine.reload({ dryRun: true }),
    (error: { code: string; details: unknown }) => {
      assert.equal(error.code, "invalid");
      assert.deepEqual(error.details, [
        { location: "services.a.health_check.http", message: "takes effect only with a restart" },
      ]);
      return true;
    },
  );
  assert.deepEqual(t.engine.views().map(({ unit }) => unit.name), ["web"]);
  await using u = await makeEngine({ units: [web()] });
  await u.reload([scripted()]);
  assert.deepEqual(u.net.allowed, ["localhost:80"], "until the next reload");
  await u.reload([scripted({ description: "x" })]);
  assert.deepEqual(u.net.allowed, []);
  await u.reload([web()]);
  assert.deepEqual(u.net.allowed, ["localhost:80"]);
});
