import assert from "node:assert/strict";
import { config, lines, load, service, task } from "./memory.ts";

Deno.test("loadConfig() takes a file with CRLF for the same as one with LF", { permissions: "none" }, () => {
  const text = `# a note
[tasks.t]
run = """
if true; then
  echo "a \\
    b"
fi
"""
description = '''
two
lines'''
cron = "99 * * * *"
`;
  const right = text.replace("99", "9");
  assert.deepEqual(task(right.replaceAll("\n", "\r\n")), task(right));
  assert.equal(task(right.replaceAll("\n", "\r\n")).run, 'if true; then\n  echo "a b"\nfi\n');
  assert.deepEqual(load(text.replaceAll("\n", "\r\n")).errors, load(text).errors);
  // What is written as an escape is meant.
  assert.equal(task("[tasks.t]\r\nrun = \"printf 'a\\r\\n'\"\r\n").run, "printf 'a\r\n'");
});

Deno.test("loadConfig() tells which of its files are blank", { permissions: "none" }, () => {
  const blank = ["", "\n", " \r\n\t"].map((text) => config(text).sources.map(({ isBlank }) => isBlank));
  assert.deepEqual(blank, [[true], [true], [true]]);
  assert.deepEqual(config("# none\n").sources.map(({ isBlank }) => isBlank), [undefined]);
});

Deno.test("loadConfig() keeps what is called as what every object has", { permissions: "none" }, () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    const { env, secrets } = task(
      `[defaults]\nenv = { ${name} = "low", A = "1" }\n` +
        `[tasks.t]\nrun = "x"\nenv = { ${name} = "2" }\nsecrets = { ${name} = "3" }\n`,
    );
    assert.deepEqual(Object.entries(env).sort(), [["A", "1"], [name, "2"]]);
    assert.deepEqual(Object.entries(secrets), [[name, "3"]]);
    const headers = `[notifiers.n]\ntype = "webhook"\nurl = "http://a/"\nheaders = { ${name} = "x" }\n`;
    assert.deepEqual(Object.entries(config(headers).notify.notifiers[0]?.settings["headers"] ?? {}), [[
      name,
      "x",
    ]]);
    // What is wrong with it is told at its place.
    assert.deepEqual(lines(load(`[tasks.t]\nrun = "x"\n[tasks.t.env]\n${name} = 2\n`).errors), [
      `4:1 tasks.t.env.${name}: expected a string, got the number 2`,
    ]);
  }
});

Deno.test("loadConfig() gives a bare task every built-in default", { permissions: "none" }, () => {
  assert.deepEqual(task('[tasks.t]\nrun = "true"\n'), {
    name: "t",
    kind: "task",
    run: "true",
    description: "",
    group: "",
    apiTrigger: true,
    timeout: 0,
    gracefulStop: 5000,
    stopSignal: "SIGTERM",
    killStrays: true,
    survive: true,
    exitCodes: [0],
    failures: [
      "failed",
      "timeout",
      "crashed",
      "log_overflow",
      "start_failed",
      "unhealthy",
      "missed",
      "queue_full",
      "daemon_stopped",
    ].map((reason) => ({ kind: "reason", reason })),
    workingDir: "/c",
    shell: "/bin/sh",
    envBase: "inherit",
    env: {},
    secrets: {},
    keepRuns: 1000,
    keepFor: 90 * 86_400_000,
    logMaxSize: 100_000_000,
    logOnFull: "drop_old",
    hookTokens: [],
    notify: [],
    limits: {},
    place: { file: "/c/svc.toml", line: 1, column: 1 },
    jitter: 0,
    runOnStart: false,
    catchUp: "latest",
    maxCatchUpRuns: 100,
    onOverlap: "queue",
    maxConcurrent: 1,
    queueMax: 100,
    retryAttempts: 0,
    retryDelay: 5000,
    retryBackoff: "constant",
    expectEvery: 0,
    params: [],
  });
});

