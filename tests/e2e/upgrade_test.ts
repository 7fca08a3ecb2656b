import assert from "node:assert/strict";
import { dirname } from "node:path";
import { v8Flags } from "../../src/local/service/program.ts";
import { endKept, keptIn } from "../support/kept.ts";
import { isAlive, until } from "../support/machine.ts";

const root = new URL("../..", import.meta.url).pathname;
const config = `
[services.web]
healthy_after = "100ms"
run = 'n=0; while :; do n=$((n + 1)); echo $n; sleep 0.02; done'
[tasks.long]
run = 'while [ ! -e go ]; do sleep 0.05; done; echo last; exit 7'
[tasks.soon]
cron = "*/2 * * * * *"
run = "true"
`;

/** How a copy of the source differs: its file and what is replaced in it. */
type Change = [file: string, from: string | RegExp, to: string];

function versionIs(version: string): Change {
  return ["src/version.ts", /version = "[^"]*"/, `version = "${version}"`];
}

const migrates: Change = [
  "src/io/store/migrations.ts",
  /\n\];\s*$/,
  '\n  "CREATE TABLE of_the_next (id TEXT PRIMARY KEY) STRICT;",\n];\n',
];
/** It dies when it has taken over. */
const dies: Change = [
  "src/daemon/run.ts",
  "const settling =",
  "if (daemon.engine.trial) Deno.exit(9);\n    const settling =",
];

/** A machine on which programs stand for releases, and a daemon that one of them has started in the background. */
class Site implements AsyncDisposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "svc-upgrade-" });
  readonly dataDir = `${this.folder}/.svc`;
  readonly program = `${this.folder}/bin/svc`;

  constructor() {
    Deno.mkdirSync(`${this.folder}/bin`);
    Deno.writeTextFileSync(`${this.folder}/svc.toml`, config);
  }

  /** A program that runs a copy of the source with changes. */
  async release(name: string, changes: readonly Change[]): Promise<string> {
    const tree = `${this.folder}/${name}.tree`;
    const parts = ["main.ts", "deno.json", "deno.lock", "src", "ui", "docs/demo"];
    for (const part of parts) {
      await Deno.mkdir(dirname(`${tree}/${part}`), { recursive: true });
      await new Deno.Command("cp", { args: ["-R", `${root}/${part}`, `${tree}/${part}`] }).output();
    }
    for (const [file, from, to] of changes) {
      const text = await Deno.readTextFile(`${tree}/${file}`);
      assert.notEqual(text.replace(from, to), text, file);
      await Deno.writeTextFile(`${tree}/${file}`, text.replace(from, to));
    }
    return await this.script(
      name,
      `exec "${Deno.execPath()}" run -A --no-prompt --no-check -q ${v8Flags} "${tree}/main.ts" "$@"`,
    );
  }

  async script(name: string, body: string): Promise<string> {
    const path = `${this.folder}/${name}`;
    await Deno.writeTextFile(path, `#!/bin/sh\nexport SVC_PROGRAM="$0"\n${body}\n`, { mode: 0o755 });
    return path;
  }

  async install(file: string): Promise<void> {
    await Deno.copyFile(file, this.program);
    await this.svc("up", "--port", "0");
  }

  async svc(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { code, stdout, stderr } = await new Deno.Command(this.program, {
      args: [...args, "-c", `${this.folder}/svc.toml`],
      env: { SVC_AUTH: "off" },
      cwd: this.folder,
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  }

  // deno-lint-ignore no-explicit-any -- a test looks into any answer
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.svc(...args, "--json");
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  get log(): string {
    return Deno.readTextFileSync(`${this.dataDir}/daemon.log`);
  }

  pidOf(id: string): number {
    return keptIn(this.dataDir).find(({ runId }) => runId === id)?.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = Number(await Deno.readTextFile(`${this.dataDir}/daemon.pid`).catch(() => "0"));
    if (pid > 1) Deno.kill(pid, "SIGKILL");
    endKept(this.dataDir);
    await Deno.remove(this.folder, { recursive: true });
  }
}

Deno.test("svc upgrade puts another program in the place of the running one, and a failed one back, database and all", async () => {
  await using site = new Site();
  const first = await site.release("svc-1.0.0", [versionIs("1.0.0")]);
  const second = await site.release("svc-2.0.0", [versionIs("2.0.0"), migrates]);
  const broken = await site.release("svc-1.5.0", [versionIs("1.5.0"), migrates, dies]);
  await site.install(first);
  await site.svc("run", "long", "--detach");
  await until("all run", async () => (await site.json("runs", "--status", "running")).runs.length >= 2);
  const [web] = (await site.json("runs", "--task", "web")).runs;
  const [long] = (await site.json("runs", "--task", "long")).runs;
  await until(
    "both have processes",
    () => Promise.resolve(site.pidOf(web.id) > 0 && site.pidOf(long.id) > 0),
  );
  const pids = [site.pidOf(web.id), site.pidOf(long.id)];

  const check = await site.svc("upgrade", second, "--check");
  assert.equal(check.code, 0, check.stderr);
  assert.match(check.stdout, /svc 2\.0\.0 \(source\) would take the place of svc 1\.0\.0/);

  const failed = await site.svc("upgrade", broken);
  assert.equal(failed.code, 1, failed.stdout);
  assert.match(
    failed.stderr,
    /the upgrade to svc 1\.5\.0 has failed: .*; svc 1\.0\.0 is back after .*, and 2 runs went on/,
  );
  assert.equal(await Deno.readTextFile(site.program), await Deno.readTextFile(first));
  assert.match(site.log, /the database is that of before the upgrade again/);
  assert.deepEqual(pids.map(isAlive), [true, true]);
  assert.equal((await site.json("status")).daemon.version, "1.0.0");

  const done = await site.svc("upgrade", second);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /\nupgraded from svc 1\.0\.0 to 2\.0\.0: .* without a daemon, 2 runs went on\n$/);
  assert.deepEqual([site.pidOf(web.id), site.pidOf(long.id)], pids);
  await Deno.writeTextFile(`${site.folder}/go`, "");
  await until(
    "it has ended",
    async () => (await site.json("runs", "--task", "long")).runs[0].status === "ended",
  );
  const ended = (await site.json("runs", "--task", "long")).runs;
  assert.deepEqual([ended.length, ended[0].id, ended[0].exit_code], [1, long.id, 7]);
  const soon = (await site.json("runs", "--task", "soon", "--limit", "200")).runs;
  assert.ok(
    soon.every(({ end_reason: why }: { end_reason?: string }) =>
      why === "success" || why === undefined || why === "missed"
    ),
  );

  const back = await site.svc("upgrade", first);
  assert.equal(back.code, 1);
  assert.match(back.stderr, /svc 1\.0\.0 knows schema \d+ of the database, which has \d+/);
});

