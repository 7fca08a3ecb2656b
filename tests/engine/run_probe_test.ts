import assert from "node:assert/strict";
import { type Probe, runProbe } from "../../src/engine/services/run_probe.ts";
import { systemClock } from "../../src/io/clock.ts";
import { systemProcesses } from "../../src/io/process/system.ts";
import { livingCarriers, until } from "../support/machine.ts";
import { run, service } from "../support/units.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Does the work with real processes; `id` is the run that they carry. */
async function withProcesses(
  work: (probe: (script: string, timeout?: number) => Probe, id: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "svc-probe-" });
  const processes = systemProcesses({ noteFolder: folder, key: "probetest" });
  const id = `PROBE${crypto.randomUUID().replaceAll("-", "").toUpperCase()}`;
  const life = { service: service({ name: "web" }), run: run({ id, unit: "web", trigger: "service" }) };
  const probe = (script: string, timeout = 5000): Probe =>
    runProbe({ processes, clock: systemClock, log }, { ...life, check: { run: script, timeout } });
  try {
    await work(probe, id);
  } finally {
    await processes.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("runProbe() asks a real shell", async () => {
  await withProcesses(async (probe) => {
    assert.deepEqual(await probe("true").result, { result: "passed" });
    assert.deepEqual(await probe("echo fine; echo 'no replica' >&2; exit 3").result, {
      result: "failed",
      why: "no replica",
    });
    assert.deepEqual(await probe("exit 3").result, { result: "failed", why: "exit code 3" });
    const missing = await probe("no-such-program-here").result;
    assert.match("why" in missing ? missing.why : "", /^web health check: .*not found/);
  });
});

Deno.test("runProbe() kills a script and its children at the timeout, and when nobody wants to know any more", async () => {
  const gone = (id: string): Promise<void> =>
    until("all of it is gone", async () => !(await livingCarriers()).includes(id));
  await withProcesses(async (probe, id) => {
    const stubborn = "trap '' TERM; sleep 300 & sleep 300; true";
    assert.deepEqual(await probe(stubborn, 300).result, { result: "failed", why: "no answer within 300 ms" });
    await gone(id);
    const cancelled = probe(stubborn);
    await until("it runs", async () => (await livingCarriers()).includes(id));
    cancelled.cancel();
    await cancelled.result;
    await gone(id);
  });
});

Deno.test("runProbe() waits only shortly for a child that holds the pipes of a script that has ended", async () => {
  await withProcesses(async (probe) => {
    assert.deepEqual(await probe("sleep 300 & exit 0").result, { result: "passed" });
  });
});