Deno.test("loadConfig() gives a bare service every built-in default", { permissions: "none" }, () => {
  const { instances, autostart, priority, dependsOn, restart, restartDelay, restartBackoff, ...rest } =
    service(
      '[services.s]\nrun = "true"\n',
    );
  assert.deepEqual(
    { instances, autostart, priority, dependsOn, restart, restartDelay, restartBackoff },
    {
      instances: 1,
      autostart: true,
      priority: 0,
      dependsOn: [],
      restart: "always",
      restartDelay: 1000,
      restartBackoff: "exponential",
    },
  );
  assert.equal(rest.healthyAfter, 5000);
  assert.equal(rest.startRetries, -1);
  assert.equal("healthCheck" in rest, false);
});

Deno.test("loadConfig() gives daemon, storage and notify their defaults", { permissions: "none" }, () => {
  const { daemon, notify, removedKeepRuns, removedKeepFor, compose, includeGlobs } = config("");
  assert.deepEqual(daemon, {
    shutdownTimeout: 10_000,
    externalUrl: "",
    tls: "off",
    trustedProxies: [],
    maxParallelRuns: 0,
    metrics: false,
    storageMaxSize: 10e9,
    storageMinFreeSpace: 256e6,
  });
  assert.deepEqual(notify, {
    globalNotifiers: ["inapp"],
    coalesceWindow: 3_600_000,
    keep: 1024,
    keepFor: 90 * 86_400_000,
    retryBudget: 300_000,
    notifiers: [],
    routes: [],
  });
  assert.deepEqual([removedKeepRuns, removedKeepFor, compose, includeGlobs], [1000, 90 * 86_400_000, [], []]);
});

Deno.test("loadConfig() reads every key of a task", { permissions: "none" }, () => {
  const unit = task(
    `
[tasks.t]
run = 'echo "\${HOME}" $\${X}'
description = "d"
group = "g"
manual_trigger = false
timeout = "1h30m"
graceful_stop = 0
stop_signal = "int"
kill_strays = false
survive = false
exit_codes = [0, 3]
failures = ["timeout", "3", "10-20", 'output:^\\[ERR\\] \\d+']
working_dir = "~/x"
shell = "/bin/bash"
umask = "027"
user = "www-data:adm"
env_base = "clean"
env = { A = "1" }
secrets = { B = "2" }
keep_runs = 0
keep_for = "0"
log_max_size = "1mib"
log_on_full = "kill_task"
hook_tokens = [{ token = "0123456789abcdef0123456789abcdef", allow = ["run", "stop"] }]
notify = ["inapp"]
limits = { memory = "512mb", cpu = 1.5, pids = 0 }
cron = " 0 2 * * * "
timezone = "Europe/Berlin"
jitter = "5m"
run_on_start = true
catch_up = "all"
max_catch_up_runs = 5
on_overlap = "queue"
max_concurrent = 1024
queue_max = 0
retry_attempts = 100
retry_delay = "1.5s"
retry_backoff = "linear"
expect_every = "1d"
warn_after = "1h"
ping_url = "https://hc.example/x"
`,
    { isRoot: true },
  );
  assert.deepEqual({ ...unit, place: undefined }, {
    name: "t",
    kind: "task",
    run: 'echo "${HOME}" $${X}',
    description: "d",
    group: "g",
    apiTrigger: false,
    timeout: 5_400_000,
    gracefulStop: 0,
    stopSignal: "SIGINT",
    killStrays: false,
    survive: false,
    exitCodes: [0, 3],
    failures: [
      { kind: "reason", reason: "timeout" },
      { kind: "exit", from: 3, to: 3 },
      { kind: "exit", from: 10, to: 20 },
      { kind: "output", pattern: "^\\[ERR\\] \\d+" },
    ],
    workingDir: "~/x",
    shell: "/bin/bash",
    umask: "027",
    user: "www-data:adm",
    envBase: "clean",
    env: { A: "1" },
    secrets: { B: "2" },
    keepRuns: 0,
    keepFor: 0,
    logMaxSize: 1_048_576,
    logOnFull: "kill_task",
    hookTokens: [{ token: "0123456789abcdef0123456789abcdef", allow: ["run", "stop"] }],
    notify: ["inapp"],
    limits: { memory: 512_000_000, cpu: 1.5 },
    place: undefined,
    cron: "0 2 * * *",
    timezone: "Europe/Berlin",
    jitter: 300_000,
    runOnStart: true,
    catchUp: "all",
    maxCatchUpRuns: 5,
    onOverlap: "queue",
    maxConcurrent: 1024,
    queueMax: 0,
    retryAttempts: 100,
    retryDelay: 1500,
    retryBackoff: "linear",
    expectEvery: 86_400_000,
    warnAfter: 3_600_000,
    pingUrl: "https://hc.example/x",
    params: [],
  });
});

