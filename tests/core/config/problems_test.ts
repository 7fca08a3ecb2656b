import assert from "node:assert/strict";
import { lines, load } from "./memory.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";

/** A root file and exactly what is to be said about it. */
const table: [what: string, text: string, said: string[]][] = [
  ["an unknown section", 'colour = 1\n[task.a]\nrun = "x"\n', [
    '1:1 colour: unknown key "colour": known here are "daemon", "storage", "defaults", "notify", "tasks", ' +
    '"services", "compose", "notifiers", "route"',
    '2:1 task: unknown key "task": did you mean "tasks"?',
  ]],
  ["a mistyped key", '[tasks.a]\nrun = "x"\ncronn = "* * * * *"\n', [
    '3:1 tasks.a.cronn: unknown key "cronn": did you mean "cron"?',
  ]],
  ["a key that resembles none", '[tasks.a]\nrun = "x"\nflavour = 1\n', [
    '3:1 tasks.a.flavour: unknown key "flavour": remove it, or look it up in the output of "svc schema"',
  ]],
  [
    "keys of the other kind of unit",
    '[tasks.a]\nrun = "x"\ninstances = 2\n[services.b]\nrun = "x"\ncron = "@daily"\n' +
    '[defaults]\ncron = "@daily"\nrestart = "never"\n',
    [
      '3:1 tasks.a.instances: "instances" belongs to services: a task runs by schedule or request',
      '6:1 services.b.cron: "cron" belongs to tasks: services run always',
      '8:1 defaults.cron: "cron" belongs to tasks: [defaults] takes what tasks and services share',
      '9:1 defaults.restart: "restart" belongs to services: [defaults] takes what tasks and services share',
    ],
  ],
  [
    "values of the wrong type",
    '[tasks.a]\nrun = 5\ntimeout = 5\nkeep_runs = "9"\nrun_on_start = "yes"\nexit_codes = 0\nenv = ["A=1"]\n' +
    'limits = "x"\ndescription = 2020-01-01\non_overlap = true\nfailures = [3]\nlog_max_size = []\n',
    [
      "2:1 tasks.a.run: expected a string, got the number 5",
      '3:1 tasks.a.timeout: expected a duration such as "90s", got the number 5',
      '4:1 tasks.a.keep_runs: expected a whole number, got the string "9"',
      '5:1 tasks.a.run_on_start: expected true or false, got the string "yes"',
      "6:1 tasks.a.exit_codes: expected a list, got the number 0",
      "7:1 tasks.a.env: expected a table, got a list",
      '8:1 tasks.a.limits: expected a table, got the string "x"',
      "9:1 tasks.a.description: expected no date or time: write it as text in quotes",
      '10:1 tasks.a.on_overlap: expected one of "queue", "skip", "terminate", got true',
      "11:1 tasks.a.failures: expected a string, got the number 3",
      '12:1 tasks.a.log_max_size: expected a size such as "100mb", got a list',
    ],
  ],
  [
    "numbers out of bounds",
    '[tasks.a]\nrun = "x"\nmax_concurrent = 0\nqueue_max = 10001\nretry_attempts = 1.5\nexit_codes = [0, 256, -1]\n' +
    "max_catch_up_runs = 0\nkeep_runs = -1\nlimits = { cpu = -1, pids = nan }\n" +
    '[services.b]\nrun = "x"\ninstances = 65\nstart_retries = -2\n',
    [
      "3:1 tasks.a.max_concurrent: expected at least 1, got 0",
      "4:1 tasks.a.queue_max: expected at most 10000, got 10001",
      "5:1 tasks.a.retry_attempts: expected a whole number, got 1.5",
      "6:1 tasks.a.exit_codes: expected at most 255, got 256",
      "6:1 tasks.a.exit_codes: expected at least 0, got -1",
      "7:1 tasks.a.max_catch_up_runs: expected at least 1, got 0",
      "8:1 tasks.a.keep_runs: expected at least 0, got -1",
      "9:12 tasks.a.limits.cpu: expected 0 or more, got -1",
      "9:22 tasks.a.limits.pids: expected a whole number, got NaN",
      "12:1 services.b.instances: expected at most 64, got 65",
      "13:1 services.b.start_retries: expected at least -1, got -2",
    ],
  ],
  [
    "malformed values",
    '[tasks.a]\nrun = " "\nexit_codes = []\ntimezone = "Mars/Olympus"\ntimeout = "5"\nlog_max_size = "5 mb"\n' +
    'umask = "999"\nstop_signal = "SIGFOO"\ncatch_up = "lates"\nping_url = "ftp://user:pass@x"\nshell = ""\n',
    [
      "2:1 tasks.a.run: is empty: give it a value, or leave the key out",
      "3:1 tasks.a.exit_codes: is an empty list: name at least one, or leave the key out",
      '4:1 tasks.a.timezone: "Mars/Olympus" is no time zone: write one such as "Europe/Berlin" or "UTC"',
      '5:1 tasks.a.timeout: "5" is no duration: write number and unit as in "90s" or "1h30m" (ns us ms s m h d w)',
      '6:1 tasks.a.log_max_size: "5 mb" is no size: write bytes, or a number with k m g t, as in "100mb" or "1gib"',
      '7:1 tasks.a.umask: "999" is no umask: write octal digits, as in "027"',
      '8:1 tasks.a.stop_signal: "SIGFOO" is no signal of this system: write a name such as "SIGTERM" or "SIGINT"',
      '9:1 tasks.a.catch_up: "lates" is not one of "latest", "all", "skip": did you mean "latest"?',
      '10:1 tasks.a.ping_url: is no web address: write one that begins with "http://" or "https://"',
      "11:1 tasks.a.shell: is empty: give it a value, or leave the key out",
    ],
  ],
  ["units without a script", "[tasks.a]\n[services.b]\n[tasks]\nc = 5\n", [
    '1:1 tasks.a.run: is missing: a task needs "run", the script to execute',
    '2:1 services.b.run: is missing: a service needs "run", the script to execute',
    "4:1 tasks.c: expected a table, got the number 5",
  ]],
  [
    "names that can't be",
    `[tasks."-a"]\nrun = "x"\n[tasks."a b"]\nrun = "x"\n[services.${"n".repeat(101)}]\nrun = "x"\n`,
    [
      '1:1 tasks.-a: "-a" is no valid name: use 1 to 100 letters, digits and . _ : -, beginning with a letter or digit',
      '3:1 tasks."a b": "a b" is no valid name: use 1 to 100 letters, digits and . _ : -, beginning with a letter or digit',
      `5:1 services.${"n".repeat(101)}: "${
        "n".repeat(79)
      }…" is no valid name: use 1 to 100 letters, digits and ` +
      ". _ : -, beginning with a letter or digit",
    ],
  ],
  ["a name used twice in one file", '[tasks.a]\nrun = "x"\n[services.a]\nrun = "x"\n', [
    '3:1 services.a: "a" is defined twice: as a task in the same file, and as a service in /c/svc.toml: rename or remove one',
  ]],
  [
    "rules among the keys of a task",
    '[tasks.a]\nrun = "x"\ncatch_up = "all"\non_overlap = "skip"\napi_trigger = true\nmanual_trigger = false\nuser = "bob"\n',
    [
      '3:1 tasks.a.catch_up: catch_up = "all" needs on_overlap = "queue", got "skip"',
      '6:1 tasks.a.manual_trigger: "manual_trigger" is another name of "api_trigger": keep one of them',
      '7:1 tasks.a.user: cannot run as "bob": only root may change the account, and this is not root',
    ],
  ],
  [
    "dependencies that can't be",
    '[tasks.t]\nrun = "x"\n[services.web]\nrun = "x"\ndepends_on = ["t", "wep", "nothing", "web"]\n',
    [
      '5:1 services.web.depends_on: "t" is a task, and only services can be waited for',
      '5:1 services.web.depends_on: no service is named "wep": did you mean "web"?',
      '5:1 services.web.depends_on: no service is named "nothing": define it, or remove it from depends_on',
      '5:1 services.web.depends_on: "web" can\'t wait for itself: remove it from depends_on',
    ],
  ],
  [
    "circles",
    '[services.c]\nrun = "x"\ndepends_on = ["a"]\n[services.a]\nrun = "x"\ndepends_on = ["b"]\n[services.b]\nrun = "x"\n' +
    'depends_on = ["c"]\n[services.d]\nrun = "x"\ndepends_on = ["a", "e"]\n[services.e]\nrun = "x"\ndepends_on = ["d"]\n',
    [
      "6:1 services.a.depends_on: depends_on goes round in a circle: a → b → c → a",
      "12:1 services.d.depends_on: depends_on goes round in a circle: d → e → d",
    ],
  ],
  [
    "health checks",
    '[services.a]\nrun = "x"\n[services.a.health_check]\ninterval = "0s"\n[services.b]\nrun = "x"\n' +
    '[services.b.health_check]\nhttp = "localhost"\ntcp = "localhost"\nretries = -1\n[services.c]\nrun = "x"\n' +
    'health_check = { tcp = "x:70000", timout = "1s" }\n',
    [
      '3:1 services.a.health_check: a health check needs exactly one of "run", "http" and "tcp", got none',
      '4:1 services.a.health_check.interval: expected more than 0, got "0s": none makes no sense here',
      '7:1 services.b.health_check: a health check needs exactly one of "run", "http" and "tcp", got "http" and "tcp"',
      '8:1 services.b.health_check.http: is no web address: write one that begins with "http://" or "https://"',
      '9:1 services.b.health_check.tcp: "localhost" is no address: write host and port (1 to 65535), as in "127.0.0.1:9100" or "[::1]:9100"',
      "10:1 services.b.health_check.retries: expected at least 0, got -1",
      '13:18 services.c.health_check.tcp: "x:70000" is no address: write host and port (1 to 65535), as in "127.0.0.1:9100" or "[::1]:9100"',
      '13:35 services.c.health_check.timout: unknown key "timout": did you mean "timeout"?',
    ],
  ],
  [
    "parameters",
    '[tasks.a]\nrun = "x"\ncron = "@daily"\n' + [
      'env = "A"\narg = "B"',
      'type = "number"',
      'env = "1A"\nrequired = true',
      'env = "SVC_RUN_ID"',
      'option = "--size"\ntype = "number"\ndefault = "big"\nchoices = [1, "two"]',
      'flag = "-size"\ndefault = "maybe"\ntype = "number"',
      'flag = "--force="',
      'option = "two words"\ndefault = "c"\nchoices = ["a", "b"]',
      'arg = "x"\ntpye = "number"',
    ].map((keys) => `[[tasks.a.params]]\n${keys}\n`).join(""),
    [
      '4:1 tasks.a.params[0]: a parameter needs exactly one of "env", "arg", "option" and "flag", got "env" and "arg"',
      '7:1 tasks.a.params[1]: a parameter needs exactly one of "env", "arg", "option" and "flag", got none',
      '10:1 tasks.a.params[2].env: "1A" is no name of an environment variable: use letters, digits and _, the first no digit',
      '11:1 tasks.a.params[2].required: "1A" is required, but cron gives no values: add a default',
      '13:1 tasks.a.params[3].env: "SVC_RUN_ID" is reserved: names with SVC_ are set by the daemon',
      '17:1 tasks.a.params[4].default: "big" is no number',
      '18:1 tasks.a.params[4].choices: "two" is no number',
      '20:1 tasks.a.params[5].flag: "-size" names two parameters (callers may leave dashes off, so "--size" is the same): rename one',
      '21:1 tasks.a.params[5].default: "maybe" is no value of a flag: write "true" or "false"',
      '22:1 tasks.a.params[5].type: a flag is true or false: leave "type" out',
      '24:1 tasks.a.params[6].flag: the flag "--force=" ends in "=", but a flag has no value: use "option"',
      '26:1 tasks.a.params[7].option: "two words" is no token: write one word such as "--size", "-s" or "--size="',
      '27:1 tasks.a.params[7].default: the default "c" is not among choices: add it there, or set allow_custom = true',
      '31:1 tasks.a.params[8].tpye: unknown key "tpye": did you mean "type"?',
    ],
  ],
  [
    "hook tokens",
    '[services.a]\nrun = "x"\nhook_tokens = [\n  { token = "short", allow = ["stop"] },\n' +
    `  { token = "${TOKEN}", allow = ["run"] },\n  { token = "${TOKEN}", allow = ["stop"] },\n` +
    `  { token = "${TOKEN} ${TOKEN}", allow = ["fly"] },\n  { token = 5, alow = [] },\n]\n[services.b]\nrun = "x"\n` +
    `hook_tokens = [\n  { token = "${TOKEN}", allow = ["run"] },\n  { token = "${TOKEN}", allow = ["stop"] },\n]\n`,
    [
      "4:5 services.a.hook_tokens[0].token: the token has 5 characters: make it 32 or more, and random",
      "7:5 services.a.hook_tokens[3].token: the token holds white space, which a request can't carry",
      '7:82 services.a.hook_tokens[3].allow: "fly" is not one of "run", "start", "stop", "restart"',
      '8:3 services.a.hook_tokens[4].allow: is missing: "allow" is required here',
      "8:5 services.a.hook_tokens[4].token: expected a string, got a number",
      '8:16 services.a.hook_tokens[4].alow: unknown key "alow": did you mean "allow"?',
      '13:49 services.b.hook_tokens[0].allow: a service can\'t be "run": allow "start", "stop" or "restart"',
      "14:5 services.b.hook_tokens[1].token: the same token stands twice in this unit",
    ],
  ],
  [
    "failures",
    `[tasks.a]\nrun = "x"\nfailures = ["failde", "256", "20-10", "output:", 'output:(', 'output:(a)\\1', 'output:(?<!x)y', "success"]\n` +
    `[tasks.b]\nrun = "x"\nfailures = ['output:(?i)a\\-b [\\-"(?=] \\"x\\"']\n`,
    [
      '3:1 tasks.a.failures: "failde" is no kind of failure: did you mean "failed"?',
      '3:1 tasks.a.failures: "256" holds an exit code over 255',
      '3:1 tasks.a.failures: the range "20-10" runs backwards: write "10-20"',
      '3:1 tasks.a.failures: "output:" needs a regular expression behind it',
      '3:1 tasks.a.failures: "(" is no regular expression: missing closing ): `(`',
      '3:1 tasks.a.failures: the regular expression "(a)\\\\1" has a back-reference, which no search in linear time can do: write it without',
      '3:1 tasks.a.failures: the regular expression "(?<!x)y" has a look-around, which no search in linear time can do: write it without',
      '3:1 tasks.a.failures: "success" is no kind of failure: write a reason (failed, stopped, timeout, crashed, skipped, ' +
      'log_overflow, queue_full, dst_skipped, daemon_stopped, missed, start_failed, unhealthy), an exit code "3", a range "10-20" or "output:REGEX"',
    ],
  ],
  [
    "notifiers that are not there",
    '[notify]\nglobal_notifiers = ["inap", "ops"]\nkeep = 0\n[notifiers.ops]\ntype = "slack"\nurl = "https://x"\n' +
    '[tasks.a]\nrun = "x"\nnotify = ["opss"]\n[[route]]\nnotify = ["pager"]\nmatch = { kind = ["run.failed"] }\n',
    [
      '2:1 notify.global_notifiers: no notifier is named "inap": did you mean "inapp"?',
      "3:1 notify.keep: expected at least 1, got 0",
      '9:1 tasks.a.notify: no notifier is named "opss": did you mean "ops"?',
      '11:1 route[0].notify: no notifier is named "pager": define it under [notifiers]',
      '12:11 route[0].match.kind: unknown key "kind": did you mean "kinds"?',
    ],
  ],
  [
    "templates and headers of notifiers",
    '[notifiers.a]\ntype = "slack"\nurl = "https://x"\ntemplate = "{{title}}\\n{{ bodi }}"\n' +
    '[notifiers.b]\ntype = "webhook"\nurl = "https://x"\ntemplate = " "\n' +
    'headers = { "X Team" = "hunter2", ok = "hunter2\\nX-Evil: 1" }\n' +
    '[notifiers.c]\ntype = "webhook"\nurl = "https://x"\nheaders = { X-Key = 5 }\n',
    [
      "4:1 notifiers.a.template: unknown placeholder {{bodi}}: did you mean {{body}}?",
      "8:1 notifiers.b.template: is empty: give it a value, or leave the key out",
      '9:13 notifiers.b.headers."X Team": the name of a request header is of letters, digits and dashes, as in "X-Team"',
      "9:35 notifiers.b.headers.ok: holds a line break or a character that no request header may hold",
      "13:13 notifiers.c.headers.X-Key: expected a string, got a number",
    ],
  ],
  [
    "notifiers with wrong settings",
    '[notifiers.a]\nurl = "https://x"\n[notifiers.b]\ntype = "slak"\n[notifiers.c]\ntype = "ntfy"\nurl = "hunter2"\n' +
    'tokn = "hunter2"\n[notifiers.inapp]\ntype = "slack"\nurl = "https://x"\n[notifiers.d]\ntype = "smtp"\nhost = "x"\n' +
    'from = "nobody"\nto = []\nport = 0\n[notifiers]\ne = 5\n[[route]]\n',
    [
      '1:1 notifiers.a.type: is missing: a notifier needs a "type", one of webhook, slack, discord, telegram, ntfy, gotify, pushover, smtp, sendmail',
      '4:1 notifiers.b.type: "slak" is not one of "webhook", "slack", "discord", "telegram", "ntfy", "gotify", "pushover", "smtp", "sendmail": did you mean "slack"?',
      '5:1 notifiers.c.topic: is missing: "topic" is required here',
      '7:1 notifiers.c.url: is no web address: write one that begins with "http://" or "https://"',
      '8:1 notifiers.c.tokn: unknown key "tokn": did you mean "token"?',
      '9:1 notifiers.inapp: "inapp" is built in: choose another id',
      '15:1 notifiers.d.from: expected a mail address such as "svc@example.com"',
      '16:1 notifiers.d.to: expected a mail address such as "ops@example.com", or a list of them',
      "17:1 notifiers.d.port: expected at least 1, got 0",
      "19:1 notifiers.e: expected a table, got the number 5",
      '20:1 route[0].notify: is missing: "notify" is required here',
    ],
  ],
  [
    "settings of the daemon",
    '[daemon]\ntimezone = "X"\nexternal_url = "svc.example"\ntls_cert = "a.pem"\ntrusted_proxies = ["10.0.0.0/33", "::g", "1.2.3.4"]\n' +
    'metrics_listen = "9100"\ntls = true\nmax_parallel_runs = "8"\n[storage]\nmax_size = "lots"\n',
    [
      '2:1 daemon.timezone: "X" is no time zone: write one such as "Europe/Berlin" or "UTC"',
      '3:1 daemon.external_url: is no web address: write one that begins with "http://" or "https://"',
      '4:1 daemon.tls_cert: "tls_cert" needs "tls_key" beside it',
      '5:1 daemon.trusted_proxies: "10.0.0.0/33" is no network: write an address with a prefix, as in "10.0.0.0/8"',
      '5:1 daemon.trusted_proxies: "::g" is no network: write an address with a prefix, as in "10.0.0.0/8"',
      '6:1 daemon.metrics_listen: "9100" is no address: write host and port (1 to 65535), as in "127.0.0.1:9100" or "[::1]:9100"',
      '7:1 daemon.tls: expected one of "off", "auto", got true',
      '8:1 daemon.max_parallel_runs: expected a whole number, got the string "8"',
      '10:1 storage.max_size: "lots" is no size: write bytes, or a number with k m g t, as in "100mb" or "1gib"',
    ],
  ],
  [
    "compose imports",
    '[compose.a]\nprofles = "x"\nname_format = "{alias}"\n[compose.b]\nfile = "c.yaml"\nservices = ["web"]\n[compose.b.wep]\n' +
    'run = "x"\ninstanses = 2\n',
    [
      '1:1 compose.a.file: is missing: "file" is required here',
      '2:1 compose.a.profles: unknown key "profles": did you mean "profiles"?',
      '3:1 compose.a.name_format: needs "{service}" in it, or all services would share one name',
      '5:1 compose.b.file: cannot use "/c/c.yaml": cannot read "/c/c.yaml": there is no such file',
      '7:1 compose.b.wep: unknown key "wep": did you mean "web"?; "services" does not name it either',
      '8:1 compose.b.wep.run: "run" is set by the import: a compose service runs its own command',
      '9:1 compose.b.wep.instanses: unknown key "instanses": did you mean "instances"?',
    ],
  ],
  ["sections that are no tables", "daemon = 1\ntasks = []\nroute = 5\ndefaults = true\n", [
    "1:1 daemon: expected a table, got the number 1",
    "2:1 tasks: expected a table of tables, as in [tasks.NAME], got a list",
    "3:1 route: expected a list of tables, as in [[route]], got the number 5",
    "4:1 defaults: expected a table, got true",
  ]],
  [
    "faulty values beside rules about them, each told once",
    '[tasks.a]\nrun = "x"\ncatch_up = "all"\non_overlap = "skp"\ncron = "@daily"\n' +
    '[[tasks.a.params]]\nenv = 5\n[[tasks.a.params]]\nenv = "X"\nrequired = true\ndefault = []\n',
    [
      '4:1 tasks.a.on_overlap: "skp" is not one of "queue", "skip", "terminate": did you mean "skip"?',
      "7:1 tasks.a.params[0].env: expected a string, got the number 5",
      "11:1 tasks.a.params[1].default: expected a string, a number, true or false, got a list",
    ],
  ],
  [
    "secrets, without quoting one",
    '[tasks.a]\nrun = "x"\nsecrets = { A = 4711, "B C" = "hunter2" }\nenv = { "" = "hunter2" }\n',
    [
      "3:13 tasks.a.secrets.A: expected a string, got a number",
      '3:23 tasks.a.secrets."B C": "B C" is no name of a variable: use letters, digits and _',
      '4:9 tasks.a.env."": "" is no name of a variable: use letters, digits and _',
    ],
  ],
];

