import assert from "node:assert/strict";
import type { DaemonInfoJson } from "../../src/http/schemas/daemon.ts";
import { nameOf } from "../../ui/views/system/backup.ts";
import { lineOf, nearest, type Sample, summaryOf, withSamples } from "../../ui/views/system/chart_layout.ts";
import { DeedList } from "../../ui/views/system/deeds.tsx";
import { DaemonFacts } from "../../ui/views/system/facts.tsx";
import { Plot, sampleWords } from "../../ui/views/system/load_chart.tsx";
import { renderToString } from "preact-render-to-string";
import { textOf } from "./text.ts";

const noon = Date.parse("2027-01-15T12:00:00Z");
/** A sample, seconds after noon. */
const sample = (seconds: number, cpu: number, mem = 50): Sample => ({
  ts: noon / 1000 + seconds,
  cpu,
  mem,
  mem_total: 8e9,
  mem_used: 4e9,
});
const none = (): void => {};

Deno.test("withSamples() adds what is new, and drops what is too old", () => {
  const known = [sample(0, 1), sample(5, 2)];
  const all = withSamples(known, [sample(5, 2), sample(10, 3)], noon + 5000);
  assert.deepEqual(all.map(({ cpu }) => cpu), [2, 3]);
  assert.deepEqual(withSamples(known, [], noon + 60_000), []);
  const many = Array.from({ length: 13_000 }, (_, n) => sample(n, 1));
  assert.equal(withSamples([], many, noon).length, 12_000);
});

Deno.test("lineOf() keeps peaks, and leaves gaps open", () => {
  const frame = { span: { from: noon, to: noon + 1_000_000 }, width: 100, height: 100 };
  const samples = [sample(0, 10), sample(2, 90), sample(100, 20), sample(500, 30)];
  assert.equal(lineOf(samples, "cpu", frame), "M0 10L10 80M50 70");
});

Deno.test("nearest() finds the sample under the pointer", () => {
  const samples = [sample(0, 1), sample(10, 2), sample(20, 3)];
  assert.equal(nearest(samples, noon - 5000), 0);
  assert.equal(nearest(samples, noon + 12_000), 1);
  assert.equal(nearest(samples, noon + 99_000), 2);
  assert.equal(nearest([], noon), undefined);
});

Deno.test("A chart is told in words, too", () => {
  assert.equal(summaryOf([]), "No samples yet.");
  assert.equal(
    summaryOf([sample(0, 80), sample(5, 20)]),
    "CPU 20 % now, 80 % at most. Memory 50 % now, 50 % at most.",
  );
  assert.equal(
    sampleWords(sample(0, 12.34), "UTC"),
    "Fri 2027-01-15 12:00:00 UTC: CPU 12.3 %, memory 50.0 % (4 GB)",
  );
});

Deno.test("Plot labels both axes", () => {
  const plot = renderToString(
    <Plot
      samples={[sample(0, 10)]}
      span={{ from: noon, to: noon + 3_600_000 }}
      zone="Europe/Berlin"
      width={400}
      chosen={0}
    />,
  );
  const labels = [...plot.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  assert.deepEqual(labels, ["0 %", "50 %", "100 %", "13:00", "13:15", "13:30", "13:45", "14:00"]);
});

Deno.test("nameOf() takes the name of a file, and no path", () => {
  assert.equal(nameOf('attachment; filename="svc-20270115-120000.db"'), "svc-20270115-120000.db");
  assert.equal(nameOf('attachment; filename="../x"'), "svc.db");
  assert.equal(nameOf(null), "svc.db");
});

Deno.test("DaemonFacts tells how the daemon stands", () => {
  const daemon: DaemonInfoJson = {
    version: "1.2.3",
    fingerprint: "abc",
    port: 8420,
    external_url: "",
    cloud_enabled: false,
    scheduling_active: false,
    service_managed: true,
    auth_disabled: false,
    config_stale: true,
    config_loaded_at: "2026-03-01T02:00:00Z",
    resolved_timezone: "Europe/Berlin",
    timezone_source: "config",
    tasks: [],
    capabilities: [{ name: "cgroup", available: true }, { name: "docker", available: false }],
    adopted: 3,
    ended_meanwhile: 1,
  };
  const text = textOf(
    <DaemonFacts daemon={daemon} isStale uptime="2 h 03 m" workDir="/srv" identity={undefined} />,
  ).replace(/2026-03-01 \d\d:00/, "TIME");
  assert.equal(
    text,
    `Version
1.2.3
Up for
2 h 03 m
At its start
it took over 3 runs, 1 had ended meanwhile
Port
8420
Time zone
Europe/Berlin (from the configuration)
Schedules
‖ nothing new is started
Configuration
read TIME ! the file has changed since
Started
as a service of the system
Login
by password
Working folder
/srv
Fingerprint
abc
Can do
✓ cgroup available
– docker not available`,
  );
});

Deno.test("DeedList offers to log out where there is a login", () => {
  const text = (has: boolean) =>
    textOf(<DeedList hasLogin={has} hasMetrics={has} onOpen={none} onLogOut={none} />);
  assert.ok(text(true).includes("[Log out]"));
  assert.ok(!text(false).includes("Log out"));
  assert.ok(text(true).endsWith("[Log of the daemon][The API][Metrics]"));
});
