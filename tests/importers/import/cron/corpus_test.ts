/** What a correct import makes of each crontab of the corpus, line by line. */

import assert from "node:assert/strict";
import { importCron } from "../../../../src/importers/import/cron/import_cron.ts";
import type { Entry } from "../../../../src/importers/import/imported.ts";
import { corpus, importAs, type Outcome, told } from "../corpus.ts";

function importTable(name: string, options: { system?: boolean } = {}): Outcome {
  return importAs(importCron, corpus(`cron/${name}.crontab`), {
    path: `/srv/${name}.crontab`,
    context: { system: options.system ?? false },
  });
}

/** The text of a line of the corpus, without its time fields. */
function commandAt(name: string, line: number): string {
  const text = new TextDecoder().decode(corpus(`cron/${name}.crontab`)).split("\n")[line - 1] ?? "";
  return text.replace(/^\s*(?:@\S+|(?:\S+\s+){4}\S+)[ \t]+/, "").replace(/\r$/, "");
}

const isSetting = ({ what }: Entry): boolean => what.endsWith("=");
const isJob = (entry: Entry): boolean => !isSetting(entry);

Deno.test("importCron() takes a user's table with its settings and remarks", () => {
  const { tasks, task, at, lines, text } = importTable("user-plain");
  assert.equal(tasks.size, 10);
  assert.deepEqual(lines("refused"), []);
  assert.match(told(at(11)), /svc mails no output/);
  assert.equal(task(18).description, "Fetch the price lists of all suppliers");
  assert.equal(task(22).description, "Rebuild the search index (wants the price lists first)");
  assert.equal(task(25).description, "Morning and evening report");
  assert.equal(task(31).description, "");
  assert.notEqual(task(25).name, task(26).name);
  assert.deepEqual([task(25).cron, task(26).cron], ["30 6 * * *", "0 19 * * *"]);
  assert.deepEqual([task(33).cron, task(34).cron], ["@hourly", "@daily"]);
  assert.deepEqual([task(35).cron, task(35).runOnStart], [undefined, true]);
  assert.equal(task(33).run, "~/bin/dyndns-update");
  assert.equal(task(34).run, "$HOME/.local/bin/sync-notes");
  assert.equal(task(36).killStrays, false);
  assert.match(told(at(36)), /background/);
  for (const one of tasks.values()) {
    assert.equal(one.shell, "/bin/bash");
    assert.equal(one.workingDir, "~");
    assert.deepEqual(one.env, { PATH: "/opt/tools/bin:/usr/local/bin:/usr/bin:/bin" });
  }
  assert.doesNotMatch(text, /legacy-push|mail-summary|wipe/);
});

Deno.test("importCron() ends a command at its first bare percent sign, and hands the rest to its standard input", () => {
  const { task, at, lines, tasks } = importTable("percent");
  assert.equal(tasks.size, 16);
  assert.deepEqual(lines("refused"), [29]);
  for (const line of [2, 3, 13, 17, 23, 25, 27]) {
    assert.equal(task(line).run, commandAt("percent", line).replaceAll("\\%", "%"), `line ${line}`);
    assert.doesNotMatch(told(at(line)), /%/);
  }
  for (const line of [5, 6, 8, 10, 11, 14, 16, 19, 21]) {
    assert.match(told(at(line)), /first bare "%"/, `line ${line}`);
  }
  for (const line of [5, 6, 14]) assert.match(told(at(line)), /no whole shell command, and it fails in cron/);
  assert.equal(task(5).run, "tar czf /var/backups/etc-$(date +");
  assert.equal(task(19).run, "printf 'a\\\\");
  assert.match(
    task(8).run,
    /mail -s "Hours" team@example\.net\n.*\nGood morning,\n\nplease fill in your hours\.\n\w+\n$/,
  );
  assert.match(task(10).run, /\nDisk is at 90% again\n/);
});

Deno.test("importCron() hands a command exactly the standard input that cron would", () => {
  const lines = [
    "* * * * * cat%one%%two \\% three",
    "* * * * * cat  # a remark%INPUT%$HOME `id` \\\\",
    "* * * * * cat%",
  ];
  const { task } = importAs(importCron, lines.join("\n"));
  const outputs = [1, 2, 3].map((line) => {
    const { stdout } = new Deno.Command("/bin/sh", { args: ["-e", "-c", task(line).run] }).outputSync();
    return new TextDecoder().decode(stdout);
  });
  assert.deepEqual(outputs, ["one\n\ntwo % three\n", "INPUT\n$HOME `id` \\\\\n", ""]);
});