for (const [what, text, said] of table) {
  Deno.test(`loadConfig() tells of ${what}`, { permissions: "none" }, () => {
    const { config, errors } = load(text);
    assert.deepEqual(lines(errors), said);
    assert.equal(config, undefined);
    assert.ok(!JSON.stringify(errors).includes("hunter2"));
  });
}

Deno.test(
  "loadConfig() places a syntax error and quotes nothing of the file",
  { permissions: "none" },
  () => {
    const { errors, warnings } = load('[tasks.a]\r\nrun = "x"\r\nsecrets = { A = "hunter2 }\r\n');
    assert.deepEqual(errors.map(({ line, key }) => [line, key]), [[3, ""]]);
    assert.match(errors[0]?.message ?? "", /^not valid TOML: [^\n]+[^.\n]$/);
    assert.ok(!JSON.stringify(errors).includes("hunter2"));
    assert.deepEqual(warnings, []);
  },
);

Deno.test("loadConfig() names the header that stands twice", { permissions: "none" }, () => {
  const { errors } = load('[tasks.a]\nrun = "x"\n[tasks.a]\nrun = "y"\n');
  assert.equal(errors[0]?.line, 3);
  assert.match(errors[0]?.message ?? "", /: \[tasks\.a\] stands twice$/);
});