Deno.test("loadConfig() reads every kind of parameter", { permissions: "none" }, () => {
  const { params } = task(`
[tasks.t]
run = "true"
cron = "@daily"
[[tasks.t.params]]
env = "SIZE"
type = "number"
default = 5
choices = [5, "10"]
[[tasks.t.params]]
arg = "target file"
required = true
default = ""
description = "where to"
[[tasks.t.params]]
option = "--level="
choices = ["a", "b"]
allow_custom = true
default = "c"
[[tasks.t.params]]
flag = "-f"
default = true
`);
  assert.deepEqual(params, [
    {
      kind: "env",
      key: "SIZE",
      type: "number",
      required: false,
      allowCustom: false,
      default: "5",
      choices: ["5", "10"],
    },
    {
      kind: "arg",
      key: "target file",
      type: "string",
      required: true,
      allowCustom: false,
      default: "",
      description: "where to",
    },
    {
      kind: "option",
      key: "--level=",
      type: "string",
      required: false,
      allowCustom: true,
      default: "c",
      choices: ["a", "b"],
    },
    { kind: "flag", key: "-f", type: "string", required: false, allowCustom: false, default: "true" },
  ]);
});

Deno.test("loadConfig() reads services with checks and dependencies", { permissions: "none" }, () => {
  const files = `
[services.s]
run = "serve"
instances = 64
depends_on = ["db", "api.cache"]
start_retries = 0
priority = -5
health_check = { tcp = "[::1]:5432", interval = "1s", retries = 0, timeout = 0 }
[services.db]
run = "db"
[services.db.health_check]
http = "http://localhost:1/health"
[services."api.cache"]
run = "cache"
[services."api.cache".health_check]
run = 'test "\${X}" = 1'
`;
  const s = service(files);
  assert.deepEqual([s.instances, s.dependsOn, s.startRetries, s.priority], [64, ["db", "api.cache"], 0, -5]);
  assert.deepEqual(s.healthCheck, {
    probe: { kind: "tcp", host: "::1", port: 5432 },
    interval: 1000,
    timeout: 0,
    retries: 0,
    startPeriod: 0,
  });
  assert.deepEqual(service(files, { name: "db" }).healthCheck, {
    probe: { kind: "http", url: "http://localhost:1/health" },
    interval: 10_000,
    timeout: 5000,
    retries: 2,
    startPeriod: 0,
  });
  assert.deepEqual(service(files, { name: "api.cache" }).healthCheck?.probe, {
    kind: "run",
    run: 'test "${X}" = 1',
  });
});

