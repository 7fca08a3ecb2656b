/** Templates, their timers, and what starts a unit at all. */

import assert from "node:assert/strict";
import { matchesGlob } from "../../../../src/core/config/glob.ts";
import { importSystemd } from "../../../../src/importers/import/systemd/import_systemd.ts";
import type { SourceFile } from "../../../../src/importers/import/imported.ts";
import { importAs, type Outcome, told } from "../corpus.ts";

/** Imports some files, of which all but those below a folder `.d` or marked are named. */
function importFiles(texts: Record<string, string>, named = Object.keys(texts)): Outcome {
  const files: SourceFile[] = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const [first, ...also] = named.map((name) => files.find(({ path }) => path === name)!);
  return importAs(importSystemd, first!.text, {
    path: first!.path,
    also,
    context: { files: (glob) => files.filter(({ path }) => matchesGlob(path, glob)) },
  });
}

function everything({ imported }: Outcome): string {
  return imported.entries.map((entry) => `${entry.file}:${entry.line} ${entry.what}: ${told(entry)}`).join(
    "\n",
  );
}

/** Name, schedule and script of each task. */
function tasksOf({ tasks }: Outcome): string[][] {
  return [...tasks.values()].map(({ name, cron, run }) => [name, cron ?? "", run]).toSorted();
}

const template = "[Service]\nType=oneshot\nExecStart=/usr/bin/sync-mail %i\n";
const timer = (when: string, install = "WantedBy=timers.target") =>
  `[Timer]\nOnCalendar=${when}\n[Install]\n${install}\n`;

Deno.test("importSystemd() makes a task for each instance of a template that a timer starts", () => {
  const outcome = importFiles({
    "/etc/s/mail@.service": template,
    "/etc/s/mail@home.timer": timer("daily"),
    "/etc/s/mail@work.timer": timer("hourly"),
  });
  assert.deepEqual(tasksOf(outcome), [
    ["mail-home", "0 0 * * *", "exec /usr/bin/sync-mail home"],
    ["mail-work", "0 * * * *", "exec /usr/bin/sync-mail work"],
  ]);
  assert.match(everything(outcome), /mail@work\.timer:2 OnCalendar=hourly: $/m);
});

Deno.test("importSystemd() starts an instance that has a file of its own once, and finds a template beside its timer", () => {
  const own = importFiles({
    "/etc/s/mail@.service": template,
    "/etc/s/mail@home.service": "[Service]\nType=oneshot\nExecStart=/bin/own\n",
    "/etc/s/mail@home.timer": timer("daily"),
    "/etc/s/mail@work.timer": timer("hourly"),
  });
  assert.deepEqual(tasksOf(own), [
    ["mail-home", "0 0 * * *", "exec /bin/own"],
    ["mail-work", "0 * * * *", "exec /usr/bin/sync-mail work"],
  ]);
  const beside = importFiles(
    { "/etc/s/mail@home.timer": timer("daily"), "/etc/s/mail@.service": template },
    ["/etc/s/mail@home.timer"],
  );
  assert.deepEqual(tasksOf(beside), [["mail-home", "0 0 * * *", "exec /usr/bin/sync-mail home"]]);
});

Deno.test("importSystemd() takes the instance that DefaultInstance of a timer names, and the name that stands in Unit", () => {
  const preset = importFiles({
    "/etc/s/mail@.service": template,
    "/etc/s/mail@.timer": timer("daily", "WantedBy=timers.target\nDefaultInstance=work"),
  });
  assert.deepEqual(tasksOf(preset), [["mail-work", "0 0 * * *", "exec /usr/bin/sync-mail work"]]);
  const named = importFiles({
    "/etc/s/mail@.service": template,
    "/etc/s/night@red.timer": `[Timer]\nOnCalendar=daily\nUnit=mail@%i.service\n`,
  });
  assert.deepEqual(tasksOf(named), [["mail-red", "0 0 * * *", "exec /usr/bin/sync-mail red"]]);
});

Deno.test("importSystemd() gives a template of a timer to the instances of its service, or tells of both", () => {
  const known = importFiles({ "/etc/s/mail@blue.service": template, "/etc/s/mail@.timer": timer("daily") });
  assert.deepEqual(tasksOf(known), [["mail-blue", "0 0 * * *", "exec /usr/bin/sync-mail blue"]]);
  const open = importFiles({ "/etc/s/mail@.service": template, "/etc/s/mail@.timer": timer("daily") });
  assert.equal(open.imported.units.length, 0);
  assert.match(everything(open), /mail@\.service: .*its timer mail@\.timer: copy both .*mail@blue\.timer/);
  assert.match(everything(open), /mail@\.timer: it is a template without an instance, so none of its times/);
});