Deno.test(
  "loadConfig() checks all files, whatever is wrong with one of them",
  { permissions: "none" },
  () => {
    const { errors } = load({
      "/c/svc.toml": '[daemon]\ninclude = ["b.toml", "a.toml", "d.toml", "gone.toml", "svc.toml"]\n' +
        '[defaults]\ntimeout = "x"\n[tasks.a]\nrun = "x"\n[notifiers.n]\ntype = "slack"\nurl = "https://x"\n',
      "/c/a.toml": '[tasks.q\nrun = "x"\n',
      "/c/b.toml": '[tasks.a]\nrun = "x"\nretry_attempts = 101\n[daemon]\ninclude = ["x"]\n[defaults]\n' +
        '[notifiers.n]\ntype = "slack"\nurl = "https://x"\n[services.s]\nrun = "x"\n',
      "/c/d.toml": '[services.s]\nrun = "x"\n',
    });
    assert.deepEqual(lines(errors), [
      '2:1 daemon.include: cannot read "/c/gone.toml": there is no such file',
      '2:1 daemon.include: include "svc.toml" is the root file itself: remove it',
      '4:1 defaults.timeout: "x" is no duration: write number and unit as in "90s" or "1h30m" (ns us ms s m h d w)',
      "a.toml 1:9 : not valid TOML: illegal character in key",
      'b.toml 1:1 tasks.a: "a" is defined twice: as a task in /c/svc.toml, and as a task in /c/b.toml: rename or remove one',
      "b.toml 4:1 daemon: [daemon] is defined in /c/svc.toml already: keep one of the two",
      'b.toml 5:1 daemon.include: "include" works in the root file only: move it to /c/svc.toml',
      "b.toml 6:1 defaults: [defaults] is defined in /c/svc.toml already: keep one of the two",
      "b.toml 7:1 notifiers.n: [notifiers.n] is defined in /c/svc.toml and in /c/b.toml: keep one of the two",
      'd.toml 1:1 services.s: "s" is defined twice: as a service in /c/b.toml, and as a service in /c/d.toml: rename or remove one',
    ]);
  },
);

