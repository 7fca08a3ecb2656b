/** What programs read: the JSON of each command, of a real engine or of the real thing behind `Locals`, word for word. */

import assert from "node:assert/strict";
import { catalog } from "../../src/cli/catalog.ts";
import type { Locals, ServiceState } from "../../src/cli/locals.ts";
import { runImport } from "../../src/local/import/run_import.ts";
import { loadConfigFile } from "../../src/io/config_files.ts";
import { restore } from "../../src/local/restore.ts";
import { configSchema } from "../../src/local/schema.ts";
import { validate } from "../../src/local/validate.ts";
import { inFolder, write } from "../support/folder.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { hour, minute, noon, param, second, service, task } from "../support/units.ts";
import { goldens, matchGolden } from "./golden.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";
import { quietMachine } from "../support/quiet_machine.ts";

const units = [
  task({
    name: "backup-db",
    cron: "30 2 * * *",
    timezone: "Europe/Berlin",
    description: "Nightly dump",
    group: "databases",
    timeout: hour,
    jitter: minute,
    retryAttempts: 1,
    env: { LEVEL: "9" },
    envFile: "/etc/test/backup.env",
    secretsFile: "/etc/test/backup.secrets",
    params: [
      param({
        kind: "env",
        key: "TARGET",
        default: "/srv",
        description: "Where to",
        choices: ["/srv", "/mnt"],
      }),
      param({ kind: "flag", key: "--full" }),
    ],
  }),
  task({ name: "held", cron: "@every 6h" }),
  task({ name: "lost" }),
  service({ name: "db" }),
  service({ name: "web", instances: 2, dependsOn: ["db"] }),
];

/** A daemon in whose past and present there is one of everything that its answers have a field for. */
async function makeDaemon(): Promise<TestEngine> {
  const test = await makeEngine({ units });
  const { engine, clock, processes } = test;
  engine.watch();
  for (const process of [...processes.alive("web"), ...processes.alive("db")]) {
    process.used = { cpuMs: 20, memoryBytes: 2 ** 20, oomKills: 0 };
  }
  processes.only("db").print("up\n");
  processes.only("db").print("10 %\r20 %\r30 %\n", "stderr");
  engine.pause("held");
  processes.behave("lost", { refuses: 'no such folder "/nope"' });
  engine.run("lost", { trigger: "cli" });
  engine.run("backup-db", { trigger: "hook", params: { full: "true" } });
  const failing = processes.only("backup-db");
  failing.used = { cpuMs: 1500, memoryBytes: 0, peakBytes: 64e6, oomKills: 0 };
  failing.print("no space left\n", "stderr");
  await clock.advance(second);
  failing.exit(2);
  // The retry is there, and runs.
  await clock.advance(10 * second);
  processes.only("backup-db").print(`${"x".repeat(70_000)}\n`);
  await clock.advance(second);
  return test;
}

const capabilities = [{ name: "cgroup", available: true }, { name: "docker", available: false }];

/** Calls a command on a daemon; what is told in JSON has no part of a path that differs from test to test. */
function caller(test: TestEngine, own: Partial<Locals> = {}) {
  const fetch = fetchFrom(test, { facts: { dataDir: test.folder, capabilities } });
  return async (line: string, locals: Partial<Locals> = own): Promise<{ code: number; json: string }> => {
    const { code, stdout, stderr } = await call([...line.split(" "), "--json"], {
      fetch,
      now: () => test.clock.now(),
      locals,
    });
    assert.notEqual(stdout, "", stderr);
    return { code, json: stdout.replaceAll(test.folder, "/data") };
  };
}

