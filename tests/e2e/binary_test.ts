import assert from "node:assert/strict";
import { until } from "../support/machine.ts";

const root = new URL("../../", import.meta.url).pathname;
const binary = `${root}dist/svc`;

const config = `
[tasks.greet]
run = 'echo "$GREETING, $1"; echo on stderr >&2; exit 3'

[[tasks.greet.params]]
env = "GREETING"
default = "Hello"

[[tasks.greet.params]]
arg = "name"

[tasks.blocked]
shell = "/bin/bash"
run = "grep -E 'Sig(Blk|Ign)' /proc/self/status; exec grep -E 'Sig(Blk|Ign)' /proc/self/status"

[tasks.files]
run = "ulimit -S -n"

[tasks.registry]
run = 'echo "\${NPM_CONFIG_REGISTRY-none}"'

[services.web]
healthy_after = "50ms"
run = "sleep 300"
`;

Deno.test("the built file runs a daemon, a task and a service, and ends in order", async () => {
  const built = await run("sh", ["compile.sh"], { cwd: root });
  assert.equal(built.code, 0, built.err);
  const folder = await Deno.makeTempDir({ prefix: "svc-binary-" });
  const env = { XDG_CACHE_HOME: `${folder}/cache`, HOME: folder };
  const svc = (...args: string[]): Promise<Ended> =>
    run(binary, [...args, "-c", `${folder}/svc.toml`], { cwd: folder, env });
  await Deno.writeTextFile(`${folder}/svc.toml`, config);
  // The runtime reads it, and would end for an address that is none.
  await Deno.writeTextFile(`${folder}/.npmrc`, "registry=\${REGISTRY_THAT_NOBODY_HAS_SET}\n");
  // The first start unpacks the portable form; a second at the same time must not get in its way.
  const versions = await Promise.all([run(binary, ["version"], { env }), run(binary, ["version"], { env })]);
  for (const { code, out } of versions) {
    assert.equal(code, 0);
    assert.match(out, /^svc \d+\.\d+\.\d+/);
  }
  const daemon = new Deno.Command("sh", {
    args: [
      "-c",
      'ulimit -S -n 512; exec "$@"',
      "sh",
      binary,
      "daemon",
      "-c",
      `${folder}/svc.toml`,
      "--port",
      "0",
    ],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await until("the daemon is ready", async () => (await svc("list")).code === 0);
    const greeted = await svc("run", "greet", "--param", "name=Ada");
    assert.equal(greeted.code, 3);
    assert.equal(greeted.out, "Hello, Ada\n");
    assert.match(greeted.err, /^on stderr\n/);
    await checkEmptiedCache(folder);
    // A search runs in a worker, which must be part of the file.
    const found = await svc("search", "hello, ada", "--json");
    assert.deepEqual(JSON.parse(found.out).hits.map(({ text }: { text: string }) => text), ["Hello, Ada"]);
    assert.equal((await svc("logs", "-f", "greet")).out, "Hello, Ada\non stderr\n");
    await until("the service is up", async () => (await svc("list")).out.includes("up 1/1"));
    assert.equal((await svc("validate")).code, 0);
    await checkSignals(svc, folder);
    assert.equal((await svc("run", "files")).out, "512\n", "as the caller of the daemon had it");
    assert.equal(
      (await svc("run", "registry")).out,
      "none\n",
      "what the start script sets is none of a run's",
    );
  } finally {
    daemon.kill("SIGTERM");
    assert.equal((await daemon.status).code, 0);
    await Deno.remove(folder, { recursive: true });
  }
  assert.equal((await run(binary, ["list", "--data", `${folder}/.svc`], { env })).code, 3);
});

/**
 * No signal that anybody sends out of habit ends a daemon. That by which the runtime opens its debugger is blocked
 * where the shell allows it, and in no run is one blocked or ignored.
 */
async function checkSignals(svc: (...args: string[]) => Promise<Ended>, folder: string): Promise<void> {
  const pid = (await Deno.readTextFile(`${folder}/.svc/daemon.pid`)).trim();
  Deno.kill(Number(pid), "SIGUSR1");
  for (const name of ["QUIT", "USR2", "ALRM", "PWR", "XCPU", "IO", "16", "34", "64"]) {
    assert.equal((await run("sh", ["-c", `kill -${name} ${pid}`], {})).code, 0);
  }
  const own = (await svc("run", "blocked")).out;
  // The C library ignores two that are its own in all that it spawns.
  assert.match(own, /^(?:SigBlk:\t0{16}\nSigIgn:\t(?:0{16}|0000000180000000)\n){2}$/);
  const open = await fetch("http://127.0.0.1:9229/json").then((answer) => answer.text(), () => "");
  assert.doesNotMatch(open, new RegExp(`pid: ${pid}]`));
}

/** People and cleaners empty caches: a daemon goes on with all that it has not loaded yet. */
async function checkEmptiedCache(folder: string): Promise<void> {
  using client = Deno.createHttpClient({ proxy: { transport: "unix", path: `${folder}/.svc/svc.sock` } });
  const call = async (path: string, method = "GET"): Promise<string> => {
    await Deno.remove(`${folder}/cache`, { recursive: true }).catch(() => {});
    const answer = await fetch(`http://localhost/api${path}`, { client, method });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  };
  assert.match(await call("/log/search?q=hello,%20ada"), /"text":"Hello, Ada"/);
  await Deno.writeTextFile(`${folder}/compose.yaml`, "services: { a: { image: none } }\n");
  await Deno.writeTextFile(`${folder}/svc.toml`, `${config}\n[compose.x]\nfile = "compose.yaml"\n`);
  assert.match(await call("/daemon/reload", "POST"), /"added":\["x\.a"\]/);
  // A configuration with many units is loaded by a worker, once the one in force has many.
  const many = Array.from({ length: 600 }, (_, index) => `[tasks.t${index}]\nrun = "true"\n`).join("");
  await Deno.writeTextFile(`${folder}/svc.toml`, config + many);
  await call("/daemon/reload", "POST");
  await Deno.writeTextFile(`${folder}/svc.toml`, `${config}\n[compose.x]\nfile = "compose.yaml"\n${many}`);
  assert.match(await call("/daemon/reload", "POST"), /"added":\["x\.a"\]/);
  assert.match(await call("/runs"), /greet/);
  await Deno.writeTextFile(`${folder}/svc.toml`, config);
  await call("/daemon/reload", "POST");
}

interface Ended {
  code: number;
  out: string;
  err: string;
}

async function run(
  program: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> },
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, stdin: "null", ...options })
    .output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}