Deno.test("loadConfig() tells of a root file that can't be read, and of nothing else", {
  permissions: "none",
}, () => {
  const { errors, warnings, config } = load({});
  assert.deepEqual(lines(errors), ['0:0 : cannot read "/c/svc.toml": there is no such file']);
  assert.deepEqual([warnings, config], [[], undefined]);
});

Deno.test("loadConfig() places every error of a file that only one of its two parsers takes", {
  permissions: "none",
}, () => {
  const { errors } = load(
    '[tasks.a]\nrun = "x"\nenv = { A = 2021-02-30 }\n[tasks.c]\nrun = 3\nlimits = { cpu = -1 }\n[tasks.c.env]\nB = 1\n',
  );
  assert.deepEqual(errors.map(({ line, column, key }) => `${line}:${column} ${key}`), [
    "3:1 tasks.a.env.A",
    // As near as a look at the lines comes.
    "4:1 tasks.c.env.B",
    "5:1 tasks.c.run",
    "6:1 tasks.c.limits.cpu",
  ]);
  // The reader of files takes the first mark of the byte order away, and some editors leave two.
  const marked = load("\ufeff[tasks.a]\nrun = 3\n").errors;
  assert.deepEqual(marked.map(({ line, column }) => [line, column]), [[2, 1]]);
});