Deno.test("svc list, status, runs, logs, search and next --json answer as they always have", async () => {
  await using test = await makeDaemon();
  const svc = caller(test);
  const lines: [golden: string, line: string][] = [
    ["list.json", "list"],
    ["status.json", "status"],
    ["status_unit.json", "status backup-db"],
    ["runs.json", "runs --limit 4"],
    ["search.json", "search space"],
    ["next.json", "next --count 3 --from 2027-03-27T20:00:00Z"],
    ["next_task.json", "next backup-db --count 2 --from 2027-03-27T20:00:00Z"],
  ];
  for (const [name, line] of lines) {
    const { code, json } = await svc(line);
    assert.equal(code, 0, line);
    matchGolden(name, json);
  }
  const cron = await call(
    [
      "next",
      "--cron",
      "30 2 * * *",
      "--timezone",
      "Europe/Berlin",
      "--count",
      "2",
      "--from",
      "2027-03-27",
      "--json",
    ],
    { now: () => noon },
  );
  matchGolden("next_cron.json", cron.stdout);
  matchGolden("logs.jsonl", (await svc("logs db lost")).json);
  const cut = (await svc("logs backup-db")).json.replaceAll(/x{9,}/g, (text) => `${text.length} times x`);
  matchGolden("logs_continued.jsonl", cut);
});

Deno.test("svc run, start, stop, restart, pause and resume --json answer as they always have", async () => {
  await using test = await makeDaemon();
  const svc = caller(test);
  matchGolden("run_detach.json", (await svc("run backup-db --param TARGET=/mnt --detach")).json);
  const refused = await svc("run lost");
  assert.equal(refused.code, 1);
  matchGolden("run.json", refused.json);
  for (const action of ["restart", "stop", "start"]) {
    matchGolden(`${action}.json`, (await svc(`${action} web db`)).json);
  }
  matchGolden("resume.json", (await svc("resume h*")).json);
  const some = await svc("pause backup-db lost");
  assert.equal(some.code, 1);
  matchGolden("pause.json", some.json);
});

Deno.test("svc reload, drain, backup and restore --json answer as they always have", async () => {
  await using test = await makeDaemon();
  const svc = caller(test);
  test.config = {
    ...test.config,
    units: [...units.filter(({ name }) => name !== "held"), task({ name: "new" })].map((unit) =>
      unit.name === "lost" ? { ...unit, timeout: minute } : unit
    ),
  };
  matchGolden("reload_dry_run.json", (await svc("reload --dry-run")).json);
  matchGolden("reload.json", (await svc("reload")).json);
  const file = `${test.folder}/backup.db`;
  const { json } = await svc(`backup ${file}`);
  matchGolden("backup.json", json.replace(/("bytes": )\d+/, "$14096"));
  await inFolder(async (data) => {
    Deno.writeTextFileSync(`${data}/svc.db`, "");
    const done = await svc(`restore ${file}`, {
      restore: (_, path) => Promise.resolve(restore({ data }, { file: path, now: noon })),
    });
    assert.equal(done.code, 0);
    matchGolden("restore.json", done.json.replaceAll(data, "/data").replace(/("schema": )\d+/, "$11"));
  });
  matchGolden("drain.json", (await svc("drain --no-wait")).json);
});

Deno.test("svc debug --json answers as it always has", async () => {
  const units = [
    task({ name: "held", retryAttempts: 1, retryDelay: minute }),
    task({ name: "a", cron: "1 12 * * *", jitter: minute }),
    task({ name: "b", cron: "1 12 * * *", jitter: minute }),
    service({ name: "web", restartDelay: minute }),
  ];
  await using test = await makeEngine({
    units,
    before: ({ processes }) => processes.behave("a", { ignores: ["SIGTERM"] }),
  });
  test.engine.run("held", { trigger: "cli" });
  await test.clock.advance(minute);
  test.processes.only("held").exit(1);
  test.engine.stopRun(test.runs("a")[0]!.id);
  await test.clock.advance(second);
  test.refusals.note("cannot store the end of a run", { error: new Error("disk I/O error") });
  matchGolden("debug.json", (await caller(test)("debug")).json);
});

