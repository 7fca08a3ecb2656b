/** What a correct import makes of each unit of the corpus. */

import assert from "node:assert/strict";
import { importSystemd } from "../../../../src/importers/import/systemd/import_systemd.ts";
import type { Entry } from "../../../../src/importers/import/imported.ts";
import { corpus, importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importUnits(name: string, ...also: string[]): Outcome {
  return importAs(importSystemd, corpus(`systemd/${name}`), {
    path: `/etc/systemd/system/${name}`,
    also: also.map((other) => ({
      path: `/etc/systemd/system/${other}`,
      text: new TextDecoder().decode(corpus(`systemd/${other}`)),
    })),
  });
}

/** The entry of a line of a file. */
function at({ imported }: Outcome, file: string, line: number): Entry {
  const found = imported.entries.filter((one) => one.file.endsWith(`/${file}`) && one.line === line);
  assert.equal(found.length, 1, `${file}:${line}`);
  return found[0]!;
}

Deno.test("importSystemd() takes a service with all that has a counterpart, and tells of the rest", () => {
  const outcome = importUnits("api.service");
  const api = outcome.services.get("api")!;
  assert.equal(outcome.services.size, 1);
  assert.deepEqual(
    {
      description: api.description,
      restart: api.restart,
      restartDelay: api.restartDelay,
      gracefulStop: api.gracefulStop,
      stopSignal: api.stopSignal,
      exitCodes: api.exitCodes,
      limits: api.limits,
      umask: api.umask,
      user: api.user,
      workingDir: api.workingDir,
      timeout: api.timeout,
      envBase: api.envBase,
    },
    {
      description: "Ticket API (production)",
      restart: "on_failure",
      restartDelay: 2500,
      gracefulStop: 90_000,
      stopSignal: "SIGQUIT",
      exitCodes: [0, 143],
      limits: { memory: 512 * 1024 ** 2, cpu: 1.5, pids: 200 },
      umask: "027",
      user: "ticket:ticket",
      workingDir: "/srv/ticket",
      timeout: 0,
      envBase: "clean",
    },
  );
  const { PATH, ...env } = api.env;
  assert.match(PATH ?? "", /^\/usr\/local\/sbin:/);
  assert.deepEqual(env, {
    LANG: "C.UTF-8",
    GREETING: "good morning",
    QUOTE: 'it is "fine"',
    PORT: "8080",
    DATA: "/srv/ticket/data",
  });
  const lines = api.run.split("\n");
  const reads = lines.findIndex((line) => line.startsWith("read_variables /"));
  assert.deepEqual(lines.slice(reads, reads + 2), [
    "read_variables /etc/ticket/api.env",
    "[ ! -f /etc/default/ticket ] || read_variables /etc/default/ticket",
  ]);
  assert.deepEqual(lines.slice(reads + 3, reads + 5), [
    "/usr/bin/install -d -o ticket /run/ticket",
    "/srv/ticket/bin/migrate --quiet || true",
  ]);
  const last = `set -f\n${lines.at(-1)}`;
  const words = [
    "/srv/ticket/bin/api",
    "--listen",
    "127.0.0.1:80 80",
    "--base",
    "/ticket desk",
    "--pattern",
    "a b",
  ];
  assert.deepEqual(received(last, { env: { PORT: "80 80" } }), words);
  assert.deepEqual(received(last, { env: { PORT: "80 80", EXTRA_ARGS: " -v  * " } }), [...words, "-v", "*"]);
  const notTaken: Record<number, RegExp> = {
    4: /waits for it: postgresql\.service/,
    11: /readiness/,
    27: /signal/,
    28: /stop_signal/,
    31: /exit_codes/,
    33: /started once its process runs/,
    36: /whole group/,
    37: /ulimit/,
    42: /nice/,
    43: /walls it off/,
    46: /health_check/,
    47: /log of its run/,
  };
  for (const [line, why] of Object.entries(notTaken)) {
    const entry = at(outcome, "api.service", Number(line));
    assert.equal(entry.fate.is, "refused");
    assert.match(told(entry), why, `line ${line}`);
  }
  assert.equal(
    at(outcome, "api.service", 43).what,
    "ProtectSystem, PrivateTmp (line 44), NoNewPrivileges (line 45)",
  );
  assert.equal(at(outcome, "api.service", 4).what, "After, Requires (line 6)");
  assert.match(told(at(outcome, "api.service", 17)), /as the account of the unit/);
});

Deno.test("importSystemd() makes the instance of a template that is its default", () => {
  const outcome = importUnits("worker@.service");
  const worker = outcome.services.get("worker-default")!;
  assert.equal(worker.description, "Queue worker for default on app01");
  assert.deepEqual(received(worker.run.split("\n").at(-1)!), [
    "/usr/bin/env",
    "node",
    "/srv/ticket/worker.js",
    "--queue=default",
    "--pid",
    "/run/worker-default.pid",
    "--rate",
    "5%",
  ]);
  const { PATH: _, ...env } = worker.env;
  assert.deepEqual(env, { QUEUE: "default", INSTANCE: "worker@default.service" });
  assert.match(worker.run, /^read_variables \/etc\/ticket\/default\.env$/m);
  assert.match(told(at(outcome, "worker@.service", 1)), /DefaultInstance/);
  assert.match(told(at(outcome, "worker@.service", 8)), /folder is missing/);
});

Deno.test("importSystemd() does not start a daemon that goes to the background", () => {
  const outcome = importUnits("legacy-forking.service");
  const legacy = outcome.services.get("legacy-forking")!;
  assert.deepEqual([legacy.autostart, legacy.restart, legacy.restartDelay, legacy.gracefulStop], [
    false,
    "on_failure",
    42_000,
    300_000,
  ]);
  assert.equal(legacy.description, "Old index server");
  assert.match(legacy.run, /^for file in \/etc\/indexd\.d\/\*\.env; do/m);
  assert.match(told(at(outcome, "legacy-forking.service", 7)), /stay in the foreground/);
  assert.match(told(at(outcome, "legacy-forking.service", 16)), /no exact counterpart/);
});

Deno.test("importSystemd() keeps the steps in front of a container, and which variables are split", () => {
  const outcome = importUnits("container.service");
  const { run, restart, timeout, env, restartDelay } = outcome.services.get("container")!;
  assert.deepEqual([restart, timeout, restartDelay], ["always", 0, 15_000]);
  assert.deepEqual([env["IMAGE"], env["NAME"]], ["registry.example.net/gallery:3", "gallery"]);
  const lines = run.split("\n");
  assert.equal(lines.length, 5);
  assert.deepEqual(lines.slice(1, 4).map((line) => line.endsWith(" || true")), [true, true, true]);
  const values = { NAME: "a b", IMAGE: "an image" };
  const wordsOf = (line: number): string[] =>
    received(`set -f\nexec ${lines[line]!.replace(/ \|\| true$/, "").replace(/^exec /, "")}`, {
      env: values,
    });
  assert.deepEqual(wordsOf(1), ["/usr/bin/docker", "kill", "a", "b"]);
  assert.deepEqual(wordsOf(3), [
    "/bin/sh",
    "-c",
    'docker image ls -q "an image" | grep -q . || docker pull "an image"',
  ]);
  assert.deepEqual(wordsOf(4).slice(1), [
    "run",
    "--rm",
    "--name=a b",
    "-v",
    "/srv/gallery:/data",
    "-p",
    "127.0.0.1:8081:80",
    "an",
    "image",
  ]);
  for (const [line, what] of [[20, /stop_signal/], [21, /behind a service/], [24, /X-/]] as const) {
    assert.match(told(at(outcome, "container.service", line)), what);
  }
  assert.match(told(at(outcome, "container.service", 11)), /kill_strays/);
});

Deno.test("importSystemd() makes a task of each time that cron can say exactly", () => {
  const outcome = importUnits("backup.service", "backup.timer");
  const expected: Record<number, string> = {
    6: "30 2 * * *",
    7: "30 22 * * 1-5",
    8: "0 20 * * 0,6",
    9: "*/15 * * * *",
    10: "0 6,18 * * *",
    11: "15 */4 * * *",
    12: "0 0 * * 1",
    13: "0 0 1 */3 *",
    14: "0 0 1 * *",
    15: "0 4 1 1,7 *",
    17: "15 10 * * 1-5",
    19: "*/20 * * * * *",
    20: "5 10 0 * * 0",
    22: "0 18 * * 6#1",
    25: "0 23 L * *",
    26: "0 12 L-2 * *",
    27: "0 10 * 5 1L",
  };
  const task = (line: number) => outcome.tasks.get(at(outcome, "backup.timer", line).unit ?? "")!;
  for (const [line, cron] of Object.entries(expected)) {
    assert.equal(task(Number(line)).cron, cron, `line ${line}`);
  }
  assert.equal(outcome.tasks.size, Object.keys(expected).length);
  assert.equal(task(17).timezone, "America/New_York");
  const left: Record<number, RegExp> = {
    23: /weekday and day of the month at once/,
    29: /the year "2031"/,
    31: /the year "2027\.\.2029"/,
    33: /systemd refuses it/,
    34: /remark can't stand behind a value, so systemd refuses it/,
    35: /"\*" is no weekday, so systemd refuses it/,
  };
  for (const [line, why] of Object.entries(left)) {
    const entry = at(outcome, "backup.timer", Number(line));
    assert.equal(entry.fate.is, "refused");
    assert.match(told(entry), why, `line ${line}`);
  }
  assert.match(told(at(outcome, "backup.timer", 37)), /jitter/);
  const { catchUp, onOverlap, run, user, env } = outcome.tasks.get("backup")!;
  assert.deepEqual([catchUp, onOverlap, user, env["TARGET"]], [
    "latest",
    "skip",
    "backup",
    "/mnt/store/of the day",
  ]);
  assert.deepEqual(run.split("\n"), [
    "/usr/bin/test -d /mnt/store",
    `/bin/bash -c 'tar czf "$TARGET/srv-$(date +%Y%m%d).tgz" /srv'`,
    "/usr/bin/find /mnt/store -name '*.tgz' -mtime +30 -exec rm '{}' ';' || true",
    "/bin/true",
    "exec /usr/bin/logger -t backup finished",
  ]);
  assert.match(told(at(outcome, "backup.service", 14)), /done-marker/);
});

Deno.test("importSystemd() counts the command that stands behind an empty assignment, and the times of a poll", () => {
  const outcome = importUnits("poll.service", "poll.timer");
  const poll = outcome.tasks.get("poll")!;
  assert.deepEqual(
    [poll.cron, poll.runOnStart, poll.timeout, poll.catchUp],
    ["@every 15m", true, 0, "skip"],
  );
  assert.deepEqual(received(poll.run), [
    "/usr/bin/poller",
    "--once",
    "--state",
    "/var/lib/poller",
    "--cache=",
  ]);
  for (const line of [5, 6, 7]) assert.match(told(at(outcome, "poll.timer", line)), /run_on_start/);
  assert.match(told(at(outcome, "poll.timer", 8)), /@every/);
  assert.match(told(at(outcome, "poll.timer", 9)), /OnUnitActiveSec of line 8 is taken/);
  assert.match(told(at(outcome, "poll.service", 7)), /walls it off/);
});