/** Runs a daemon again and again, as a service manager would that starts one at 75 and after a crash. */
class Supervised extends Site {
  #loop: Deno.ChildProcess | undefined;

  override install(file: string): Promise<void> {
    Deno.copyFileSync(file, this.program);
    const script = `export INVOCATION_ID=1
while :; do "$1" daemon -c "$2" --port 0 2>> "$3"; [ $? -ne 0 ] || exit 0; sleep 0.2; done`;
    const log = `${this.folder}/supervised.log`;
    this.#loop = new Deno.Command("/bin/sh", {
      args: ["-c", script, "sh", this.program, `${this.folder}/svc.toml`, log],
      env: { SVC_AUTH: "off" },
      cwd: this.folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    return until("the daemon answers", async () => (await this.svc("status")).code === 0);
  }

  override get log(): string {
    return Deno.readTextFileSync(`${this.folder}/supervised.log`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#loop?.kill("SIGKILL");
    await this.#loop?.status;
    await super[Symbol.asyncDispose]();
  }
}

Deno.test("svc upgrade leaves the start to who supervises the daemon, on the way there and on the way back", async () => {
  await using site = new Supervised();
  const first = await site.release("svc-1.0.0", [versionIs("1.0.0")]);
  const second = await site.release("svc-2.0.0", [versionIs("2.0.0"), migrates]);
  // It migrates and dies, again and again.
  const broken = await site.release("svc-1.5.0", [versionIs("1.5.0"), migrates, dies]);
  await site.install(first);
  await until(
    "it runs",
    async () => (await site.json("runs", "--task", "web")).runs[0]?.status === "running",
  );
  const [web] = (await site.json("runs", "--task", "web")).runs;
  await until("it has a process", () => Promise.resolve(site.pidOf(web.id) > 0));
  const pid = site.pidOf(web.id);
  const failed = await site.svc("upgrade", broken);
  assert.equal(failed.code, 1, failed.stdout);
  assert.match(failed.stderr, /has failed: no daemon answers after 30 s; svc 1\.0\.0 is back after/);
  assert.match(site.log, /the database is that of before the upgrade again/);
  const done = await site.svc("upgrade", second);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /\nupgraded from svc 1\.0\.0 to 2\.0\.0: .* without a daemon, 1 run went on\n$/);
  const [after] = (await site.json("runs", "--task", "web")).runs;
  assert.deepEqual([after.id, after.status, site.pidOf(web.id), isAlive(pid)], [
    web.id,
    "running",
    pid,
    true,
  ]);
});

Deno.test("svc upgrade ends a daemon that hangs at its start, and goes back", async () => {
  await using site = new Site();
  const first = await site.release("svc-1.0.0", [versionIs("1.0.0")]);
  // It tells its version and checks the configuration, but as a daemon it does nothing.
  const answer = JSON.stringify({ version: "3.0.0", commit: "x", schema: 99 });
  const hangs = await site.script(
    "svc-3.0.0",
    `case $1 in version) echo '${answer}' ;; validate) echo '{"valid": true}' ;; *) echo $$ > "${site.folder}/pid"; exec sleep 600 ;; esac`,
  );
  await site.install(first);
  const failed = await site.svc("upgrade", hangs);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /does not answer after 30 s.*; svc 1\.0\.0 is back after /);
  assert.equal(isAlive(Number(await Deno.readTextFile(`${site.folder}/pid`))), false);
  assert.equal((await site.json("status")).daemon.scheduling_active, true);
});