Deno.test("loadConfig() tells of dotenv files once, with key, file and every bad line", {
  permissions: "none",
}, () => {
  const { errors } = load({
    "/c/svc.toml":
      '[tasks.a]\nrun = "x"\nenv_file = "x.env"\nsecrets_file = "gone.env"\n[tasks.b]\nrun = "x"\nenv_file = "x.env"\n',
    "/c/x.env": "A=1\nhunter2\nB='hunter2\n",
  });
  assert.deepEqual(lines(errors), [
    '3:1 tasks.a.env_file: cannot use dotenv file "/c/x.env", line 2: expected KEY=VALUE, found no "="; line 3: the single ' +
    "quote is not closed on its line",
    '4:1 tasks.a.secrets_file: cannot read "/c/gone.env": there is no such file',
  ]);
});

Deno.test(
  "loadConfig() warns of includes that match nothing or the root file",
  { permissions: "none" },
  () => {
    const { config, warnings } = load({
      "/c/svc.toml": '[daemon]\ninclude = ["none/*.toml", "*.toml"]\n[tasks.a]\nrun = "x"\n',
      "/c/b.toml": '[tasks.b]\nrun = "x"\n',
    });
    assert.deepEqual(config?.units.map(({ name }) => name), ["a", "b"]);
    assert.deepEqual(lines(warnings), [
      '2:1 daemon.include: include "none/*.toml" matches no file',
      '2:1 daemon.include: include "*.toml" matches the root file itself, which is left out: narrow the pattern',
    ]);
  },
);