Deno.test(
  "loadConfig() reads daemon, storage, notifiers, routes and compose",
  { permissions: "none" },
  () => {
    const { daemon, notify, compose } = config({
      "/c/svc.toml": `
[daemon]
timezone = "UTC"
shutdown_timeout = "1m"
external_url = "https://svc.example/"
tls = "auto"
tls_cert = "tls/a.pem"
tls_key = "/etc/b.pem"
trusted_proxies = ["10.0.0.0/8", "::1", "2001:db8::/32"]
max_parallel_runs = 8
metrics = true
metrics_listen = "127.0.0.1:9100"
[storage]
max_size = 0
min_free_space = "1gb"
[notify]
global_notifiers = ["inapp", "ops"]
coalesce_window = 0
keep = 1
keep_for = "1d"
retry_budget = "1h"
[notifiers.ops]
type = "smtp"
host = "mail"
from = "svc <svc@example.com>"
to = "ops@example.com"
template = "{{title}}"
[notifiers.chat]
type = "telegram"
token = "1:x"
chat_id = -100
[[route]]
match = { kinds = ["run.failed"], severity = "error", task = "db-*", failure = true }
notify = ["chat"]
[[route]]
notify = ["ops"]
[compose.shop]
file = "compose.yaml"
services = ["web"]
[compose.shop.web]
instances = 2
timeout = "5s"
`,
      "/c/compose.yaml": "services:\n  web: { image: web }\n",
    });
    assert.deepEqual(daemon, {
      timezone: "UTC",
      shutdownTimeout: 60_000,
      externalUrl: "https://svc.example/",
      tls: "auto",
      tlsCert: "/c/tls/a.pem",
      tlsKey: "/etc/b.pem",
      trustedProxies: ["10.0.0.0/8", "::1", "2001:db8::/32"],
      maxParallelRuns: 8,
      metrics: true,
      metricsListen: "127.0.0.1:9100",
      storageMaxSize: 0,
      storageMinFreeSpace: 1e9,
    });
    assert.deepEqual(notify, {
      globalNotifiers: ["inapp", "ops"],
      coalesceWindow: 0,
      keep: 1,
      keepFor: 86_400_000,
      retryBudget: 3_600_000,
      notifiers: [
        {
          id: "ops",
          type: "smtp",
          template: "{{title}}",
          settings: {
            port: 587,
            tls: "starttls",
            host: "mail",
            from: "svc <svc@example.com>",
            to: ["ops@example.com"],
          },
        },
        { id: "chat", type: "telegram", settings: { token: "1:x", chat_id: "-100" } },
      ],
      routes: [
        { kinds: ["run.failed"], severity: "error", task: "db-*", failure: true, notify: ["chat"] },
        { kinds: [], notify: ["ops"] },
      ],
    });
    assert.deepEqual(compose, [{
      alias: "shop",
      file: "/c/compose.yaml",
      services: ["web"],
      profiles: [],
      group: "",
      nameFormat: "{alias}.{service}",
      pull: "missing",
      withDeps: false,
      overrides: { web: { instances: 2, timeout: "5s" } },
      place: { file: "/c/svc.toml", line: 37, column: 1 },
    }]);
  },
);

Deno.test("loadConfig() lets a unit's own key win over defaults, and defaults over built-in ones", {
  permissions: "none",
}, () => {
  const files = `
[defaults]
run = "default script"
timeout = "1m"
exit_codes = [1, 2]
keep_runs = 7
keep_for = "7d"
api_trigger = false
hook_tokens = [{ token = "0123456789abcdef0123456789abcdef", allow = ["run", "stop"] }]
[tasks.t]
timeout = 0
exit_codes = [3]
[tasks.u]
run = "own"
api_trigger = true
[services.s]
`;
  const t = task(files);
  assert.deepEqual([t.run, t.timeout, t.exitCodes, t.keepRuns, t.apiTrigger], [
    "default script",
    0,
    [3],
    7,
    false,
  ]);
  const u = task(files, { name: "u" });
  assert.deepEqual([u.run, u.timeout, u.exitCodes, u.apiTrigger], ["own", 60_000, [1, 2], true]);
  const { removedKeepRuns, removedKeepFor } = config(files);
  assert.deepEqual([removedKeepRuns, removedKeepFor], [7, 7 * 86_400_000]);
  // What a service can't do falls away from an inherited token.
  assert.deepEqual(service(files).hookTokens.map(({ allow }) => allow), [["stop"]]);
});