Deno.test("svc import --json answers as it always has", async () => {
  await inFolder(async (folder) => {
    write(`${folder}/svc.toml`, '[tasks.a]\nrun = "true"\n');
    write(`${folder}/table`, "0 6 * * * /opt/x/report\n@reboot /opt/x/warm\n61 * * * * /opt/x/never\n");
    const locals: Partial<Locals> = {
      importUnits: (flags, order) => runImport(flags, order, { files: quietMachine }),
    };
    const svc = async (line: string) => {
      const { code, stdout } = await call([...line.split(" "), "-c", `${folder}/svc.toml`, "--json"], {
        locals,
      });
      return { code, json: stdout.replaceAll(folder, "/etc/svc") };
    };
    const taken = await svc(`import cron ${folder}/table`);
    assert.equal(taken.code, 0);
    matchGolden("import.json", taken.json);
    matchGolden("import_write.json", (await svc(`import cron --write ${folder}/table`)).json);
    write(
      `${folder}/compose.yaml`,
      "name: shop\nservices:\n  web: { image: x, restart: always }\n  init: { image: y }\n",
    );
    matchGolden("import_compose.json", (await svc(`import compose ${folder}/compose.yaml`)).json);
    const none = await svc(`import procfile ${folder}/table`);
    assert.equal(none.code, 1);
    matchGolden("import_broken.json", none.json);
  });
});

