import assert from "node:assert/strict";
import { importProcfile } from "../../../../src/importers/import/procfile/import_procfile.ts";
import { corpus, importAs, type Outcome, told } from "../corpus.ts";

function importFile(name: string): Outcome {
  return importAs(importProcfile, corpus(`procfile/${name}`), { path: `/srv/app/${name}` });
}

/** The command on a line of the corpus. */
function commandAt(name: string, line: number): string {
  const text = new TextDecoder().decode(corpus(`procfile/${name}`)).split("\n")[line - 1] ?? "";
  return text.replace(/^[^:]*:\s*/, "").trimEnd();
}

Deno.test("importProcfile() keeps commands unchanged, and makes tasks of what runs once", () => {
  const { service, services, task, tasks, at } = importFile("Procfile.rails");
  assert.deepEqual([...services.keys()], ["mailer", "redis", "scheduler", "web", "worker"]);
  assert.deepEqual([...tasks.keys()], ["console", "release"]);
  for (const line of [1, 2, 3, 4, 5]) {
    assert.equal(service(line).run, commandAt("Procfile.rails", line));
    assert.equal(service(line).workingDir, "/srv/app");
  }
  for (const line of [6, 7]) {
    assert.equal(task(line).cron, undefined);
    assert.match(told(at(line)), /a task without a schedule/);
  }
  assert.deepEqual([service(1).env, service(2).env], [{ PORT: "5000" }, { PORT: "5100" }]);
  assert.match(told(at(1)), /foreman would set PORT to 5000/);
});

Deno.test("importProcfile() takes names that foreman passes over, and gives ports as foreman does", () => {
  const { imported, service, at, lines } = importFile("Procfile.django");
  assert.equal(imported.units.length, 7);
  assert.deepEqual(lines("refused"), []);
  assert.deepEqual([service(3).env, service(8).env], [{ PORT: "5100" }, { PORT: "5400" }]);
  for (const line of [3, 4, 5, 8, 9, 10]) {
    assert.equal(service(line).run, commandAt("Procfile.django", line));
  }
  assert.equal(service(10).name, "urgent.mail");
  assert.match(told(at(10)), /foreman passes over names/);
});

Deno.test("importProcfile() counts ports from that of .env beside it, and notes that svc stops at a failure", () => {
  const text = "web: node web.js\nworker: a; b\n";
  const outcome = importAs(importProcfile, text, {
    path: "/srv/app/Procfile",
    context: { files: (glob) => [{ path: glob, text: "A=1\nPORT=3000\n" }] },
    texts: { "/srv/app/.env": "A=1\nPORT=3000\n" },
  });
  assert.deepEqual([1, 2].map((line) => outcome.service(line).env["PORT"]), ["3000", "3100"]);
  assert.match(told(outcome.at(2)), /stops at the first command that fails/);
});

Deno.test("importProcfile() tells of each line that is no process, and overwrites none", () => {
  const { service, at, lines, text } = importFile("Procfile.mistakes");
  assert.deepEqual(lines("taken"), [1, 9, 10, 18]);
  assert.deepEqual(lines("noted"), [2, 3, 11]);
  assert.deepEqual(lines("refused"), [4, 5, 6, 7, 8, 12, 13, 14, 16, 17]);
  assert.equal(service(1).run, "node server.js");
  assert.match(told(at(2)), /begins with "worker:"/);
  assert.match(told(at(4)), /"release" stands on line 3 already/);
  assert.match(told(at(17)), /"web" stands on line 1 already/);
  assert.match(told(at(5)), /double quote is never closed/);
  for (const line of [12, 13]) assert.match(told(at(line)), /no continued lines/);
  assert.equal(service(10).run, "TZ=UTC node at.js 12:30:00 http://localhost:3000/");
  assert.equal(service(18).run, 'echo "grün"');
  assert.doesNotMatch(text, /\r|\ufeff/);
});

Deno.test("importProcfile() takes the .env file beside it along", () => {
  const asked: string[] = [];
  const files = (glob: string) => {
    asked.push(glob);
    return [{ path: "/srv/[app]/.env", text: "A=1\n" }];
  };
  const { units } = importProcfile([{ path: "/srv/[app]/Procfile", text: "web: true\n" }], {
    cores: 1,
    hostname: "",
    system: false,
    taken: new Set(),
    files,
  });
  assert.equal(units[0]?.settings["env_file"], "/srv/[app]/.env");
  assert.deepEqual(asked, ["/srv/\\[app\\]/.env"]);
});

Deno.test("importProcfile() notes on standard input that there is no folder to work in", () => {
  const { at, service } = importAs(importProcfile, "web: true\n", { path: "-" });
  assert.match(told(at(1)), /set working_dir/);
  assert.equal(service(1).workingDir, "/etc/svc");
});

Deno.test("importProcfile() tells a file of another kind in one message", () => {
  const { imported } = importAs(importProcfile, "# a table\n0 3 * * * /opt/x/report\n");
  assert.match(imported.broken?.why ?? "", /it is no Procfile/);
});

Deno.test("importProcfile() tells of watchers, which an empty standard input may end", () => {
  const watching = [
    "esbuild app.js --watch --outfile=o",
    "bin/rails tailwindcss:watch",
    "yarn build:css --watch",
    "tailwindcss -i a -w",
  ];
  const staying = [
    "esbuild app.js --watch=forever",
    "tailwindcss --watch=always",
    "watcher --watchdog=1",
    "node watch.js",
  ];
  const notesOf = (command: string): string => {
    const { imported } = importAs(importProcfile, `js: ${command}\n`, { path: "/srv/a/Procfile.dev" });
    return imported.entries.map(told).join("\n");
  };
  for (const command of watching) assert.match(notesOf(command), /its standard input is empty here/, command);
  for (const command of staying) assert.doesNotMatch(notesOf(command), /standard input/, command);
});
