import assert from "node:assert/strict";
import { importSupervisord } from "../../../../src/importers/import/supervisord/import_supervisord.ts";
import { importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importText(text: string | string[], path = "/srv/conf/super.conf"): Outcome {
  return importAs(importSupervisord, Array.isArray(text) ? text.join("\n") : text, { path });
}

Deno.test("importSupervisord() takes nothing of a file that is something else", () => {
  const why = (text: string): string => importText(text).imported.broken?.why ?? "";
  assert.match(why("0 5 * * * /bin/true\n"), /a section such as \[program:NAME\] is due/);
  assert.match(why("[Service]\nExecStart=/bin/true\n"), /no configuration of supervisord/);
  assert.match(why("command=/bin/true\n[program:a]\ncommand=/bin/b\n"), /a section such as/);
  assert.deepEqual(importText("\ncommand=x\n").imported.broken?.line, 2);
});

Deno.test("importSupervisord() takes no part of a program with a line that can't be read", () => {
  const { imported, services } = importText([
    "[program:a]",
    "command=/bin/a",
    "nonsense",
    "[program:b]",
    "command=/bin/b",
  ]);
  assert.deepEqual([...services.keys()], ["b"]);
  assert.match(told(imported.entries[0]!), /line 3 is no key/);
});

Deno.test("importSupervisord() lets [DEFAULT] hold for every section that says nothing else", () => {
  const { services, imported } = importText([
    "[DEFAULT]",
    "autostart=false",
    "user=nobody",
    "[program:a]",
    "command=/bin/a",
    "[program:b]",
    "command=/bin/b",
    "autostart=true",
  ]);
  assert.deepEqual(["a", "b"].map((name) => [services.get(name)?.autostart, services.get(name)?.user]), [
    [false, "nobody"],
    [true, "nobody"],
  ]);
  assert.match(told(imported.entries[0]!), /holds for every section: autostart, user/);
});

Deno.test("importSupervisord() takes no expected code and no retries as supervisord does", () => {
  const { services } = importText(["[program:a]", "command=/bin/a", "exitcodes=", "startretries=-1"]);
  const { restart, exitCodes, startRetries } = services.get("a")!;
  assert.deepEqual([restart, exitCodes, startRetries], ["always", [0], 0]);
});

Deno.test("importSupervisord() splits what a variable holds only where supervisord would", () => {
  const { services } = importText(["[program:a]", 'command=/bin/a %(ENV_OPTS)s "%(ENV_OPTS)s" x%(ENV_ONE)s']);
  assert.deepEqual(received(services.get("a")!.run, { env: { OPTS: "-v * two", ONE: "1" } }), [
    "/bin/a",
    "-v",
    "*",
    "two",
    "-v * two",
    "x1",
  ]);
});

Deno.test("importSupervisord() knows variables that the configuration itself sets", () => {
  const { services } = importText([
    "[supervisord]",
    'environment=ROOT="/srv/x",PORT="1"',
    "[program:a]",
    'environment=PORT="2",HERE="%(ENV_ROOT)s/here"',
    "command=%(ENV_ROOT)s/bin --port %(ENV_PORT)s",
  ]);
  const { run, env } = services.get("a")!;
  assert.deepEqual(received(run), ["/srv/x/bin", "--port", "2"]);
  assert.deepEqual(env, { ROOT: "/srv/x", PORT: "2", HERE: "/srv/x/here" });
});

Deno.test("importSupervisord() exports in the script what differs between the processes of a program", () => {
  const { services } = importText([
    "[program:a]",
    "numprocs=3",
    "numprocs_start=8",
    "process_name=a%(process_num)s",
    'environment=PORT="90%(process_num)02d",SAME="x"',
    "command=/bin/a",
  ]);
  const { run, env } = services.get("a")!;
  assert.deepEqual(env, { SAME: "x" });
  assert.match(run, /^export PORT=90"\$\(printf %02d \$\(\(SVC_INSTANCE \+ 8\)\)\)"$/m);
  const echo = run.replace(/^exec .*$/m, 'exec /bin/echo "$PORT"');
  assert.deepEqual(
    received(echo.replaceAll(/^exec \/bin\/echo/gm, "exec echo"), { env: { SVC_INSTANCE: "1" } }),
    ["echo", "9009"],
  );
});

Deno.test("importSupervisord() tells a relative include of standard input from one that can be followed", () => {
  const text = ["[include]", "files = more/*.conf /etc/more/*.conf", "[program:a]", "command=/bin/a"].join(
    "\n",
  );
  const { imported } = importAs(importSupervisord, text, { path: "-" });
  assert.match(told(imported.entries[0]!), /"more\/\*\.conf" is relative to a folder that is unknown/);
});

Deno.test("importSupervisord() keeps names of variables apart from those of JavaScript", () => {
  const { text } = importText(["[program:a]", "command=/bin/a", 'environment=__proto__="1",constructor="2"']);
  assert.match(text, /^__proto__ = "1"\nconstructor = "2"$/m);
});

Deno.test("importSupervisord() changes a name that svc can't have, with a note", () => {
  const { services, imported } = importText(["[program:ärger@x]", "command=/bin/a"]);
  assert.deepEqual([...services.keys()], ["arger-x"]);
  assert.match(told(imported.entries[0]!), /"ärger@x" is called "arger-x" here/);
});

Deno.test("importSupervisord() reads several files as one configuration, and each of them once", () => {
  const main = {
    path: "/srv/conf/super.conf",
    text: "[include]\nfiles=d/*.conf\n[supervisord]\nenvironment=A=1\n",
  };
  const web = { path: "/srv/conf/d/web.conf", text: "[program:web]\ncommand=/bin/web\ndirectory=%(here)s\n" };
  const groups = { path: "/srv/conf/d/groups.conf", text: "[group:shop]\nprograms=web\n" };
  const { services, imported } = importAs(importSupervisord, web.text, {
    path: web.path,
    also: [main, groups],
    context: { files: (glob) => glob === "/srv/conf/d/*.conf" ? [groups, web] : [] },
  });
  assert.deepEqual([...services.keys()], ["web"]);
  const { env, group, workingDir } = services.get("web")!;
  assert.deepEqual([env, group, workingDir], [{ A: "1" }, "shop", "/srv/conf/d"]);
  assert.deepEqual(imported.entries.map(({ what, fate }) => [what, fate.is]), [
    ["[program:web]", "taken"],
    ["[include]", "taken"],
    ["[supervisord]", "noted"],
    ["[group:shop]", "taken"],
  ]);
});

/** The account of one section. */
function noteOf({ imported }: ReturnType<typeof importAs>, what: string): string {
  return imported.entries.filter((entry) => entry.what === what).map(told).join("\n");
}

const program = "[program:a]\ncommand=/bin/a\n";

Deno.test("importSupervisord() gives programs the folder that supervisord goes to, where it goes there at all", () => {
  const load = (text: string, env: Record<string, string> = {}) =>
    importAs(importSupervisord, text, { path: "/etc/s/s.conf", env });
  const late = load(`[supervisord]\ndirectory=%(ENV_APP)s\n${program}`, { APP: "/srv/app" });
  assert.match(late.text, /working_dir = "\$\{APP\}"/);
  assert.equal(late.services.get("a")?.workingDir, "/srv/app");
  const daemon = load(`[supervisord]\ndirectory=/srv/app\n${program}directory=rel/x\n`);
  assert.equal(daemon.services.get("a")?.workingDir, "/srv/app/rel/x");
  assert.match(noteOf(daemon, "[supervisord]"), /started with -n, as by Debian's unit/);
  const front = load(`[supervisord]\nnodaemon=true\ndirectory=/srv/app\n${program}`);
  assert.equal(front.services.get("a")?.workingDir, "/");
  assert.match(
    noteOf(front, "[supervisord]"),
    /directory=\/srv\/app \(line 3\) does not count with nodaemon=true/,
  );
});

Deno.test("importSupervisord() tells of a folder that is relative to where supervisord was started", () => {
  const own = importAs(importSupervisord, `${program}directory=rel/x\n`, { path: "/etc/s/s.conf" });
  assert.match(
    noteOf(own, "[program:a]"),
    /directory=rel\/x is relative to the folder in which supervisord was started/,
  );
  const shared = importAs(importSupervisord, `[supervisord]\ndirectory=rel\n${program}`, {
    path: "/etc/s/s.conf",
  });
  assert.match(noteOf(shared, "[supervisord]"), /relative to the folder in which supervisord is started/);
});

Deno.test("importSupervisord() lets live what a starter leaves behind, and nothing else", () => {
  const load = (more: string) => importAs(importSupervisord, `${program}${more}`, { path: "/etc/s/s.conf" });
  const starter = load("autorestart=false\nstartsecs=0\n");
  assert.equal(starter.services.get("a")?.killStrays, false);
  assert.match(noteOf(starter, "[program:a]"), /what it leaves behind lives on/);
  assert.equal(load("autorestart=false\n").services.get("a")?.killStrays, true);
  assert.equal(load("startsecs=0\n").services.get("a")?.killStrays, true);
});

Deno.test("importSupervisord() tells what holds for all programs once, with their names", () => {
  const { imported } = importAs(
    importSupervisord,
    "[program:a]\ncommand=/a\nuser=me\nstdout_logfile=/l\nredirect_stderr=true\n" +
      "[program:b]\ncommand=/b\nuser=me\nstderr_logfile=/l\n[program:c]\ncommand=/usr/sbin/nginx -c /n.conf\n" +
      "[group:x]\nprograms=a,b\nstopsignal=INT\nstartretries=9\n",
    { path: "/etc/s/s.conf" },
  );
  assert.deepEqual(imported.entries.map((entry) => `${entry.line} ${entry.what}: ${told(entry)}`), [
    "1 [program:a]: ",
    "3 user: svc sets HOME, USER and LOGNAME to those of the account, which supervisord leaves as they are: a, b",
    "4 stdout_logfile, redirect_stderr, stderr_logfile: svc keeps the output of each run in a log of its own (a, b)",
    "6 [program:b]: ",
    "10 [program:c]: ",
    "12 [group:x]: stopsignal (line 14), startretries (line 15): no key of a group, supervisord passes it over as well; a program has it",
  ]);
});

Deno.test("importSupervisord() tells of placeholders, of watchers, and of programs that control others", () => {
  const outcome = importAs(
    importSupervisord,
    "[program:a]\ncommand=esbuild app.js --watch\nuser=<USER>\ndirectory=/home/${NAME}/x\n" +
      "[program:b]\ncommand=/bin/sh -c 'sleep 9; supervisorctl -c /x restart a'\n[program:c]\ncommand=x --watch=forever 1>/dev/null\n",
    { path: "/etc/s/s.conf" },
  );
  const first = noteOf(outcome, "[program:a]");
  assert.match(first, /its standard input is empty here/);
  assert.match(first, /user=<USER> holds a placeholder/);
  assert.match(first, /directory=\/home\/\$\{NAME\}\/x holds a placeholder/);
  assert.match(noteOf(outcome, "[program:b]"), /"supervisorctl restart a".*"svc restart a"/);
  assert.doesNotMatch(noteOf(outcome, "[program:c]"), /standard input/);
  assert.match(noteOf(outcome, "[program:c]"), /as arguments: "1>\/dev\/null"/);
});