Deno.test("loadConfig() names the first place of a thousand, and each of a thousand errors", {
  permissions: "none",
}, () => {
  const text = Array.from(
    { length: 1000 },
    (_, n) => `[tasks.t${n}]\nrun = """\n[tasks.x]\n"""\ntimeuot = "1s"\n`,
  ).join("");
  const { errors } = load(text);
  assert.deepEqual(errors.map(({ line }) => line), Array.from({ length: 1000 }, (_, n) => n * 5 + 5));
});

Deno.test("loadConfig() tells of schedules that are malformed or never fire", { permissions: "none" }, () => {
  const { errors } = load(
    '[tasks.a]\nrun = "x"\ncron = "61 * * * *"\n[tasks.b]\nrun = "x"\ncron = "0 0 30 2 *"\n[tasks.c]\nrun = "x"\ncron = ""\n',
  );
  assert.deepEqual(errors.map(({ line, column, key }) => `${line}:${column} ${key}`), [
    "3:1 tasks.a.cron",
    "6:1 tasks.b.cron",
    "9:1 tasks.c.cron",
  ]);
  for (const { message } of errors) assert.match(message, /\w[^.\n]+[^.\n]$/);
});

Deno.test("loadConfig() lists a thousand errors, and says how many more there are", () => {
  const tables = Array.from({ length: 1_500 }, (_, i) => `[tasks.t${i}]\nrun = "x"\ncolour = "blue"\n`);
  const { config, errors } = load(tables.join(""));
  assert.equal(config, undefined);
  assert.equal(errors.length, 1_001);
  assert.equal(errors[999]?.line, 3 * 1_000);
  assert.deepEqual(lines(errors.slice(-1)), ["0:0 : and 500 more errors, which are not listed"]);
});

