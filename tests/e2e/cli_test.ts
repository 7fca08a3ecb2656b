import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { svc, svcProcess, svcShell } from "../support/svc_process.ts";

const config = `
[tasks.greet]
run = 'echo "hello $WHO $1"; echo careful >&2; exit 3'
[[tasks.greet.params]]
env = "WHO"
default = "you"
[[tasks.greet.params]]
flag = "--loud"

[tasks.quick]
run = "printf 'no line end'"

[tasks.many]
run = "seq 20000"

[tasks.slow]
survive = false
run = "trap 'echo bye; exit 0' TERM; echo started; sleep 600 & wait"

[services.web]
run = "echo up; exec sleep 600"
healthy_after = "50ms"
`;

Deno.test("svc looks at a daemon and runs its tasks", async (t) => {
  const daemon = await startDaemonProcess(config);
  const cwd = daemon.folder;
  try {
    await t.step("list shows all units", async () => {
      const { code, stdout } = await svc(["list"], { cwd });
      assert.equal(code, 0);
      assert.deepEqual(
        stdout.trimEnd().split("\n").slice(1).map((line) => line.split(/\s+/)[1]),
        ["greet", "many", "quick", "slow", "web"],
      );
    });

    await t.step("run takes parameters, shows both streams, and exits with the run's code", async () => {
      const run = await svc(["run", "greet", "--param", "WHO=world", "--param", "loud=true"], { cwd });
      assert.equal(run.code, 3);
      assert.equal(run.stdout, "hello world --loud\n");
      assert.match(run.stderr, /^careful\n✕ greet failed \(3\) in [\d.]+ m?s \(run [0-9A-Z]{26}\)\n$/);
    });

    await t.step("run loses nothing of short and of long output", async () => {
      for (let i = 0; i < 3; i++) {
        assert.equal((await svc(["run", "quick"], { cwd })).stdout, "no line end\n");
      }
      const expected = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`).join("");
      assert.ok((await svc(["run", "many"], { cwd })).stdout === expected);
    });

    await t.step("run names the nearest task, and refuses unknown parameters", async () => {
      const unknown = await svc(["run", "gret"], { cwd });
      assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
      assert.equal(unknown.stderr, 'svc: no unit "gret": did you mean "greet"?\n');
      const param = await svc(["run", "greet", "--param", "WH=x"], { cwd });
      assert.equal(param.code, 1);
      assert.match(param.stderr, /unknown parameter "WH": did you mean "WHO"\?/);
    });

    await t.step("run --detach prints an id, by which logs follows it to its end", async () => {
      const { code, stdout } = await svc(["run", "slow", "--detach"], { cwd });
      const id = stdout.trim();
      assert.equal(code, 0);
      assert.match(id, /^[0-9A-Z]{26}$/);
      const following = svc(["logs", "-f", id], { cwd });
      assert.equal((await svc(["stop", "slow"], { cwd })).stdout, "stopped slow\n");
      const log = await following;
      assert.deepEqual([log.code, log.stdout], [0, "started\nstop requested: SIGTERM sent\nbye\n"]);
    });

    await t.step("run asks the daemon to stop its run when it is interrupted", async () => {
      const child = svcProcess(["run", "slow"], { cwd }).spawn();
      const reader = child.stdout.getReader();
      assert.match(new TextDecoder().decode((await reader.read()).value), /started/);
      child.kill("SIGINT");
      const rest: string[] = [];
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        rest.push(new TextDecoder().decode(part.value));
      }
      const told = await new Response(child.stderr).text();
      assert.equal((await child.status).code, 1);
      assert.match(rest.join(""), /bye/);
      assert.match(told, /stopping run .*\n[^]*■ slow stopped in/);
    });

    await t.step("runs and logs end quietly when their reader does", async () => {
      const runs = await svcShell("$SVC runs --json | head -n 1", { cwd });
      assert.deepEqual([runs.code, runs.stdout, runs.stderr], [0, "{\n", ""]);
      const logs = await svcShell("$SVC logs many | head -n 1", { cwd });
      assert.deepEqual([logs.code, logs.stdout, logs.stderr], [0, "1\n", ""]);
    });

    await t.step("runs answers with JSON of the version that it says", async () => {
      const { schema_version, runs, total } = JSON.parse(
        (await svc(["runs", "--json", "--task", "greet"], { cwd })).stdout,
      );
      assert.deepEqual([schema_version, runs.length, total], [1, 1, 1]);
      assert.deepEqual(runs[0].params, { WHO: "world", "--loud": "true" });
    });

    await t.step("stop and start act on a service", async () => {
      assert.equal((await svc(["stop", "w*"], { cwd })).stdout, "stopped web\n");
      assert.match((await svc(["list", "web"], { cwd })).stdout, /■ web +stopped/);
      assert.equal((await svc(["start", "web"], { cwd })).stdout, "started web\n");
      assert.match((await svc(["list", "web"], { cwd })).stdout, /web +(starting|up 1\/1)/);
    });

    await t.step("the daemon is found by -c, --data, --socket, --url and --port from anywhere", async () => {
      const port = new URL(daemon.url).port;
      const ways = [
        ["-c", `${cwd}/svc.toml`],
        ["--data", daemon.dataDir],
        ["--socket", `${daemon.dataDir}/svc.sock`],
        ["--url", daemon.url],
        ["--port", port],
      ];
      for (const way of ways) {
        const { code, stdout, stderr } = await svc([...way, "status", "--json"], { cwd: "/" });
        assert.equal(code, 0, stderr);
        assert.equal(JSON.parse(stdout).daemon.pid, daemon.pid, way.join(" "));
      }
    });

    await t.step("reload refuses a broken file as a whole, with every error", async () => {
      await Deno.writeTextFile(`${cwd}/svc.toml`, `${config}\n[tasks.bad]\nrun = 1\ncorn = "x"\n`);
      const { code, stderr } = await svc(["reload"], { cwd });
      assert.equal(code, 1);
      assert.match(stderr, /nothing was changed/);
      assert.match(stderr, /svc\.toml:\d+:\d+: .*did you mean "cron"/);
      assert.match((await svc(["list"], { cwd })).stdout, /greet/);
    });

    await t.step("a second daemon on the same data folder is refused, and names the first", async () => {
      await Deno.writeTextFile(`${cwd}/svc.toml`, config);
      const { code, stderr } = await svc(["daemon", "--port", "0"], { cwd });
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`^svc: .*in use by a running daemon \\(pid ${daemon.pid}\\)`, "m"));
    });

    await t.step("a daemon that is gone ends what follows it with 3", async () => {
      const { stdout } = await svc(["run", "slow", "--detach"], { cwd });
      const child = svcProcess(["logs", "-f", stdout.trim()], { cwd }).spawn();
      const reader = child.stdout.getReader();
      assert.match(new TextDecoder().decode((await reader.read()).value), /started/);
      await daemon.end("SIGKILL");
      await reader.cancel();
      const told = await new Response(child.stderr).text();
      assert.equal((await child.status).code, 3);
      assert.match(told, /^svc: no daemon answers at control socket /);
      // The next one ends what the dead one left.
      const next = await startDaemonProcess(config, { folder: cwd });
      const { stdout: list } = await svc(["list", "slow"], { cwd });
      await next.end();
      assert.match(list, /✕ slow +crashed +by request +crashed/);
    });
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("svc says where it looked for a daemon, and exits with 3", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  try {
    const nothing = await svc(["list"], { cwd: folder });
    assert.equal(nothing.code, 3);
    assert.match(nothing.stderr, /^svc: cannot tell where a daemon is: no configuration file found[^\n]*\n$/);
    await Deno.writeTextFile(`${folder}/svc.toml`, "");
    const silent = await svc(["list"], { cwd: folder });
    assert.equal(silent.code, 3);
    assert.match(
      silent.stderr,
      /^svc: no daemon answers at control socket "[^"]+\/\.svc\/svc\.sock": start one/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("svc validate, schema and next --cron work without a daemon", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  try {
    await Deno.writeTextFile(`${folder}/svc.toml`, '[tasks.a]\nrun = "true"\n');
    assert.equal((await svc(["validate"], { cwd: folder })).code, 0);
    await Deno.writeTextFile(`${folder}/bad.toml`, '[tasks.a]\nruns = "true"\ncron = "61 * * * *"\n');
    const bad = await svc(["validate", "bad.toml"], { cwd: folder });
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /bad\.toml:2:1: tasks\.a\.runs: /);
    assert.match(bad.stdout, /bad\.toml:3:\d+: tasks\.a\.cron: /);
    const json = JSON.parse((await svc(["validate", "bad.toml", "--json"], { cwd: folder })).stdout);
    assert.deepEqual([json.schema_version, json.valid], [1, false]);
    assert.equal(JSON.parse((await svc(["schema"], { cwd: folder })).stdout).type, "object");
    const next = await svc([
      "next",
      "--cron",
      "0 0 1 1 *",
      "--timezone",
      "UTC",
      "--from",
      "2027-01-02",
      "--count",
      "1",
    ]);
    assert.match(next.stdout, /^Sat 2028-01-01 00:00:00 UTC /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