Deno.test("loadConfig() merges variables: defaults' file, defaults, unit's file, unit", {
  permissions: "none",
}, () => {
  const files = {
    "/c/svc.toml": `
[daemon]
include = ["units/*.toml"]
[defaults]
env_file = "base.env"
env = { B = "defaults env", C = "defaults env", D = "defaults env" }
secrets_file = "base.secrets"
secrets = { S = "defaults secrets", T = "defaults secrets" }
`,
    "/c/base.env": "A=defaults file\nB=defaults file\nC=defaults file\nD=defaults file\n",
    "/c/base.secrets": "R=defaults file\nS=defaults file\n",
    "/c/units/t.toml": `
[tasks.t]
run = "true"
env_file = "unit.env"
env = { D = "unit env" }
secrets_file = "../unit.secrets"
secrets = { T = "unit secrets" }
[tasks.plain]
run = "true"
`,
    "/c/units/unit.env": "C=unit file\nD=unit file\n",
    "/c/unit.secrets": "S=unit file\nT=unit file\n",
  };
  const t = task(files);
  assert.deepEqual(t.env, { A: "defaults file", B: "defaults env", C: "unit file", D: "unit env" });
  assert.deepEqual(t.secrets, { R: "defaults file", S: "unit file", T: "unit secrets" });
  assert.deepEqual([t.envFile, t.secretsFile], ["/c/units/unit.env", "/c/unit.secrets"]);
  const plain = task(files, { name: "plain" });
  assert.deepEqual(plain.env, {
    A: "defaults file",
    B: "defaults env",
    C: "defaults env",
    D: "defaults env",
  });
  assert.deepEqual([plain.envFile, plain.secretsFile], ["/c/base.env", "/c/base.secrets"]);
});

Deno.test(
  "loadConfig() takes relative paths from the file that defines the key",
  { permissions: "none" },
  () => {
    const files = {
      "/c/svc.toml": '[daemon]\ninclude = ["sub/*.toml"]\n[tasks.root]\nrun = "x"\nworking_dir = "../w"\n',
      "/c/sub/a.toml":
        '[defaults]\nworking_dir = "d"\nshell = "bin/sh"\n[tasks.t]\nrun = "x"\nshell = "bash"\n' +
        "[tasks.own]\nrun = 'x'\nworking_dir = '.'\n",
    };
    assert.equal(task(files, { name: "root" }).workingDir, "/w");
    assert.equal(task(files).workingDir, "/c/sub/d");
    assert.equal(task(files).shell, "bash");
    assert.equal(task(files, { name: "own" }).workingDir, "/c/sub");
    assert.equal(task(files, { name: "own" }).shell, "/c/sub/bin/sh");
  },
);

Deno.test(
  "loadConfig() starts a unit of an included file in that file's folder",
  { permissions: "none" },
  () => {
    const files = {
      "/c/svc.toml": '[daemon]\ninclude = ["sub/a.toml"]\n',
      "/c/sub/a.toml": "[tasks.t]\nrun = 'x'\n",
    };
    assert.equal(task(files).workingDir, "/c/sub");
  },
);

Deno.test("loadConfig() includes what globs match, once, and keeps sources and globs", {
  permissions: "none",
}, () => {
  const { units, sources, includeGlobs } = config({
    "/c/svc.toml":
      '[daemon]\ninclude = ["conf.d/*.toml", "conf.d/b.toml", "/x/**/*.toml"]\n[tasks.m]\nrun = "x"\n' +
      'env_file = "m.env"\ngroup = "${file:group.txt}"\n',
    "/c/conf.d/b.toml": "[tasks.b]\nrun = 'x'\n[services.z]\nrun = 'x'\n",
    "/c/conf.d/a.toml": "\r\n[tasks.a]\r\nrun = '''x'''\r\n",
    "/c/conf.d/.hidden.toml": "nonsense",
    "/c/conf.d/readme.md": "nonsense",
    "/x/y/z/c.toml": "[tasks.c]\nrun = 'x'\n",
    "/c/m.env": "A=1",
    "/c/group.txt": "  g\n",
  });
  assert.deepEqual(units.map(({ name, place }) => `${name} ${place.file}:${place.line}`), [
    "a /c/conf.d/a.toml:2",
    "b /c/conf.d/b.toml:1",
    "c /x/y/z/c.toml:1",
    "m /c/svc.toml:3",
    "z /c/conf.d/b.toml:3",
  ]);
  assert.deepEqual(sources.map(({ path }) => path), [
    "/c/svc.toml",
    "/c/group.txt",
    "/c/conf.d/a.toml",
    "/c/conf.d/b.toml",
    "/x/y/z/c.toml",
    "/c/m.env",
  ]);
  assert.equal(sources[1]?.hash, "hash of 4");
  assert.deepEqual(includeGlobs, ["/c/conf.d/*.toml", "/c/conf.d/b.toml", "/x/**/*.toml"]);
});