Deno.test("importSystemd() lays drop-ins over the instance that they are for", () => {
  const outcome = importFiles({
    "/etc/s/mail@.service": template,
    "/etc/s/mail@home.timer": timer("daily"),
    "/etc/s/mail@work.timer": timer("daily"),
    "/etc/s/mail@work.service.d/x.conf": "[Service]\nUser=me\n",
  }, ["/etc/s/mail@.service", "/etc/s/mail@home.timer", "/etc/s/mail@work.timer"]);
  assert.deepEqual(
    [outcome.tasks.get("mail-home")?.user, outcome.tasks.get("mail-work")?.user],
    [undefined, "me"],
  );
});

Deno.test("importSystemd() takes a timer of one name once", () => {
  const outcome = importFiles({
    "/etc/s/a.service": template,
    "/etc/s/a.timer": timer("daily"),
    "/usr/s/a.timer": timer("hourly"),
  });
  assert.equal(outcome.tasks.size, 1);
  assert.match(
    everything(outcome),
    /\/usr\/s\/a\.timer:1 a\.timer: a a\.timer stands among the files already/,
  );
});

Deno.test("importSystemd() tells what a timer waits for, and of one that nothing starts", () => {
  const outcome = importFiles({
    "/etc/s/a.service": template,
    "/etc/s/a.timer":
      "[Unit]\nAfter=network-online.target vpn.service\nRequires=vpn.service\n[Timer]\nOnCalendar=daily\n",
  });
  assert.match(
    everything(outcome),
    /a\.timer:2 After, Requires \(line 3\): a schedule of svc waits for nothing/,
  );
  assert.match(everything(outcome), /a\.service:1 .*a\.timer has no \[Install\]/);
  assert.equal(outcome.tasks.get("a")?.cron, "0 0 * * *");
});

Deno.test("importSystemd() leaves to a start by hand what systemd does not start at boot", () => {
  const outcome = importFiles({
    "/etc/s/static.service": "[Service]\nExecStart=/srv/x\n",
    "/etc/s/alias.service": "[Service]\nExecStart=/srv/x\n[Install]\nAlias=other.service\n",
    "/etc/s/sleep.service": "[Service]\nExecStart=/srv/x\n[Install]\nWantedBy=sleep.target\n",
    "/etc/s/lock.service": "[Service]\nType=oneshot\nExecStart=/srv/x\n[Install]\nWantedBy=suspend.target\n",
    "/etc/s/web.service":
      "[Unit]\nWants=helper.service\n[Service]\nExecStart=/srv/x\n[Install]\nRequiredBy=x.target\n",
    "/etc/s/helper.service": "[Unit]\nAfter=static.service\n[Service]\nExecStart=/srv/x\n",
  });
  const starts = Object.fromEntries([...outcome.services].map(([name, { autostart }]) => [name, autostart]));
  assert.deepEqual(starts, { static: false, alias: false, sleep: false, web: true, helper: true });
  assert.equal(outcome.tasks.get("lock")?.runOnStart, false);
  // It would wait for ever.
  assert.deepEqual(outcome.services.get("helper")?.dependsOn, []);
  const account = everything(outcome);
  assert.match(account, /static\.service:1 .*autostart = false/);
  assert.match(account, /sleep\.service:1 .*sleep\.target has no counterpart.*autostart = false/);
  assert.match(account, /lock\.service:1 .*for suspend\.target/);
  assert.doesNotMatch(account, /helper\.service:1 .*autostart/);
});

Deno.test("importSystemd() tells where a unit has systemd start another that is imported", () => {
  const outcome = importFiles({
    "/etc/s/start.service": "[Service]\nType=oneshot\nExecStart=/usr/bin/systemctl start collector.service\n",
    "/etc/s/again.service":
      "[Service]\nExecStart=/bin/sh -c 'sleep 9; systemctl --no-block restart collector nginx'\n",
    "/etc/s/collector.service": "[Service]\nExecStart=/srv/c\n",
    "/etc/s/other.service": "[Service]\nType=oneshot\nExecStart=/usr/bin/systemctl restart nginx\n",
  });
  const account = everything(outcome);
  assert.match(account, /start\.service:1 [^]*"systemctl start collector\.service".*"svc start collector"/);
  assert.match(account, /again\.service:1 [^]*"systemctl restart collector".*"svc restart collector"/);
  assert.doesNotMatch(account, /nginx"/);
});