Deno.test("svc export --json answers as it always has", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/svc.toml`;
    write(
      path,
      `[tasks.odd]
cron = "0 0 L * *"
run = "true"
working_dir = "/"
secrets = { TOKEN = "hidden" }
notify = ["inapp"]
`,
    );
    const locals: Partial<Locals> = {
      findConfig: () => Promise.resolve(path),
      readConfig: (path) => loadConfigFile(path, { env: {} }),
    };
    const printed = await call(["export", "kubernetes", "--json"], { locals });
    assert.deepEqual([printed.code, printed.stderr], [1, ""]);
    matchGolden("export.json", printed.stdout);
    const written = await call(["export", "systemd", "odd", "--out", `${folder}/out`, "--json"], { locals });
    assert.deepEqual([written.code, written.stderr], [0, ""]);
    matchGolden("export_out.json", written.stdout.replaceAll(folder, "/srv"));
  });
});

Deno.test("svc validate and version --json answer as they always have", async () => {
  await inFolder(async (folder) => {
    const locals = { validate: (path: string) => Promise.resolve(validate(path, { env: {} })) };
    write(
      `${folder}/svc.toml`,
      '[tasks.a]\nrun = "true"\ncorn = "@daily"\n\n[tasks.b]\nrun = "true"\ncron = "0 0 31 2 *"\n',
    );
    const { code, stdout } = await call(["validate", `${folder}/svc.toml`, "--json"], { locals });
    assert.equal(code, 1);
    matchGolden("validate.json", stdout.replaceAll(folder, "/etc"));
  });
  matchGolden("version.json", (await call(["version", "--json"])).stdout);
});

Deno.test("svc openapi and schema print a document, with and without --json", async () => {
  await using test = await makeDaemon();
  const svc = caller(test);
  const openapi = await svc("openapi");
  assert.equal((await call(["openapi"], { fetch: fetchFrom(test) })).stdout, openapi.json);
  matchGolden("openapi_top.json", topOf(openapi.json));
  const locals = { configSchema: () => Promise.resolve(configSchema()) };
  const schema = await call(["schema", "--json"], { locals });
  assert.equal((await call(["schema"], { locals })).stdout, schema.stdout);
  matchGolden("schema_top.json", topOf(schema.stdout));
});

/** The first level of a document; what stands below is held by the tests of the API and of the configuration. */
function topOf(text: string): string {
  const flat = Object.entries(JSON.parse(text)).map(([key, value]) =>
    [key, typeof value === "object" ? Array.isArray(value) ? [] : {} : value] as const
  );
  return `${JSON.stringify(Object.fromEntries(flat), null, 2)}\n`;
}

Deno.test("svc service --json answers as it always has", async () => {
  const state: ServiceState = {
    manager: "systemd",
    file: "/etc/systemd/system/svc.service",
    installed: true,
    enabled: true,
    active: true,
    detail: "running, units: 5",
  };
  const locals: Partial<Locals> = {
    serviceState: () => Promise.resolve(state),
    planService: () =>
      Promise.resolve({
        file: { path: state.file, text: "[Unit]\n" },
        env: { path: "/var/lib/svc/service.env" },
        dataDir: "/var/lib/svc",
        address: { host: "127.0.0.1", port: 8420 },
        command: ["/usr/bin/svc", "daemon"],
        commands: [["systemctl", "daemon-reload"], ["systemctl", "enable", "svc.service"]],
        changes: ["KillMode (who is ended when the daemon ends) is now process; it was mixed"],
        isCurrent: false,
      }),
    installService: () => Promise.resolve(true),
    uninstallService: () => Promise.resolve(true),
  };
  const lines: [golden: string, line: string][] = [
    ["service_status.json", "status"],
    ["service_install.json", "install"],
    ["service_install_dry_run.json", "install --dry-run"],
    ["service_uninstall.json", "uninstall"],
    ["service_uninstall_dry_run.json", "uninstall --dry-run"],
  ];
  for (const [name, line] of lines) {
    const { code, stdout } = await call(["service", ...line.split(" "), "--json"], { locals });
    assert.equal(code, 0, line);
    matchGolden(name, stdout);
  }
  const none = { ...locals, serviceState: () => Promise.resolve({ ...state, installed: false }) };
  const dry = await call(["service", "uninstall", "--dry-run", "--json"], { locals: none });
  assert.deepEqual(JSON.parse(dry.stdout), { schema_version: 1, dry_run: true, removed: false, steps: [] });
  assert.equal((await call(["service", "install", "--print", "--json"], { locals })).code, 2);
});

Deno.test("svc notify test --json answers as it always has", async () => {
  await using test = await makeDaemon();
  const svc = caller(test);
  test.config.notify.notifiers.push({
    id: "mail",
    type: "sendmail",
    settings: { path: "/usr/sbin/sendmail", to: ["root@localhost"] },
  });
  matchGolden("notify_test.json", (await svc("notify test mail")).json);
  matchGolden("notify_test_inapp.json", (await svc("notify test inapp")).json);
});

Deno.test("svc password and login --json answer as they always have", async () => {
  await inFolder(async (state) => {
    const answers: Record<string, object> = {
      "/api/local/credentials": { password: "abcde-fghjk", ephemeral: true },
      "/api/auth/challenge": { nonce: "00", iterations: 600_000 },
      "/api/auth/login": { token: "secret", expires_at: "2027-01-16T12:00:00.000Z" },
    };
    const fetch: typeof globalThis.fetch = (input) =>
      Promise.resolve(Response.json(answers[new URL(String(input)).pathname]));
    matchGolden("password.json", (await call(["password", "--json"], { fetch })).stdout);
    const file = "/var/lib/svc/service.env";
    const kept = await call(["password", "--json"], {
      fetch: () =>
        Promise.resolve(
          Response.json({ status: 404, errors: [{ location: "password_file", message: "", value: file }] }, {
            status: 404,
            headers: { "content-type": "application/problem+json" },
          }),
        ),
      locals: { readPassword: () => Promise.resolve("correct horse") },
    });
    matchGolden("password_file.json", kept.stdout);
    const terminal = memoryTerminal({ env: { XDG_STATE_HOME: state }, secret: "correct horse" });
    const { stdout } = await call(["login", "--url", "https://box:8420", "--json"], {
      fetch,
      terminal,
      now: () => noon,
    });
    matchGolden("login.json", stdout.replaceAll(state, "/home/ada/.local/state"));
  });
});

Deno.test("svc has a golden file for each command that answers in JSON, and refuses --json to all others", async () => {
  const names = goldens();
  for (const { name, load } of catalog) {
    const { withoutJson } = await load();
    const own = names.filter((file) => new RegExp(`^${name}(?:_\\w+)?\\.jsonl?$`).test(file));
    if (withoutJson === undefined) {
      assert.notDeepEqual(own, [], name);
      continue;
    }
    assert.deepEqual(own, [], name);
    const words = name === "completions" ? [name, "bash"] : [name];
    for (const line of [[...words, "--json"], ["--json", ...words]]) {
      const { code, stdout, stderr } = await call(line);
      assert.deepEqual([code, stdout, stderr], [2, "", `svc: "svc ${name}" has no --json: ${withoutJson}\n`]);
    }
  }
});
