import assert from "node:assert/strict";
import { loadAll, YAML11_SCHEMA } from "js-yaml";
import { Deployment } from "kubernetes-models/apps/v1";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import { ConfigMap, Secret } from "kubernetes-models/v1";
import { exportKubernetes } from "../../../../src/importers/export/kubernetes/kubernetes.ts";
import type { Exported } from "../../../../src/importers/export/exported.ts";
import type { Unit } from "../../../../src/types.ts";
import { inFolder } from "../../../support/folder.ts";
import { check, minute, param, second, service, task } from "../../../support/units.ts";
import { everything, orderOf, saidOf, textIn } from "../everything.ts";

/** A manifest as YAML gives it back: of any shape. */
// deno-lint-ignore no-explicit-any
type Read = any;

const models: Record<string, new (data: Read) => { validate(): void }> = {
  CronJob,
  Job,
  Deployment,
  ConfigMap,
  Secret,
};

function readAll({ files }: Exported): Read[] {
  return files.flatMap(({ text }) => loadAll(text));
}

/** The manifest of a kind of one unit. */
function made(unit: Unit, kind: string): { manifest: Read; said: string; refused: string } {
  const exported = exportKubernetes(orderOf([unit]));
  const manifest = readAll(exported).find((one) => one.kind === kind);
  return { manifest, said: saidOf(exported.notes, unit.name), refused: saidOf(exported.refused, unit.name) };
}

Deno.test("exportKubernetes() makes manifests that the published schemas take, and nothing but what they know", async () => {
  const { units } = everything();
  const manifests = readAll(exportKubernetes(orderOf(units, { withSecrets: true })));
  assert.ok(manifests.length > 20);
  for (const manifest of manifests) {
    const Model = models[manifest.kind];
    assert.ok(Model !== undefined, manifest.kind);
    new Model(manifest).validate();
  }
  // The schemas let unknown members pass; the types that were made of them don't.
  const kinds = [...new Set(manifests.map(({ kind }) => kind))].sort();
  assert.deepEqual(kinds, ["ConfigMap", "CronJob", "Deployment", "Job", "Secret"]);
  await inFolder(async (folder) => {
    const lines = [
      'import type { IDeployment } from "kubernetes-models/apps/v1";',
      'import type { ICronJob, IJob } from "kubernetes-models/batch/v1";',
      'import type { IConfigMap, ISecret } from "kubernetes-models/v1";',
      ...manifests.map((manifest) =>
        `({}) as unknown; ((_: I${manifest.kind}) => {})(${JSON.stringify(manifest)});`
      ),
    ];
    const path = `${folder}/manifests.ts`;
    const config = new URL("../../../../deno.json", import.meta.url).pathname;
    const verdictOf = async (text: string): Promise<string> => {
      Deno.writeTextFileSync(path, text);
      const args = ["check", "--quiet", "--config", config, path];
      const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
      return success ? "" : new TextDecoder().decode(stderr);
    };
    assert.equal(await verdictOf(lines.join("\n")), "");
    const spoilt = lines.join("\n").replace('"periodSeconds"', '"periodSecond"');
    assert.match(await verdictOf(spoilt), /periodSecond/);
  });
});

Deno.test("exportKubernetes() brings scripts, values and words through YAML and Kubernetes' own dollars", () => {
  const { units } = everything();
  const manifests = readAll(exportKubernetes(orderOf(units)));
  for (const unit of units) {
    const map = manifests.find(({ kind, metadata }) =>
      kind === "ConfigMap" && metadata.annotations["svc/origin"].startsWith(`${unit.kind}s.${unit.name} `)
    );
    assert.equal(map.data.run, unit.run);
  }
  // What Kubernetes makes of a value: two dollars are one, and $(NAME) is a variable.
  const expanded = (text: string) =>
    text.replace(/\$(\$|\(\w+\))/g, (all, next) => {
      assert.equal(next, "$", all);
      return "$";
    });
  for (const value of ["$(A)", "$$(A)", "$$", "$$$(B)$", "a$b", "$"]) {
    const unit = task({
      name: "t",
      cron: "@daily",
      run: "  odd\r\n\ttext: \"'\n\n",
      env: { A: value },
      params: [param({ kind: "arg", key: "X", default: value })],
    });
    const exported = readAll(exportKubernetes(orderOf([unit])));
    assert.equal(exported[0].data.run, unit.run);
    const [container] = exported[1].spec.jobTemplate.spec.template.spec.containers;
    assert.equal(expanded(container.env[0].value), value);
    assert.equal(expanded(container.command.at(-1)), value);
  }
});