Deno.test("loadConfig() shortens a circle and the names that it lists where there are thousands", () => {
  const count = 5_000;
  const circle = Array.from(
    { length: count },
    (_, i) => `[services.s${i}]\nrun = "x"\ndepends_on = ["s${(i + 1) % count}"]\n`,
  );
  const [error] = load(circle.join("")).errors;
  assert.match(error?.message ?? "", /^depends_on goes round in a circle: s0 → s1 → .*\(4981 more\).* → s0$/);
  assert.ok(error!.message.length < 400);
  const services = Array.from({ length: count }, (_, i) => `  s${i}: {restart: "odd${i}"}\n`).join("");
  const files = { "/c/c.yml": `services:\n${services}` };
  const unknown = load({
    ...files,
    "/c/svc.toml": '[compose.a]\nfile = "c.yml"\nservices = ["nothing-like"]\n',
  });
  assert.match(unknown.errors[0]?.message ?? "", /it has s0, s1, .*, s19 and 4980 more$/);
  const { config, warnings } = load({ ...files, "/c/svc.toml": '[compose.a]\nfile = "c.yml"\n' });
  assert.equal(config?.units.length, count);
  assert.match(warnings[0]?.message ?? "", /; and 4980 more: say it in \[compose\.a\.SERVICE\]$/);
});

Deno.test("loadConfig() refuses globs that are too long or nested too deeply", () => {
  const { errors } = load(
    `[daemon]\ninclude = ["${"a*".repeat(600)}", "${"{".repeat(9)}"]\n[tasks.t]\nrun = "x"\n` +
      `[[route]]\nnotify = ["inapp"]\nmatch = { task = "${"{".repeat(9)}" }\n`,
  );
  assert.deepEqual(lines(errors), [
    "2:1 daemon.include: has 1200 characters, and a glob may have 1024: shorten it, or write several",
    "2:1 daemon.include: has braces in more than 8 levels: write several globs in its place",
    "7:11 route[0].match.task: has braces in more than 8 levels: write several globs in its place",
  ]);
});
