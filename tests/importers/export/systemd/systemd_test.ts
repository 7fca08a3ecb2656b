import assert from "node:assert/strict";
import { exportSystemd } from "../../../../src/importers/export/systemd/systemd.ts";
import type { Task } from "../../../../src/types.ts";
import { hour, minute, param, second, service, task } from "../../../support/units.ts";
import { inFolder } from "../../../support/folder.ts";
import { everything, orderOf, saidOf, textIn } from "../everything.ts";
import { assignmentOf, valuesIn, wordsOf } from "./unit_reader.ts";
import { needs } from "../../../support/needs.ts";

Deno.test("exportSystemd() hands each script of a configuration to its shell as it is", () => {
  const { units } = everything();
  const exported = exportSystemd(orderOf(units));
  for (const unit of units) {
    const many = unit.kind === "service" && unit.instances > 1;
    const text = textIn(exported, `${unit.name}${many ? "@" : ""}.service`);
    const [command] = valuesIn(text, "ExecStart");
    assert.deepEqual(wordsOf(command!).slice(0, 5), [unit.shell, "-e", "-c", unit.run, unit.name]);
    const env = Object.fromEntries(
      valuesIn(text, "Environment").filter((value) => !value.includes("SVC_") && !value.startsWith("HOME=%h"))
        .map(assignmentOf),
    );
    for (const [name, value] of Object.entries(unit.env)) assert.equal(env[name], value, name);
  }
  assert.deepEqual(exported.refused, []);
});

Deno.test("exportSystemd() never writes a secret into a unit, and into its own file only when asked", () => {
  const { units } = everything();
  const secrets = units.flatMap((unit) => Object.values(unit.secrets));
  assert.ok(secrets.length > 0);
  for (const withSecrets of [false, true]) {
    for (const { name, text, secret } of exportSystemd(orderOf(units, { withSecrets })).files) {
      const isOwn = name === `backup-db.secrets.env${withSecrets ? "" : ".example"}`;
      assert.equal(secret ?? false, isOwn, name);
      const holds = secrets.some((value) => text.includes(value) || text.includes("abcdef123456"));
      assert.equal(holds, isOwn && withSecrets, name);
    }
  }
});

Deno.test("exportSystemd() lets systemd wait for the end of a stop as long as svc, and kill at once where it does", () => {
  const { files } = exportSystemd(orderOf([
    task({ name: "a", gracefulStop: 0 }),
    task({ name: "b", gracefulStop: 1500, stopSignal: "SIGINT", timeout: hour }),
  ]));
  assert.deepEqual(valuesIn(textIn({ files }, "a.service"), "KillSignal"), ["SIGKILL"]);
  assert.deepEqual(valuesIn(textIn({ files }, "a.service"), "TimeoutStartSec"), ["infinity"]);
  assert.deepEqual(valuesIn(textIn({ files }, "b.service"), "TimeoutStopSec"), ["1.5s"]);
  assert.deepEqual(valuesIn(textIn({ files }, "b.service"), "KillSignal"), ["SIGINT"]);
  assert.deepEqual(valuesIn(textIn({ files }, "b.service"), "TimeoutStartSec"), ["1h"]);
});

Deno.test("exportSystemd() bounds retries in less time than lies between two ticks, or leaves them out", () => {
  const retries = { retryAttempts: 2, retryDelay: minute };
  const { files, notes } = exportSystemd(orderOf([
    task({ name: "hourly", cron: "0 * * * *", jitter: 10 * minute, ...retries }),
    task({ name: "often", cron: "*/2 * * * *", ...retries }),
  ]));
  const hourly = textIn({ files }, "hourly.service");
  assert.deepEqual(valuesIn(hourly, "StartLimitIntervalSec"), ["49m59s"]);
  assert.deepEqual(valuesIn(hourly, "StartLimitBurst"), ["3"]);
  assert.deepEqual(valuesIn(hourly, "Restart"), ["on-failure"]);
  assert.deepEqual(valuesIn(textIn({ files }, "often.service"), "Restart"), []);
  assert.match(saidOf(notes, "often"), /retries are left out/);
});

Deno.test("exportSystemd() turns what is the same in all hours into UTC, where no clock changes", () => {
  const zone = { timezone: "Europe/Berlin" };
  const { files, notes } = exportSystemd(orderOf([
    task({ name: "a", cron: "*/5 * * * *", ...zone }),
    task({ name: "b", cron: "*/5 0-12 * * *", ...zone }),
    task({ name: "c", cron: "30 2 * * *", ...zone }),
    task({ name: "d", cron: "*/30 * * * *", timezone: "Asia/Kolkata" }),
    task({ name: "e", cron: "30 12 * * *", ...zone }),
  ]));
  const lineOf = (name: string) => valuesIn(textIn({ files }, `${name}.timer`), "OnCalendar");
  assert.deepEqual(lineOf("a"), ["*-*-* *:00/5:00 UTC"]);
  assert.deepEqual(lineOf("b"), ["*-*-* 00..12:00/5:00 Europe/Berlin"]);
  assert.deepEqual(lineOf("d"), ["*-*-* *:00,30:00 Asia/Kolkata"]);
  assert.doesNotMatch(saidOf(notes, "a"), /clocks/);
  assert.match(saidOf(notes, "b"), /go back systemd lets an hour pass/);
  assert.match(saidOf(notes, "c"), /go forward systemd leaves its run out/);
  assert.doesNotMatch(saidOf(notes, "d") + saidOf(notes, "e"), /clocks/);
});

