import assert from "node:assert/strict";
import fc from "fast-check";
import { importCron } from "../../../../src/importers/import/cron/import_cron.ts";
import { contextOf, importAs, told } from "../corpus.ts";

Deno.test("importCron() keeps each command byte for byte", () => {
  const command = fc.stringMatching(/^[a-z/]['"\\$ {}a-z#;&|ü]{0,30}$/)
    .filter((text) => !text.includes("\\%") && !/^\w+$/.test(text));
  fc.assert(fc.property(fc.array(command, { minLength: 1, maxLength: 5 }), (commands) => {
    const { task, imported } = importAs(importCron, commands.map((text) => `5 4 * * * ${text}\n`).join(""));
    assert.equal(imported.units.length, commands.length);
    for (const [index, text] of commands.entries()) assert.equal(task(index + 1).run, text);
  }));
});

Deno.test("importCron() keeps each value of a setting as it stands", () => {
  const value = fc.stringMatching(/^[^\s'"\0]['"\\$ {}a-z#ü]{0,30}[^\s'"]$/u).filter((text) =>
    !/[\n\r\ufeff]/.test(text)
  );
  fc.assert(fc.property(value, (text) => {
    const { task } = importAs(importCron, `A=${text}\n* * * * * true\n`);
    assert.equal(task(2).env["A"], text);
  }));
});

Deno.test("importCron() knows whose table it is by its place", () => {
  const line = "0 1 * * * root true\n";
  const userOf = (path: string, context = {}): unknown => {
    const { units } = importCron([{ path, text: line }], contextOf(context));
    return units.map(({ settings }) => [settings["user"], settings["run"]])[0];
  };
  assert.deepEqual(userOf("/etc/crontab"), ["root", "true"]);
  assert.deepEqual(userOf("/etc/cron.d/package"), ["root", "true"]);
  assert.deepEqual(userOf("/var/spool/cron/crontabs/ada"), ["ada", "root true"]);
  assert.deepEqual(userOf("/var/spool/cron/ada"), ["ada", "root true"]);
  assert.deepEqual(userOf("/var/spool/cron/crontabs/ada", { user: "ada" }), [undefined, "root true"]);
  assert.deepEqual(userOf("/home/ada/crontab"), [undefined, "root true"]);
  assert.deepEqual(userOf("-", { system: true }), ["root", "true"]);
});

Deno.test("importCron() makes what cron does: no catching up, a bare environment, the home folder", () => {
  const { task } = importAs(importCron, "0 1 * * * true\n@reboot true\n");
  const { catchUp, envBase, workingDir, shell, user } = task(1);
  assert.deepEqual([catchUp, envBase, workingDir, shell, user], ["skip", "clean", "~", "/bin/sh", undefined]);
  assert.match(
    told({ file: "", line: 0, what: "", fate: { is: "refused", why: String(task(2).runOnStart) } }),
    /true/,
  );
});

Deno.test("importCron() gives units of several tables different names, and none that is in use", () => {
  const files = ["/a", "/b"].map((path) => ({ path, text: "@daily /opt/x/tidy\n" }));
  const { units } = importCron(files, contextOf({ taken: new Set(["tidy"]) }));
  assert.deepEqual(units.map(({ name }) => name), ["tidy-2", "tidy-3"]);
});

Deno.test("importCron() notes that cron goes on where svc stops", () => {
  const notesOf = (command: string): string => {
    const { imported } = importAs(importCron, `0 1 * * * ${command}\n`);
    return told(imported.entries[0]!);
  };
  const lists = ["a; b", "(a; b)", "{ a; b; }", "(cd /x; ./a) >/dev/null", "for x in a b; do c; done"];
  lists.push(
    "if a; then b; c; fi",
    "if a; then b; fi; c",
    "x=$(a; b)",
    "while a; do b; done; c",
    "f() { a; b; }; f",
  );
  lists.push("echo do; x");
  for (const command of lists) {
    assert.match(notesOf(command), /stops at the first command that fails/, command);
  }
  assert.match(notesOf("[ -x /a ] && /a"), /ends with 1/);
  const same = ["a && b", "sleep 5; b", "umask 027; b", "find . -exec a {} \\; -print", "echo 'a; b'", "a;"];
  const compound = [
    "if a; then b; else c; fi",
    "{ a; }",
    "(a)",
    "case $a in b) c;; *) d;; esac",
    "set -euo pipefail; cd /x; b",
    "set +e; a; b",
    "export A=1 B=2; b",
    "trap x EXIT; b",
    "[ -x /a ] && /a || true",
  ];
  for (const command of [...same, ...compound]) assert.equal(notesOf(command), "", command);
});

Deno.test("importCron() tells a file of another kind in one message", () => {
  const { imported } = importAs(importCron, "[tasks.a]\nrun = 'true'\n[tasks.b]\nall: is well\n");
  assert.match(imported.broken?.why ?? "", /it is no crontab/);
  const typo = importAs(importCron, "60 1 * * * true\n").imported;
  assert.deepEqual([typo.broken, typo.units, typo.entries.length], [undefined, [], 1]);
  assert.deepEqual(importAs(importCron, "\n\n# nothing\n").imported, { units: [], entries: [] });
});

Deno.test("importCron() tells of several runs a minute only where there are several", () => {
  const lone = importAs(importCron, "* * * * * sleep 15 && job\n* * * * * other\n", { path: "-" });
  assert.equal(told(lone.at(1)), "");
  const two = importAs(importCron, "* * * * * sleep 15 && job\n* * * * * job\n", { path: "-" });
  assert.match(told(two.at(1)), /more often than once a minute/);
  assert.match(told(two.at(2)), /more often than once a minute/);
});