Deno.test("importCron() reads the account column of a system table", () => {
  const { task, at, lines, tasks } = importTable("system-debian", { system: true });
  assert.equal(tasks.size, 13);
  assert.deepEqual(lines("refused"), [27, 31]);
  assert.match(told(at(27)), /"\/usr\/local\/bin\/orphan" stands where the account is due/);
  assert.match(told(at(31)), /no command stands behind the account "root"/);
  const users = [13, 18, 19, 20, 22, 25, 29].map((line) => task(line).user);
  assert.deepEqual(users, ["root", "www-data", "backup", "nobody", "postgres", "operator", "deploy:deploy"]);
  assert.equal(task(13).run, "cd / && run-parts --verbose /etc/jobs.hourly");
  assert.equal(task(15).cron, "38 6 * * 7");
  assert.equal(task(19).cron, "0 3 * * 0");
  assert.equal(task(21).run, "mkdir -p /run/shop && chown www-data: /run/shop");
  assert.equal(task(23).run, "sudo -u www-data /srv/shop/bin/cleanup; systemctl reload shopd");
  assert.equal(task(13).description, "");
  assert.equal(task(29).description, "account with its group");
});

Deno.test("importCron() reads tables that packages drop in", () => {
  const { task, at, lines, tasks } = importAs(importCron, corpus("cron/cron-d-package.crontab"), {
    path: "/etc/cron.d/mailfilter",
  });
  assert.equal(tasks.size, 9);
  assert.deepEqual(lines("refused"), [2, 3, 5, 15, 18]);
  assert.match(told(at(5)), /no random delay.*jitter/);
  assert.match(told(at(15)), /leading "-"/);
  assert.match(told(at(18)), /day of month "0" is under 1/);
  assert.match(told(at(8)), /ends with 1/);
  assert.match(told(at(12)), /on_overlap = "skip"/);
  assert.match(task(12).run, /^flock -n /);
  assert.match(task(13).run, /^flock -w 0 /);
  assert.equal(task(12).user, "list");
  assert.equal(task(8).description, "Expire old sessions twice an hour unless the other init does it");
});

Deno.test("importCron() gives each entry the zone that stands above it, and never another in silence", () => {
  const { task, at, lines } = importTable("timezones");
  const zones = [2, 5, 6, 9, 10, 12, 15, 19, 21, 24].map((line) => task(line).timezone);
  const [york, berlin, kolkata] = ["America/New_York", "Europe/Berlin", "Asia/Kolkata"];
  assert.deepEqual(zones, [undefined, york, york, berlin, berlin, kolkata, kolkata, "EST5EDT", "UTC", "UTC"]);
  assert.deepEqual(lines("refused"), [16, 17]);
  assert.match(told(at(17)), /"Europe\/Berln" is no time zone: did you mean "Europe\/Berlin"\?/);
  assert.deepEqual([task(12).env, task(15).env, task(24).env], [{}, { TZ: "Pacific/Auckland" }, { TZ: "" }]);
  assert.match(told(at(15)), /its program alone sees TZ/);
  assert.deepEqual([task(22).timezone, task(22).runOnStart], [undefined, true]);
});

Deno.test("importCron() reads every spelling of a setting", () => {
  const { task, at, lines, tasks } = importTable("env-lines");
  assert.equal(tasks.size, 4);
  assert.deepEqual(lines("refused"), [3, 8, 10, 14, 15, 20]);
  assert.match(told(at(8)), /never closed/);
  assert.match(told(at(10)), /needs quotes/);
  assert.match(told(at(14)), /no "export"/);
  assert.match(told(at(20)), /all of "root HOME=\/" is its value/);
  for (const line of [13, 16]) assert.match(told(at(line)), /no shell can read/);
  assert.match(told(at(29)), /no entry .* stands below/);
  const { env } = task(22);
  assert.deepEqual(env, {
    PATH: "$HOME/bin:/usr/local/bin:$PATH",
    HOME: "/var/lib/collector",
    APP_ENV: "production",
    GREETING: "  two blanks in front",
    MIXED: "it's fine",
    EMPTY: "",
    NOTE: "value # belongs to the value",
    URL: "https://api.example.net/v1?key=a%20b&x=1",
    SECRET: "keep ${BRACES} and $DOLLAR as they are",
    JSON: '{"a": 1, "b": [2, 3]}',
    TRAIL: "tail",
  });
  for (const line of [25, 27, 28]) assert.equal(task(line).env["APP_ENV"], "staging");
  assert.deepEqual([task(22).shell, task(22).workingDir], ["/bin/bash", "/var/lib/collector"]);
  assert.equal(task(22).run, '$HOME/collect --env "$APP_ENV" &>> /var/log/collect.log');
});

