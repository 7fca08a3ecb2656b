import assert from "node:assert/strict";
import { exportNomad } from "../../../../src/importers/export/nomad/nomad.ts";
import type { Unit } from "../../../../src/types.ts";
import { check, hour, minute, param, second, service, task } from "../../../support/units.ts";
import { everything, orderOf, saidOf } from "../everything.ts";

/** A job as JSON gives it back: of any shape. */
// deno-lint-ignore no-explicit-any
type Read = any;

function made(
  unit: Unit,
  own: Parameters<typeof orderOf>[1] = {},
): { job: Read; said: string; refused: string } {
  const { files, notes, refused } = exportNomad(orderOf([unit], own));
  const job = files.length === 0 ? undefined : JSON.parse(files[0]!.text).Job;
  return { job, said: saidOf(notes, unit.name), refused: saidOf(refused, unit.name) };
}

/** What Nomad checks of a restart policy when a job is registered. */
function assertFits({ Attempts, Delay, Interval, Mode }: Read): void {
  assert.ok(["fail", "delay"].includes(Mode));
  assert.ok(Interval >= 5e9, "an interval has 5 s or more");
  assert.ok(Attempts * Delay <= Interval, `${Attempts} times ${Delay} in ${Interval}`);
}

Deno.test("exportNomad() makes jobs with scripts that no template touches, and policies that Nomad takes", () => {
  const { units } = everything();
  const { files } = exportNomad(orderOf(units));
  const jobs = files.filter(({ name }) => name.endsWith(".nomad.json")).map(({ text }) =>
    JSON.parse(text).Job
  );
  assert.equal(jobs.length, units.length);
  for (const [index, job] of jobs.entries()) {
    const [group] = job.TaskGroups;
    const [process] = group.Tasks;
    const [script] = process.Templates;
    assert.equal(script.EmbeddedTmpl, units[index]!.run);
    assert.ok(!script.EmbeddedTmpl.includes(script.LeftDelim));
    assertFits(group.RestartPolicy);
    assert.equal(job.Type, units[index]!.kind === "task" ? "batch" : "service");
    assert.ok(!(job.Periodic && job.ParameterizedJob));
  }
});

Deno.test("exportNomad() maps schedule, overlap, retries and timeout of tasks", () => {
  const { job } = made(task({
    name: "t",
    cron: "30 2 L * *",
    timezone: "Europe/Berlin",
    retryAttempts: 2,
    retryDelay: 10 * second,
    timeout: hour,
    gracefulStop: 1500,
    stopSignal: "SIGINT",
  }));
  assert.deepEqual(job.Periodic, {
    Enabled: true,
    SpecType: "cron",
    Spec: "30 2 L * *",
    ProhibitOverlap: true,
    TimeZone: "Europe/Berlin",
  });
  const [process] = job.TaskGroups[0].Tasks;
  assert.deepEqual(
    [process.Config.command, ...process.Config.args],
    [
      "/bin/sh",
      "-c",
      'cd -- "$0" && exec "$@"',
      "/",
      "/usr/bin/timeout",
      "--signal=INT",
      "--kill-after=1.5s",
      "3600s",
      "/bin/sh",
      "-e",
      "${NOMAD_TASK_DIR}/run",
    ],
  );
  assert.deepEqual([process.KillSignal, process.KillTimeout], ["SIGINT", 1.5e9]);
  assert.deepEqual([process.RestartPolicy.Attempts, process.RestartPolicy.Delay], [2, 10e9]);
  assert.equal(
    made(task({ name: "t", cron: "@daily", maxConcurrent: 2 })).job.Periodic.ProhibitOverlap,
    false,
  );
  const hourly = made(task({ name: "t", cron: "*/5 * * * *", timezone: "Europe/Berlin" })).job.Periodic;
  assert.deepEqual([hourly.Spec, hourly.TimeZone], ["*/5 * * * *", "UTC"]);
  assert.deepEqual(made(task({ name: "t", cron: "@every 90m" })).job.Periodic.Specs, [
    "0 */3 * * *",
    "30 1-22/3 * * *",
  ]);
});

