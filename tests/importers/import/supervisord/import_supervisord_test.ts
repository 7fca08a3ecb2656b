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