Deno.test("loadConfig() takes the folder of the root file as it is, wildcards in its name too", {
  permissions: "none",
}, () => {
  const path = "/c/[a] {b}*/svc.toml";
  const { units } = config({
    [path]: '[daemon]\ninclude = ["u/*.toml"]\n',
    "/c/[a] {b}*/u/t.toml": "[tasks.t]\nrun = 'x'\n",
    "/c/a b/u/no.toml": "nonsense",
  }, { path });
  assert.deepEqual(units.map(({ name }) => name), ["t"]);
});

Deno.test("loadConfig() places units however they are written", { permissions: "none" }, () => {
  const { units } = config(`tasks.dotted.run = "x"
services = { inline = { run = "x" } }
[tasks."with.dot"]
run = """
[tasks.indented]
"""
  [ tasks . indented ] # note
run = 'x' # """
[tasks.'quoted:1']
run = "x"
[tasks.late.env]
A = "1"
[tasks.late]
run = "x"
`);
  assert.deepEqual(units.map(({ name, place }) => `${name} ${place.line}:${place.column}`), [
    "dotted 1:7",
    "indented 7:3",
    "inline 2:14",
    "late 13:1",
    "quoted:1 9:1",
    "with.dot 3:1",
  ]);
});

Deno.test(
  "loadConfig() calls an empty file valid and says that nothing is in it",
  { permissions: "none" },
  () => {
    for (const text of ["", "\n# nothing\n", "[tasks]\n", "[daemon]\n"]) {
      const { config, errors, warnings } = load(text);
      assert.deepEqual(errors, []);
      assert.deepEqual(config?.units, []);
      assert.deepEqual(lines(warnings), [
        "0:0 : no task and no service is defined: add a [tasks.NAME] or [services.NAME] table",
      ]);
    }
  },
);

Deno.test(
  "loadConfig() waits for services that a compose import defines",
  { permissions: "none" },
  () => {
    const compose = '[compose.shop]\nfile = "c.yaml"\nservices = ["db"]\n';
    const yaml = "services:\n  db: { image: db }\n  web: { image: web }\n";
    const dependent = (name: string) => ({
      "/c/svc.toml": `${compose}[services.s]\nrun = "x"\ndepends_on = ["${name}"]\n`,
      "/c/c.yaml": yaml,
    });
    assert.deepEqual(service(dependent("shop.db")).dependsOn, ["shop.db"]);
    assert.equal(load(dependent("shop.web")).errors.length, 1);
  },
);

Deno.test("loadConfig() warns of a service that waits for one which does not start by itself", {
  permissions: "none",
}, () => {
  const text = `[services.db]
run = "x"
autostart = false
[services.web]
run = "x"
depends_on = ["cache", "db"]
[services.cache]
run = "x"
[services.tool]
run = "x"
autostart = false
depends_on = ["db"]
`;
  const { errors, warnings } = load(text);
  assert.deepEqual(errors, []);
  assert.deepEqual(lines(warnings), [
    '6:1 services.web.depends_on: "db" does not start by itself (autostart = false), and this waits until somebody starts it',
  ]);
});
