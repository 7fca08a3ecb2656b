/** What a correct import makes of each configuration of the corpus. */

import assert from "node:assert/strict";
import { importSupervisord } from "../../../../src/importers/import/supervisord/import_supervisord.ts";
import type { ImportContext } from "../../../../src/importers/import/imported.ts";
import type { Service } from "../../../../src/types.ts";
import { corpus, importAs, type Outcome, told } from "../corpus.ts";
import { received } from "../stub.ts";

function importFile(name: string, context: Partial<ImportContext> = {}): Outcome {
  return importAs(importSupervisord, corpus(`supervisord/${name}.conf`), {
    path: `/srv/conf/${name}.conf`,
    context,
    env: { WEB_SECRET: "much" },
  });
}

function service({ services }: Outcome, name: string): Service {
  return services.get(name) ?? assert.fail(`no service ${name}`);
}

/** What was told of the entry with this text. */
function toldOf({ imported }: Outcome, what: string): string {
  const found = imported.entries.filter((entry) => entry.what === what);
  assert.equal(found.length, 1, what);
  return told(found[0]!);
}

function refused({ imported }: Outcome): string[] {
  return imported.entries.filter(({ fate }) => fate.is === "refused").map(({ what }) => what);
}

Deno.test("importSupervisord() takes a stack of web programs, several processes of some", () => {
  const stack = importFile("web-stack");
  assert.deepEqual([...stack.services.keys()].sort(), ["catalog", "gateway", "mailer"]);
  assert.deepEqual(refused(stack), [
    "[unix_http_server]",
    "[rpcinterface:supervisor]",
    "[supervisorctl]",
    "redirect_stderr, stdout_logfile, stdout_logfile_maxbytes, stdout_logfile_backups",
  ]);

  const catalog = service(stack, "catalog");
  assert.equal(catalog.instances, 2);
  assert.deepEqual(catalog.env, {
    LANG: "C.UTF-8",
    TZ: "UTC",
    PATH: "/srv/shop/venv/bin",
    PYTHONUNBUFFERED: "1",
  });
  assert.deepEqual([catalog.user, catalog.workingDir], ["www-data", "/srv/shop"]);
  for (const [instance, port] of [[0, 9300], [1, 9301]] as const) {
    assert.deepEqual(received(catalog.run, { env: { SVC_INSTANCE: String(instance) } }), [
      "/srv/shop/venv/bin/python",
      "/srv/shop/catalog.py",
      `--port=${port}`,
      `--log=/var/log/shop/catalog-${port}.log`,
    ]);
  }

  const gateway = service(stack, "gateway");
  assert.deepEqual(
    [0, 1, 2].map((at) => received(gateway.run, { env: { SVC_INSTANCE: String(at) } }).at(-1)),
    ["127.0.0.1:8000", "127.0.0.1:8001", "127.0.0.1:8002"],
  );
  assert.deepEqual(
    {
      instances: gateway.instances,
      restart: gateway.restart,
      exitCodes: gateway.exitCodes,
      healthyAfter: gateway.healthyAfter,
      startRetries: gateway.startRetries,
      stopSignal: gateway.stopSignal,
      gracefulStop: gateway.gracefulStop,
      priority: gateway.priority,
      umask: gateway.umask,
    },
    {
      instances: 3,
      restart: "on_failure",
      exitCodes: [0, 2],
      healthyAfter: 5000,
      startRetries: 10,
      stopSignal: "SIGQUIT",
      gracefulStop: 20_000,
      priority: 10,
      umask: "022",
    },
  );
  const logs = stack.imported.entries.filter(({ what }) => /stdout_logfile_maxbytes/.test(what));
  assert.equal(logs.length, 1);
  assert.match(told(logs[0]!), /log of its own \(gateway|[(, ]gateway[,)]/);

  const mailer = service(stack, "mailer");
  assert.deepEqual([mailer.restart, mailer.healthyAfter, mailer.env], [
    "never",
    0,
    { LANG: "C.UTF-8", TZ: "UTC" },
  ]);
  assert.match(toldOf(stack, "[supervisord]"), /environment: given to each program\n.*logfile \(line 11\)/);
});

Deno.test("importSupervisord() takes queue workers, and tells of what has no counterpart", () => {
  const queue = importFile("queue-workers");
  assert.equal(queue.services.size, 4);
  assert.deepEqual(refused(queue), [
    "[supervisord]",
    "redirect_stderr, stdout_logfile",
    "[program:cut-off]",
    "[eventlistener:crash-mail]",
    "[fcgi-program:legacy]",
  ]);
  const worker = service(queue, "queue-worker");
  assert.deepEqual([worker.instances, worker.gracefulStop, worker.group, worker.user], [
    8,
    3_600_000,
    "board",
    "www-data",
  ]);
  assert.equal(service(queue, "ticker").group, "board");
  assert.deepEqual(received(service(queue, "ticker").run).slice(1), [
    "-c",
    "while true; do (php /srv/board/console tick --quiet &); sleep 60; done",
  ]);
  const celery = service(queue, "celery");
  assert.deepEqual([celery.instances, celery.gracefulStop, celery.group], [2, 600_000, ""]);
  assert.deepEqual(
    [0, 1].map((at) => received(celery.run, { env: { SVC_INSTANCE: String(at) } })[5]),
    ["worker1@%h", "worker2@%h"],
  );
  const migrate = service(queue, "migrate-then-serve");
  assert.equal(migrate.autostart, false);
  assert.equal(migrate.startRetries, 0);
  assert.deepEqual(received(migrate.run).slice(3, 5), ["&&", "php"]);
  assert.match(toldOf(queue, "[program:migrate-then-serve]"), /no shell reads the command.*"&&"/);
  assert.match(
    toldOf(queue, "[program:cut-off]"),
    /\(line 33\): its single quote is never closed.*begin a remark, even within quotes/,
  );
  assert.match(toldOf(queue, "[group:board]"), /priority=5 \(line 49\)/);
});

Deno.test("importSupervisord() takes what a container runs, and follows its includes", () => {
  const asked: string[] = [];
  const outcome = importFile("container", {
    files: (glob) => {
      asked.push(glob);
      return glob === "/srv/conf/relative/*.ini"
        ? [{ path: "/srv/conf/relative/more.ini", text: "[program:more]\ncommand=/bin/more %(here)s\n" }]
        : [];
    },
  });
  assert.deepEqual(asked, ["/etc/supervisor/conf.d/*.conf", "/srv/conf/relative/*.ini"]);
  assert.match(
    toldOf(outcome, "[include]"),
    /"\/etc\/supervisor\/conf\.d\/\*\.conf" matches no file that can be read/,
  );
  assert.deepEqual(received(service(outcome, "more").run), ["/bin/more", "/srv/conf/relative"]);
  assert.equal(outcome.services.size, 7);

  const screen = service(outcome, "screen");
  assert.deepEqual(received(screen.run, { env: { PANEL_W: "800", PANEL_H: "600" } }), [
    "Xephyr",
    ":4",
    "-screen",
    "800x600",
    "-noreset",
  ]);
  assert.throws(() => received(screen.run, { env: { PANEL_W: "800" } }), /PANEL_H/);
  assert.match(toldOf(outcome, "[program:screen]"), /PANEL_W, PANEL_H must be set/);

  const web = service(outcome, "web");
  assert.equal(web.workingDir, "/srv/conf/app");
  assert.deepEqual(web.env, { INSTANCE: "app01", SELF: "web", SECRET: "much" });
  assert.match(outcome.text, /SECRET = "\$\{WEB_SECRET\}"/);
  assert.match(toldOf(outcome, "[program:web]"), /"app01", is put in once/);
  const prepare = service(outcome, "prepare");
  assert.deepEqual([prepare.restart, prepare.healthyAfter, prepare.priority], ["never", 0, 0]);
  // It worked under supervisord, so it stays in the foreground.
  assert.doesNotMatch(toldOf(outcome, "[program:daemonises-itself]"), /background/);
  assert.doesNotMatch(toldOf(outcome, "[program:cron]"), /background/);
});

Deno.test("importSupervisord() tells of both patterns of an include that leads nowhere", () => {
  const why = toldOf(importFile("container"), "[include]");
  assert.match(
    why,
    /"\/etc\/supervisor\/conf\.d\/\*\.conf" matches no file.*"relative\/\*\.ini" matches no file/,
  );
});

Deno.test("importSupervisord() reads variables as supervisord does", () => {
  const outcome = importFile("environment-edge");
  assert.equal(outcome.services.size, 6);
  const env = (name: string): Record<string, string> => {
    const { SHARED, ...own } = service(outcome, name).env;
    assert.equal(SHARED, "from the top");
    return own;
  };
  assert.deepEqual(env("quotes"), {
    LEVEL: "1",
    A: "1",
    B: "x,y",
    C: "single, quoted",
    D: "plain",
    E: "/srv/edge/lib:/usr/lib",
    F: "it's",
    G: "",
  });
  assert.deepEqual(env("many-lines"), {
    HOST: "db.example.net",
    PORT: "5432",
    URL: "postgres://edge:p%40ss@db.example.net:5432/edge?sslmode=require",
    LEVEL: "2",
  });
  assert.deepEqual(received(service(outcome, "many-lines").run), [
    "/srv/edge/bin/show",
    "--flag",
    "--second",
    "two words",
  ]);
  assert.deepEqual(received(service(outcome, "percent").run)[1], "-Xloggc:/var/log/edge/gc_%t_%p.log");
  assert.deepEqual(env("percent"), { LEVEL: "1", FORMAT: "%Y-%m-%d", NAME: "percent" });
  assert.deepEqual(env("json"), {
    LEVEL: "1",
    CONFIG: "{'a': [1, 2], 'b': true}",
    DOLLAR: "${HOME}/keep and $USER",
  });
  assert.match(outcome.text, /DOLLAR = "\$\$\{HOME\}/);
  assert.deepEqual(received(service(outcome, "marks").run).slice(1), ["--colour=#fff", "--list=a;b;c"]);
  assert.deepEqual(env("marks"), { LEVEL: "1", SEMI: "a;b", HASH: "#fff", BOTH: "kept" });
  assert.deepEqual(env("lower"), { LEVEL: "1", key: "1", Key: "2", KEY: "3" });
});

Deno.test("importSupervisord() hands a program the very words that supervisord would", () => {
  const outcome = importFile("literal-arguments");
  assert.equal(outcome.services.size, 7);
  assert.doesNotMatch(outcome.text, /\r/);
  const expected: Record<string, string[]> = {
    foreground: ["/usr/sbin/nginx", "-g", "daemon off;", "-c", "/etc/nginx/nginx.conf"],
    "blank-in-path": ["/opt/wine/bin/wine", "/srv/drive/Program Files (x86)/Desk Tool/desk.exe"],
    stars: ["/srv/lit/bin/match", "--glob", "*.log", "--home", "$HOME", "--tilde", "~/x"],
    pipe: ["/srv/lit/bin/feed", "--from", "a", "|", "/srv/lit/bin/sink", ">", "/srv/lit/out", "2>&1"],
    "inner-quotes": ["/srv/lit/bin/say", "it's a 'fine' day", 'and "another" one', 'plain"quote'],
    backticks: ["/srv/lit/bin/at", "`date`", "$(hostname)", "!now", "&", "done"],
    "in-a-shell": ["bash", "-c", "cd /srv/lit && exec ./run $EXTRA >> /var/log/lit.log 2>&1"],
  };
  for (const [name, words] of Object.entries(expected)) {
    assert.deepEqual(received(service(outcome, name).run), words, name);
  }
  assert.match(toldOf(outcome, "[program:pipe]"), /"\|", ">", "2>&1"/);
  assert.equal(toldOf(outcome, "[program:foreground]"), "");
});

Deno.test("importSupervisord() refuses what supervisord refuses, one mistake at a time", () => {
  const outcome = importFile("mistakes");
  assert.deepEqual([...outcome.services.keys()].sort(), [
    "good",
    "no-process-num",
    "one-sided",
    "padded",
    "sig-prefix",
    "spaces-around",
    "twice",
    "unknown-keys",
  ]);
  const twice = service(outcome, "twice");
  assert.deepEqual([received(twice.run), twice.priority], [["/srv/mix/bin/second"], 1]);
  assert.match(toldOf(outcome, "[program:twice]"), /stands again on line 12/);
  assert.equal(service(outcome, "sig-prefix").stopSignal, "SIGINT");
  assert.equal(service(outcome, "unknown-keys").priority, 7);
  assert.match(
    toldOf(outcome, "[program:unknown-keys]"),
    /"group" \(line 24\)[^]*"autorestrat" \(line 25\).*"autorestart"[^]*"log_stdout" \(line 26\)/,
  );
  const around = service(outcome, "spaces-around");
  assert.deepEqual([around.user, around.workingDir], ["nobody", "/srv/mix"]);
  assert.equal(service(outcome, "good").group, "ghosts");
  const reasons: Record<string, RegExp> = {
    "[program:no-command]": /no command/,
    "[program:bad-restart]": /autorestart=on-failure \(line 31\).*"unexpected"/,
    "[program:bad-signal]": /stopsignal=GRACEFUL \(line 35\)/,
    "[program:bad-number]": /stopwaitsecs=10s \(line 43\).*without a unit/,
    "[program: blank in front]": /"blank in front" holds " "/,
    "[program:open-quote]": /\(line 57\): its double quote is never closed, so supervisord refuses it$/,
    "[program:lone-percent]": /\(line 60\): a lone "%" stands in it, at "%h:%p"/,
    "[program:unknown-name]": /\(line 63\): %\(site_root\)s stands for nothing/,
    "[program:no-process-num]": /supervisord refuses numprocs above 1/,
    "[program:one-sided]": /supervisord refuses stopasgroup=true with killasgroup=false/,
    "[group:ghosts]": /"does-not-exist", which does not exist/,
  };
  for (const [what, reason] of Object.entries(reasons)) assert.match(toldOf(outcome, what), reason);
});
