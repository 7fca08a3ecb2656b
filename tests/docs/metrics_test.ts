import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { needs } from "../support/needs.ts";

const folder = new URL("../../docs/prometheus/", import.meta.url).pathname;

const config = `[daemon]
metrics = true
[tasks.a]
cron = "@hourly"
run = "exit 1"
[services.web]
run = "sleep 300"
[notify]
global_notifiers = ["mail"]
[notifiers.mail]
type = "sendmail"
to = "root@localhost"
path = "/bin/true"
`;

/** Names of metrics that a text speaks of, without what a histogram puts behind them. */
function metricsIn(text: string): Set<string> {
  const names = text.match(/\bsvc_[a-z_]+/g) ?? [];
  return new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
}

Deno.test("docs/metrics.md, the alerts and the dashboard speak of the metrics that there are", async () => {
  const daemon = await startDaemonProcess(config, { env: { SVC_AUTH: "off" } });
  await (await daemon.request("/api/tasks/a/run?wait=true", { method: "POST" })).body?.cancel();
  const text = await (await daemon.request("/metrics")).text();
  await daemon.end();
  const there = metricsIn([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name).join(" "));
  const read = (path: string) => Deno.readTextFile(folder + path);
  assert.deepEqual([...metricsIn(await read("../metrics.md"))].toSorted(), [...there].toSorted());
  for (const path of ["alerts.yml", "grafana.json"]) {
    const unknown = [...metricsIn(await read(path))].filter((name) => !there.has(name));
    assert.deepEqual(unknown, [], path);
  }
  const shown = metricsIn(await read("grafana.json"));
  assert.deepEqual([...there].filter((name) => !shown.has(name)), [], "no panel shows it");
});

Deno.test("promtool accepts the metrics and the alerts, which fire when they should", {
  ignore: !needs.promtool.isThere,
}, async () => {
  const daemon = await startDaemonProcess(config, { env: { SVC_AUTH: "off" } });
  await (await daemon.request("/api/tasks/a/run?wait=true", { method: "POST" })).body?.cancel();
  const text = await (await daemon.request("/metrics")).text();
  await daemon.end();
  assert.deepEqual(await promtool(["check", "metrics"], text), { code: 0, said: "" });
  assert.equal((await promtool(["check", "rules", `${folder}alerts.yml`])).code, 0);
  assert.equal((await promtool(["test", "rules", `${folder}alerts_test.yml`])).code, 0);
});

async function promtool(args: string[], input = ""): Promise<{ code: number; said: string }> {
  const child = new Deno.Command("promtool", { args, stdin: "piped", stdout: "piped", stderr: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}