Deno.test("importCron() takes what is right in a broken table, and says of every other line what is wrong", () => {
  const { at, lines, imported } = importTable("broken");
  assert.equal(imported.entries.filter(({ line }) => line > 0).length, 47);
  assert.deepEqual(lines("taken"), [3, 47, 48]);
  assert.deepEqual(lines("noted", ({ line }) => line > 0), [32, 34, 36, 39, 43, 44, 45, 46]);
  for (const line of [31, 33, 35]) assert.match(told(at(line)), /mark of a conflict/);
  for (const line of [32, 34]) assert.match(told(at(line)), /between the marks of a conflict/);
  assert.match(told(at(15)), /four time fields/);
  assert.match(told(at(36)), /ends in a backslash/);
  assert.match(told(at(37)), /backslash of line 36/);
  assert.match(told(at(39)), /here-document/);
  assert.match(told(at(42)), /anacron/);
  assert.match(told(at(43)), /anacron/);
  assert.match(told(at(44)), /Windows/);
  assert.match(told(at(45)), /account column/);
  assert.match(told(at(46)), /never comes in classic cron/);
});

Deno.test("importCron() guesses nothing where other runners count seconds or years", () => {
  const { at, task, lines } = importTable("container");
  assert.deepEqual(lines("refused"), [4, 5, 6, 8, 9, 12]);
  for (const line of [4, 5, 6, 8, 9]) assert.match(told(at(line)), /more than five time fields/);
  assert.match(told(at(12)), /under 1s/);
  assert.deepEqual([task(10).cron, task(11).cron], ["@every 90s", "@every 1h30m"]);
  for (const line of [13, 14, 17, 19]) assert.equal(task(line).run, commandAt("container", line));
  assert.match(told(at(7)), /log of its run/);
  assert.match(told(at(14)), /placeholder/);
  for (const line of [15, 16]) assert.match(told(at(line)), /"root" looks like the account column/);
  assert.match(told(at(18)), /first bare "%"/);
  assert.equal(task(13).env["BASH_ENV"], "/etc/container.env");
});

Deno.test("importCron() tells where svc and classic cron read a schedule differently", () => {
  const { at, lines, task } = importTable("names-extensions");
  assert.deepEqual(lines("refused"), [34, 36, 37]);
  assert.match(told(at(10)), /"1#1"/);
  for (const line of [20, 21]) assert.match(told(at(line)), /never comes in classic cron/);
  assert.match(told(at(23)), /stands for 0 alone/);
  assert.match(told(at(26)), /error in Debian's cron/);
  for (const line of [28, 29, 30, 31, 33]) assert.match(told(at(line)), /error in classic cron/);
  assert.match(told(at(32)), /every such weekday/);
  assert.deepEqual(lines("taken"), [2, 3, 4, 5, 6, 8, 9, 12, 14, 15, 16, 17, 18, 24, 25]);
  assert.equal(task(5).cron, "00 */3 15-25/2 May 1-5");
});

Deno.test("importCron() reads what was saved under Windows", () => {
  const { task, at, lines, text } = importTable("windows-bom-crlf");
  assert.doesNotMatch(text, /\r|\ufeff/);
  assert.deepEqual(lines("refused", isJob), [13, 15]);
  assert.match(told(at(15)), /U\+00A0/);
  assert.match(told(at(10)), /standard input/);
  assert.match(told(at(16)), /curly/);
  assert.deepEqual([task(7).run, task(7).description], ['/opt/hall/open --label "Tür 1"', "Öffnen"]);
  assert.equal(task(9).run, "/opt/hall/close > /var/log/hall-$(date +%F).log");
  assert.deepEqual([task(7).env, task(7).shell], [{ APP_NAME: "Küche" }, "/bin/bash"]);
  assert.equal(task(17).run, "/opt/hall/sweep  ");
});

Deno.test("importCron() reads Latin-1 as such, and says so of each line that it concerns", () => {
  const { task, imported, lines } = importTable("latin1");
  const [first, ...rest] = imported.entries;
  assert.deepEqual([first?.line, first?.what], [1, "5 lines are not UTF-8"]);
  assert.deepEqual(rest.map(({ line }) => line), [2, 4, 6, 7, 8, 0]);
  assert.deepEqual(lines("taken"), [6, 8]);
  assert.equal(task(2).run, "tar czf /backup/geschäft.tgz /srv/geschäft");
  assert.equal(task(2).description, "Sicherung der Geschäftsdaten, täglich");
  assert.match(told(rest[0]!), /may not be found/);
  assert.equal(task(8).env["NAME"], "André");
});

Deno.test("importCron() keeps long and nested commands byte for byte", () => {
  const { task, at, tasks, lines } = importTable("long-and-nested");
  assert.equal(tasks.size, 19);
  assert.deepEqual(lines("refused"), []);
  const entries = [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 18, 19, 21, 22, 24, 26];
  for (const line of entries) {
    const command = commandAt("long-and-nested", line);
    assert.equal(task(line).run, line === 7 ? command.replaceAll("\\%", "%") : command, `line ${line}`);
  }
  assert.match(told(at(2)), /998 characters/);
  for (const line of [16, 17, 18, 19]) assert.match(told(at(line)), /once a minute/);
  assert.notEqual(task(21).name, task(22).name);
  assert.match(told(at(22)), /the same as line 21/);
  assert.equal(task(24).killStrays, false);
  assert.match(told(at(24)), /background/);
});