Deno.test("exportKubernetes() writes YAML that 1.1, which clusters read, takes as 1.2 does", () => {
  const values = ["yes", "on", "n", "0777", "0o7", "1:30", "1_000", "1e3", "~", "2027-01-01", "=", "<<", ""];
  const env = Object.fromEntries([...values.map((value, index) => [`V${index}`, value]), ["on", "1"], [
    "No",
    "2",
  ]]);
  const { files } = exportKubernetes(
    orderOf([task({ name: "t", cron: "@daily", env, secrets: { Y: "0x1F" } })]),
  );
  for (const { text } of files) assert.deepEqual(loadAll(text, { schema: YAML11_SCHEMA }), loadAll(text));
  const [, { spec }]: Read[] = loadAll(files[0]!.text);
  const read = spec.jobTemplate.spec.template.spec.containers[0].env;
  assert.deepEqual(Object.fromEntries(read.map((one: Read) => [one.name, one.value])), env);
});

Deno.test("exportKubernetes() maps overlap, catch-up, retries, timeout and history of tasks", () => {
  const { manifest: { spec } } = made(
    task({
      name: "t",
      cron: "0 3 * * 1-5",
      timezone: "Asia/Tokyo",
      onOverlap: "terminate",
      catchUp: "skip",
      retryAttempts: 3,
      timeout: 90 * second,
      gracefulStop: 1500,
      keepRuns: 7,
      keepFor: 0,
    }),
    "CronJob",
  );
  assert.deepEqual([spec.schedule, spec.timeZone, spec.suspend], ["0 3 * * 1-5", "Asia/Tokyo", false]);
  assert.equal(spec.concurrencyPolicy, "Replace");
  assert.equal(spec.startingDeadlineSeconds, 60);
  assert.deepEqual([spec.successfulJobsHistoryLimit, spec.failedJobsHistoryLimit], [7, 7]);
  const job = spec.jobTemplate.spec;
  assert.equal(job.backoffLimit, 3);
  assert.equal(job.ttlSecondsAfterFinished, undefined);
  assert.equal(job.template.spec.activeDeadlineSeconds, 90);
  assert.equal(job.template.spec.terminationGracePeriodSeconds, 2);
  const policyOf = (own: Parameters<typeof task>[0]) =>
    made(task({ cron: "@daily", ...own }), "CronJob").manifest.spec;
  assert.equal(policyOf({ name: "a", onOverlap: "skip" }).concurrencyPolicy, "Forbid");
  assert.equal(policyOf({ name: "b", onOverlap: "queue" }).concurrencyPolicy, "Forbid");
  assert.equal(policyOf({ name: "c", maxConcurrent: 2 }).concurrencyPolicy, "Allow");
  // No bound to svc, no history to Kubernetes.
  assert.equal(policyOf({ name: "d", keepRuns: 0 }).successfulJobsHistoryLimit, 100);
});