Deno.test("exportSystemd() makes a template of a service with instances, and names each of them", () => {
  const units = [
    service({ name: "db", instances: 2 }),
    service({ name: "web", dependsOn: ["db"], startRetries: 3, run: "echo $SVC_INSTANCE" }),
  ];
  const { files, notes } = exportSystemd(orderOf(units));
  assert.match(saidOf(notes, "db"), /enable its 2 instances: db@0.service db@1.service/);
  const web = textIn({ files }, "web.service");
  for (const key of ["After", "Wants"]) assert.deepEqual(valuesIn(web, key), ["db@0.service db@1.service"]);
  assert.deepEqual(valuesIn(web, "Environment"), ["SVC_INSTANCE=0"]);
  assert.deepEqual(valuesIn(web, "StartLimitBurst"), ["4"]);
  assert.deepEqual(valuesIn(textIn({ files }, "db@.service"), "StartLimitIntervalSec"), ["0"]);
  const alone = exportSystemd({ ...orderOf([units[1]!]), all: units });
  assert.match(saidOf(alone.notes, "web"), /depends on db, which this export leaves out/);
});

Deno.test("exportSystemd() gives a compose service a name for its container, and removes it in the end", () => {
  const compose = { file: "/srv/compose.yaml", projectName: "shop", service: "web" };
  const run = 'exec docker compose run --name "svc-$SVC_RUN_ID" web';
  const { files } = exportSystemd(orderOf([service({ name: "shop.web", run, compose })]));
  const text = textIn({ files }, "shop.web.service");
  assert.deepEqual(valuesIn(text, "Environment"), ["SVC_RUN_ID=%N"]);
  assert.deepEqual(valuesIn(text, "ExecStopPost"), ["-/usr/bin/env docker rm --force svc-%N"]);
});

Deno.test("exportSystemd() gives parameters their defaults as words and variables", () => {
  const params = [
    param({ kind: "option", key: "--since", default: "a week ago" }),
    param({ kind: "flag", key: "--dry", default: "true" }),
    param({ kind: "env", key: "TO", default: "$all" }),
    param({ kind: "arg", key: "WHAT", required: true }),
  ];
  const { files, notes } = exportSystemd(orderOf([task({ name: "t", params, secrets: { TO: "hidden" } })]));
  const text = textIn({ files }, "t.service");
  assert.deepEqual(wordsOf(valuesIn(text, "ExecStart")[0]!).slice(5), ["--since", "a week ago", "--dry"]);
  assert.deepEqual(valuesIn(text, "Environment").map(assignmentOf), [["TO", "$all"]]);
  assert.match(saidOf(notes, "t"), /"WHAT" must have a value/);
});

Deno.test({
  name: "exportSystemd() makes units that systemd-analyze finds nothing wrong with",
  ignore: !needs.systemd.isThere,
  fn: async () => {
    const { units } = everything();
    const hard = task({ name: "hard", cron: "5 5 */2 2 MON#2,5L", timeout: second });
    await inFolder(async (folder) => {
      const paths: string[] = [];
      for (const { name, text } of exportSystemd(orderOf([...units, hard])).files) {
        // To this program a colon ends a path; "@." is a template, of which one instance is looked at.
        const path = `${folder}/${name.replace(":", "-colon-").replace("@.", "@1.")}`;
        Deno.writeTextFileSync(path, text);
        if (/\.(?:service|timer)$/.test(name)) paths.push(path);
      }
      assert.ok(paths.length > 15);
      for (const path of paths) {
        const { stderr } = await new Deno.Command("systemd-analyze", {
          args: ["verify", "--man=no", path],
        }).output();
        assert.equal(new TextDecoder().decode(stderr), "", path);
      }
    });
  },
});

Deno.test("exportSystemd() gives a clean environment HOME and the names of the account, which systemd sets with User= alone", () => {
  const environment = (own: Partial<Task>) =>
    valuesIn(textIn(exportSystemd(orderOf([task({ name: "a", ...own })])), "a.service"), "Environment");
  const person = "HOME=%h USER=%u LOGNAME=%u";
  const clean = { envBase: "clean" } as const;
  assert.deepEqual(environment(clean), ["PATH=/usr/bin:/bin", "SHELL=/bin/sh", person]);
  assert.deepEqual(environment({ ...clean, user: "me" }), ["PATH=/usr/bin:/bin", "SHELL=/bin/sh"]);
  // What a unit sets itself comes later, and wins.
  assert.equal(environment({ ...clean, env: { HOME: "/srv" } }).at(-1), "HOME=/srv");
  for (const run of ['"$HOME/bin/x"', "~/bin/x", "cd ~ && x", "echo ${LOGNAME}"]) {
    assert.deepEqual(environment({ run }), [person], run);
  }
  assert.deepEqual(environment({ run: "x ~y a~b" }), []);
});

Deno.test("exportSystemd() tells what holds for many tasks once, with their names", () => {
  const { notes } = exportSystemd(orderOf([
    task({ name: "a", cron: "@daily", onOverlap: "queue" }),
    task({ name: "b", cron: "@daily", onOverlap: "queue" }),
    task({ name: "c", cron: "@daily", onOverlap: "terminate" }),
    task({ name: "d", cron: "@daily", onOverlap: "skip" }),
  ]));
  const lost = notes.filter(({ message }) => /start while it runs is lost/.test(message));
  assert.deepEqual(lost.map(({ unit, message }) => `${unit}: ${message.replace(/^.*\(/, "(")}`), [
    ': (on_overlap = "queue"): a, b',
    'c: (on_overlap = "terminate")',
  ]);
});
