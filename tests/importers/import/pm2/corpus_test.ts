/** What a correct import makes of each ecosystem file of the corpus. */

import assert from "node:assert/strict";
import { importPm2 } from "../../../../src/importers/import/pm2/import_pm2.ts";
import type { Service, Task } from "../../../../src/types.ts";
import { corpus, importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importFile(name: string): Outcome {
  return importAs(importPm2, corpus(`pm2/${name}`), {
    path: `/srv/repo/${name}`,
    env: { DATABASE_URL: "postgres://db" },
  });
}

function service({ services }: Outcome, name: string): Service {
  return services.get(name) ?? assert.fail(`no service ${name}`);
}

function task({ tasks }: Outcome, name: string): Task {
  return tasks.get(name) ?? assert.fail(`no task ${name}`);
}

/** What was told of the entry with this text. */
function toldOf({ imported }: Outcome, what: string): string {
  const found = imported.entries.filter((entry) => entry.what === what);
  assert.equal(found.length, 1, what);
  return told(found[0]!);
}

Deno.test("importPm2() takes the apps of a cluster, and tells of what a cluster had", () => {
  const outcome = importFile("web-cluster.config.js");
  assert.equal(outcome.services.size, 2);
  const api = service(outcome, "desk-api");
  assert.deepEqual(received(api.run, { env: { SVC_INSTANCE: "2" } }), [
    "node",
    "--max-old-space-size=512",
    "--enable-source-maps",
    "./dist/server.js",
    "--trust-proxy",
    "--base",
    "/desk app",
  ]);
  assert.deepEqual(api.env, {
    NODE_ENV: "production",
    FORCE_COLOR: "1",
    DEBUG: "false",
    "QUOTED-KEY": `a "quoted" value, with 'both' kinds`,
    TEMPLATE: "${NOT_A_TEMPLATE}",
  });
  assert.match(outcome.text, /TEMPLATE = "\$\$\{NOT_A_TEMPLATE\}"/);
  assert.match(api.run, /^export PORT="\$\(\(3000 \+ SVC_INSTANCE\)\)"$/m);
  assert.deepEqual(
    [
      api.instances,
      api.workingDir,
      api.restart,
      api.startRetries,
      api.healthyAfter,
      api.gracefulStop,
      api.stopSignal,
    ],
    [4, "/srv/desk", "always", 10, 10_000, 5000, "SIGINT"],
  );
  const told = toldOf(outcome, "app desk-api");
  for (
    const part of [
      /instances \(line 10\): 4, by the processors/,
      /no cluster mode: its instances share no port/,
      /increment_var \(line 12\)/,
      /max_memory_restart \(line 19\).*which kills/,
      /wait_ready \(line 26\)/,
      /env_staging \(line 36\)/,
      /error_file \(line 40\), out_file \(line 41\), log_date_format \(line 42\), merge_logs \(line 43\), time \(line 44\)/,
    ]
  ) assert.match(told, part);
  assert.match(toldOf(outcome, "deploy"), /deploys nothing/);

  const worker = service(outcome, "desk-worker");
  assert.deepEqual([worker.user, worker.instances, worker.restart, worker.exitCodes], [
    "desk:desk",
    3,
    "on_failure",
    [0, 42],
  ]);
  assert.equal(worker.gracefulStop, 1600);
  assert.match(worker.run, /^export WORKER_ID="\$SVC_INSTANCE"$/m);
});

Deno.test("importPm2() follows folders, constants and variables without running the file", () => {
  const outcome = importFile("monorepo.config.js");
  assert.equal(outcome.services.size, 7);
  assert.deepEqual(outcome.lines("refused"), []);
  assert.doesNotMatch(outcome.text, /shop-old/);
  const web = service(outcome, "shop-web");
  assert.deepEqual([web.workingDir, received(web.run)], ["/srv/repo/apps/web", ["pnpm", "start"]]);
  assert.deepEqual(web.env, { NODE_ENV: "production", PORT: "3000", NODE_APP_INSTANCE: "0" });
  assert.match(outcome.text, /PORT = "\$\{PORT:-3000\}"/);
  const api = service(outcome, "shop-api");
  assert.deepEqual(received(api.run), ["node", "/srv/repo/apps/api/dist/index.js"]);
  assert.deepEqual(api.env, {
    NODE_ENV: "production",
    DATABASE_URL: "postgres://db",
    LOG: "/srv/repo/log",
    NODE_APP_INSTANCE: "0",
  });
  assert.match(toldOf(outcome, "app shop-api"), /DATABASE_URL must be set/);
  assert.deepEqual(received(service(outcome, "shop-python").run), [
    "/srv/shop/venv/bin/python",
    "-u",
    "-X",
    "dev",
    "main.py",
    "--queue",
    "default",
    "--name",
    "two words",
  ]);
  assert.equal(service(outcome, "shop-python").workingDir, "/srv/repo");
  assert.deepEqual(service(outcome, "shop-python").env, {
    PYTHONUNBUFFERED: "1",
    NODE_APP_INSTANCE: "0",
  });
  const bun = service(outcome, "shop-bun");
  assert.deepEqual([bun.workingDir, received(bun.run)], ["/srv/repo/apps/bun", [
    "bun",
    "run",
    "src/index.ts",
  ]]);
  const shell = service(outcome, "shop-shell");
  assert.deepEqual([shell.restart, received(shell.run)], ["never", ["bash", "./scripts/sync.sh"]]);
  assert.deepEqual(received(service(outcome, "no-name").run), ["node", "./no-name.js"]);
  const cmd = service(outcome, "shop-cmd");
  assert.deepEqual([cmd.run, cmd.shell], ['node -e "setInterval(() => {}, 1000)"', "/bin/bash"]);
});

Deno.test("importPm2() makes tasks of apps that run by the clock alone", () => {
  const outcome = importFile("jobs.config.js");
  assert.deepEqual([...outcome.tasks.keys()].sort(), ["cleanup", "every-second", "report", "wrong-clock"]);
  const report = task(outcome, "report");
  assert.deepEqual([report.cron, report.onOverlap, report.workingDir, report.env], [
    "0 9 * * 1-5",
    "terminate",
    "/srv/jobs",
    { NODE_ENV: "production", NODE_APP_INSTANCE: "0" },
  ]);
  assert.match(toldOf(outcome, "app report"), /starts it once at once/);
  assert.deepEqual(received(task(outcome, "cleanup").run), ["node", "jobs/cleanup.js", "--days=90"]);
  assert.equal(service(outcome, "leaky").restart, "always");
  assert.match(toldOf(outcome, "app leaky"), /cron_restart \(line 22\).*svc restart leaky/);
  assert.equal(task(outcome, "every-second").cron, "*/30 * * * * *");
  assert.match(toldOf(outcome, "app wrong-clock"), /in every second.*was "\* \* \* \* 5,6,0,1" meant/);
  assert.equal(service(outcome, "zero").restart, "never");
  assert.match(toldOf(outcome, "app windows"), /line 45.*Windows/);
});

Deno.test("importPm2() reads JSON with remarks, bare keys and commas at the end", () => {
  const outcome = importFile("apps.json");
  assert.deepEqual([...outcome.services.keys()].sort(), ["echo", "echo-2", "ruby-thing"]);
  const echo = service(outcome, "echo");
  assert.deepEqual([echo.instances, echo.healthyAfter], [4, 5000]);
  assert.match(outcome.text, /"echo" is called "echo-2" here/);
  assert.deepEqual(received(service(outcome, "echo-2").run), ["node", "./second-of-the-same-name.js"]);
  assert.match(toldOf(outcome, "app static-site"), /"serve" is built into pm2/);
  assert.match(toldOf(outcome, "app nothing-to-run"), /nothing to run/);
  const told = toldOf(outcome, "app ruby-thing");
  assert.match(told, /whatch \(line 29\)/);
  assert.match(told, /args \(line 27\) looks like a list/);
  const ruby = service(outcome, "ruby-thing");
  assert.deepEqual([ruby.workingDir, received(ruby.run, { env: { SVC_INSTANCE: "0" } })], [
    "/srv/repo/thing",
    ["ruby", "bin/thing.rb", "['--greet=good", "morning',", "-v", "]"],
  ]);
});

Deno.test("importPm2() names every app that would need running, and takes no part of it", () => {
  const outcome = importFile("dynamic.config.js");
  assert.deepEqual([...outcome.services.keys()], ["flow-plain"]);
  assert.equal(service(outcome, "flow-plain").workingDir, "/srv/flow");
  const refused = outcome.imported.entries.filter(({ fate }) => fate.is === "refused");
  assert.deepEqual(refused.map(({ line, what }) => [line, what]), [
    [1, "require('dotenv').config()"],
    [18, "app flow-api"],
    [19, "app flow-mail"],
    [25, "app flow-${r}"],
    [31, "app flow-dev"],
  ]);
  assert.match(toldOf(outcome, "app flow-api"), /env\.VERSION \(line 9\).*require\('\.\/package\.json'\)/);
  assert.match(toldOf(outcome, "app flow-mail"), /script \(line 22\).*isProd \? 'mail\.js'/);
});
