import assert from "node:assert/strict";
import fc from "fast-check";
import { NAME_PATTERN } from "../../../src/core/config/gather.ts";
import { fitName, UnitNames } from "../../../src/importers/import/names.ts";

const valid = new RegExp(NAME_PATTERN);

Deno.test("UnitNames gives only names that svc takes, each once", () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 120 })), (texts) => {
    const names = new UnitNames(["job"]);
    const given = texts.flatMap((text) => [names.given(text).name, names.fromCommand(text)]);
    assert.equal(new Set(given).size, given.length);
    for (const name of given) assert.match(name, valid);
    assert.ok(!given.includes("job"));
  }));
});

Deno.test("UnitNames.given() tells of each name that it had to change", () => {
  const names = new UnitNames(["web"]);
  assert.deepEqual(names.given("api"), { name: "api" });
  assert.deepEqual(names.given("web"), {
    name: "web-2",
    note: '"web" is called "web-2" here: the name is in use',
  });
  assert.match(
    names.given("two words").note ?? "",
    /"two words" is called "two-words" here: a name has 1 to 100/,
  );
});

Deno.test("fitName() keeps letters without their marks, and what fits", () => {
  assert.equal(fitName("jobs.daily:2"), "jobs.daily:2");
  assert.equal(fitName("größe für Ärzte"), "grosse-fur-Arzte");
  assert.equal(fitName("--web--"), "web");
  assert.equal(fitName("日本"), "job");
  assert.equal(fitName("x".repeat(300)).length, 100);
});

Deno.test("UnitNames.fromCommand() takes the program that does the work", () => {
  const nameOf = (command: string): string => new UnitNames().fromCommand(command);
  assert.equal(nameOf("cat <<'END'\nThe beat goes on\nEND"), "cat", "what is read is no command");
  const wanted: [command: string, name: string][] = [
    ["/opt/ledger/bin/report --all", "report"],
    ["cd /opt/ledger && ./fetch-prices >> log/fetch.log 2>&1", "fetch-prices"],
    ["sleep 60 && /opt/ledger/bin/agent --daemon &", "agent"],
    ["[ -x /usr/lib/x/expire ] && /usr/lib/x/expire", "expire"],
    ["/usr/bin/php -q /srv/shop/tick.php", "tick"],
    ["sudo -u www-data /srv/shop/bin/cleanup; systemctl reload shopd", "cleanup"],
    ["flock -n /run/x.lock nice -n 19 ionice -c3 /usr/bin/digest --all", "digest"],
    ["MODE=batch /sbin/scan-all --weekly", "scan-all"],
    ["cd / && run-parts --verbose /etc/jobs.hourly", "jobs.hourly"],
    ["C:\\depot\\bin\\sync.bat", "sync"],
    ["sh -c '/opt/x/rotate --now'", "rotate"],
    ["$VV $BASE/scripts/export.sh -q", "export"],
    ['"$PYTHON" /srv/app/tick.py', "tick"],
    ["$BASE/scripts/export.sh", "export"],
    ["$JOB", "JOB"],
    ["su - app -c '/srv/app/bin/clean --all && true'", "clean"],
    ['su -s /bin/sh www-data -c "cd /srv; bin/tick > /dev/null"', "tick"],
    ["su app", "su"],
    ["cat /var/log/x | /opt/bin/report", "report"],
    ["head -c 20m /dev/urandom > /tmp/x", "head"],
    ["echo hi", "echo"],
    ["", "job"],
  ];
  for (const [command, name] of wanted) assert.equal(nameOf(command), name, command);
});