Deno.test("exportNomad() dispatches what has no schedule, and refuses a schedule that can't be said", () => {
  const byRequest = made(task({ name: "t" }));
  assert.deepEqual(byRequest.job.ParameterizedJob, { Payload: "forbidden" });
  assert.equal(byRequest.refused, "");
  assert.match(made(task({ name: "t", cron: "0 0 */2 * 1" })).refused, /can't be said/);
  const compose = { file: "/srv/compose.yaml", projectName: "p", service: "s" };
  assert.equal(made(service({ name: "s", compose })).job, undefined);
});

Deno.test("exportNomad() checks ports of the service itself, and says what else nobody checks", () => {
  const { job } = made(service({
    name: "s",
    startRetries: 3,
    healthCheck: check({ kind: "http", url: "http://127.0.0.1:8000/up" }, { startPeriod: minute }),
  }));
  const [group] = job.TaskGroups;
  assert.deepEqual(group.Networks, [{ ReservedPorts: [{ Label: "check", Value: 8000 }] }]);
  const [one] = group.Services[0].Checks;
  assert.deepEqual([one.Type, one.Path, one.CheckRestart], ["http", "/up", { Limit: 3, Grace: 60e9 }]);
  assertFits(group.RestartPolicy);
  const script = made(service({ name: "s", healthCheck: check({ kind: "run", run: "true" }) }));
  assert.match(script.said, /nothing asks whether it is healthy/);
  assert.equal(script.job.TaskGroups[0].Services, undefined);
});

Deno.test("exportNomad() reads secrets from variables, whose values it writes only when asked", () => {
  const unit = task({ name: "t", secrets: { TOKEN: "hidden" } });
  for (const withSecrets of [false, true]) {
    const { files } = exportNomad(orderOf([unit], { withSecrets }));
    const [job, vars] = files;
    assert.ok(!job!.text.includes("hidden"));
    assert.equal(vars!.secret, true);
    assert.deepEqual(JSON.parse(vars!.text), {
      Path: "nomad/jobs/t",
      Items: { TOKEN: withSecrets ? "hidden" : "CHANGE_ME" },
    });
  }
  assert.match(made(unit).job.TaskGroups[0].Tasks[0].Templates[1].EmbeddedTmpl, /nomadVar "nomad\/jobs\/t"/);
});

Deno.test("exportNomad() runs in containers where an image is named", () => {
  const [process] = made(service({ name: "s" }), { image: "app:1" }).job.TaskGroups[0].Tasks;
  assert.deepEqual([process.Driver, process.Config], ["docker", {
    image: "app:1",
    command: "/bin/sh",
    args: ["-e", "${NOMAD_TASK_DIR}/run"],
    work_dir: "/",
  }]);
});

Deno.test("exportNomad() gives a service that takes long to be healthy the deadlines that Nomad wants", () => {
  const updateOf = (healthyAfter: number): Read =>
    made(service({ name: "s", healthyAfter })).job.TaskGroups[0].Update;
  assert.equal(updateOf(minute).HealthyDeadline, undefined);
  for (const healthyAfter of [5 * minute, 6 * minute, 10 * minute, hour]) {
    const { MinHealthyTime, HealthyDeadline, ProgressDeadline } = updateOf(healthyAfter);
    assert.ok(MinHealthyTime < HealthyDeadline && HealthyDeadline < ProgressDeadline, String(healthyAfter));
  }
});

Deno.test("exportNomad() lets no text of the user be a template in what a driver reads", () => {
  const { job } = made(task({
    name: "t",
    workingDir: "/srv/${a}",
    params: [param({ kind: "option", key: "--p", default: "100%{x} ${a b} $5 %" })],
  }));
  const { args } = job.TaskGroups[0].Tasks[0].Config;
  assert.ok(args.includes("/srv/$${a}"), JSON.stringify(args));
  assert.ok(args.includes("100%%{x} $${a b} $5 %"), JSON.stringify(args));
  assert.ok(args.includes("${NOMAD_TASK_DIR}/run"));
});