Deno.test("exportKubernetes() suspends what has no schedule that can be said, and refuses in the second case", () => {
  const byRequest = made(task({ name: "t" }), "CronJob");
  assert.equal(byRequest.manifest.spec.suspend, true);
  assert.match(byRequest.said, /kubectl create job t-1 --from=cronjob\/t/);
  assert.equal(byRequest.refused, "");
  const odd = made(task({ name: "t", cron: "0 0 L * *" }), "CronJob");
  assert.equal(odd.manifest.spec.suspend, true);
  assert.match(odd.refused, /its schedule "0 0 L \* \*" can't be said/);
  const compose = { file: "/srv/compose.yaml", projectName: "p", service: "s" };
  const { manifest, refused } = made(service({ name: "s", compose }), "Deployment");
  assert.equal(manifest, undefined);
  assert.match(refused, /compose\.yaml/);
});

Deno.test("exportKubernetes() makes probes of health checks", () => {
  const http = service({
    name: "s",
    instances: 2,
    healthCheck: check({ kind: "http", url: "https://localhost/up?x=1" }, {
      retries: 4,
      startPeriod: minute,
    }),
  });
  const { spec } = made(http, "Deployment").manifest;
  assert.equal(spec.replicas, 2);
  const [container] = spec.template.spec.containers;
  assert.deepEqual(container.livenessProbe, {
    httpGet: { scheme: "HTTPS", port: 443, path: "/up?x=1" },
    periodSeconds: 10,
    timeoutSeconds: 5,
    failureThreshold: 5,
  });
  assert.equal(container.startupProbe.failureThreshold, 11);
  const far = made(
    service({ name: "s", healthCheck: check({ kind: "tcp", host: "db.lan", port: 5432 }) }),
    "Deployment",
  );
  assert.deepEqual(far.manifest.spec.template.spec.containers[0].livenessProbe.tcpSocket, {
    host: "db.lan",
    port: 5432,
  });
  assert.match(far.said, /asks db\.lan/);
  const run = service({ name: "s", healthCheck: check({ kind: "run", run: "test -e $A" }) });
  assert.equal(made(run, "ConfigMap").manifest.data.health, "test -e $A");
  const command =
    made(run, "Deployment").manifest.spec.template.spec.containers[0].readinessProbe.exec.command;
  assert.deepEqual(command, ["/bin/sh", "-e", "/svc/health"]);
});

Deno.test("exportKubernetes() writes the values of secrets only when asked", () => {
  const unit = task({
    name: "t",
    cron: "@daily",
    env: { A: "plain" },
    secrets: { A: "hidden-1", B: "hidden-2" },
  });
  for (const withSecrets of [false, true]) {
    const exported = exportKubernetes(orderOf([unit], { withSecrets }));
    const secret = exported.files.find((file) => file.secret);
    assert.equal(secret?.name, "t.secret.yaml");
    for (const { text } of exported.files) {
      assert.equal(text.includes("hidden-"), withSecrets && text === secret?.text);
    }
    // The secret wins over the plain value of its name.
    assert.ok(!exported.files.some(({ text }) => text.includes("plain")));
  }
});

Deno.test("exportKubernetes() names the image, or leaves a placeholder and says so", () => {
  const unit = service({ name: "s" });
  const imageOf = (exported: Exported) => readAll(exported)[1].spec.template.spec.containers[0].image;
  const open = exportKubernetes(orderOf([unit]));
  assert.equal(imageOf(open), "IMAGE");
  assert.match(saidOf(open.notes, ""), /in place of IMAGE/);
  const named = exportKubernetes(orderOf([unit], { image: "registry/app:1" }));
  assert.equal(imageOf(named), "registry/app:1");
  assert.doesNotMatch(saidOf(named.notes, ""), /IMAGE/);
});

Deno.test("exportKubernetes() keeps times within what the cluster takes, and tells where a check asks", () => {
  const { manifest } = made(task({ name: "t", cron: "0 1 * * *", keepFor: 40_000 * 86_400_000 }), "CronJob");
  assert.equal(manifest.spec.jobTemplate.spec.ttlSecondsAfterFinished, 2 ** 31 - 1);
  const local = check({ kind: "http", url: "http://127.0.0.1:8000/h" });
  assert.match(
    made(service({ name: "s", healthCheck: local }), "Deployment").said,
    /at the address of the pod/,
  );
});

Deno.test("exportKubernetes() knows the number of root, and of nobody else", () => {
  const account = (user: string) => {
    const { files, notes } = exportKubernetes(orderOf([task({ name: "a", user })]));
    const [, context = ""] = /securityContext:\n((?: +runAs\w+: \d+\n)*)/.exec(textIn({ files }, "a.yaml")) ??
      [];
    return [context.replaceAll(/\s+/g, " ").trim(), saidOf(notes, "a")];
  };
  assert.equal(account("root:root")[0], "runAsUser: 0 runAsGroup: 0");
  assert.equal(account("root")[0], "runAsUser: 0");
  assert.equal(account("1000:7")[0], "runAsUser: 1000 runAsGroup: 7");
  assert.match(account("app")[1]!, /accounts are numbers/);
});
