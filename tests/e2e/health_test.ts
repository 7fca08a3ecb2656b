import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";

/** A server that is well until a file "bad" lies beside it: it then answers 503, and closes its second port. */
const server = `
const [folder, http, tcp] = Deno.args;
let second = Deno.listen({ hostname: "127.0.0.1", port: Number(tcp) });
const isBad = () => { try { return Deno.statSync(folder + "/bad").isFile; } catch { return false; } };
(async () => { for await (const one of second) one.close(); })();
setInterval(() => { if (isBad()) try { second.close(); } catch {} }, 20);
Deno.serve({ hostname: "127.0.0.1", port: Number(http), onListen() {} }, () =>
  new Response(null, { status: isBad() ? 503 : 200 }));
`;

/** Ports of this machine at which nobody listens. */
function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const ports = listeners.map(({ addr }) => addr.port);
  for (const listener of listeners) listener.close();
  return ports;
}

function configOf(folder: string, ports: readonly number[]): string {
  const serve = (http: number, tcp: number): string =>
    `run = '''exec "${Deno.execPath()}" run -A --no-prompt -q "${folder}/server.js" "${folder}" ${
      ports[http]
    } ${ports[tcp]}'''\n`;
  const check = (name: string, probe: string): string =>
    `[services.${name}.health_check]\n${probe}\ninterval = "100ms"\nretries = 1\nstart_period = "3s"\n`;
  return [
    '[defaults]\ngraceful_stop = "1s"\n',
    `[services.web]\nrestart_delay = "200ms"\n${serve(0, 1)}`,
    check("web", `http = "http://127.0.0.1:${ports[0]}/up"`),
    `[services.port]\nrestart_delay = "200ms"\n${serve(2, 3)}`,
    check("port", `tcp = "localhost:${ports[3]}"`),
    `[services.script]\nrestart_delay = "200ms"\nrun = "sleep 300"\nenv = { WHERE = "${folder}" }\n`,
    check(
      "script",
      `run = 'test "$SVC_INSTANCE" = 0; test ! -e "$WHERE/bad" || { echo it is bad; exit 1; }'`,
    ),
    '[services.app]\nrun = "sleep 300"\nhealthy_after = "0s"\ndepends_on = ["web", "port", "script"]\n',
  ].join("");
}

interface Unit {
  service_state: string;
  last_run: { id: string; start_at: string };
}

async function unit(daemon: DaemonProcess, name: string): Promise<Unit> {
  return await (await daemon.request(`/api/tasks/${name}`)).json();
}

async function runsOf(daemon: DaemonProcess, name: string): Promise<{ id: string; endReason?: string }[]> {
  const { runs } = await (await daemon.request(`/api/runs?task_name=${name}`)).json();
  return runs;
}

async function areAll(daemon: DaemonProcess, state: string): Promise<boolean> {
  const states = await Promise.all(checked.map(async (name) => (await unit(daemon, name)).service_state));
  return states.every((one) => one === state);
}

const checked = ["web", "port", "script"];

Deno.test("a daemon looks after health by http, tcp and script: what fails is stopped, told, and restarted", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.writeTextFile(`${folder}/server.js`, server);
  const daemon = await startDaemonProcess(configOf(folder, freePorts(4)), { folder });
  try {
    await until("all are healthy", () => areAll(daemon, "running"));
    await until(
      "what depends on them is up",
      async () => (await unit(daemon, "app")).service_state === "running",
    );
    const first = await Promise.all(checked.map(async (name) => (await unit(daemon, name)).last_run));
    const app = (await unit(daemon, "app")).last_run;
    for (const { start_at } of first) assert.ok(Date.parse(app.start_at) >= Date.parse(start_at));

    await Deno.writeTextFile(`${folder}/bad`, "");
    await until("all have been stopped as unhealthy", async () => {
      for (const { id } of first) {
        const run = await (await daemon.request(`/api/runs/${id}`)).json();
        if (run.status !== "ended") return false;
        assert.equal(run.end_reason, "failed", "the snake_case form has no unhealthy");
      }
      return true;
    });
    const said = await Promise.all(first.map(async ({ id }) => {
      const { lines } = await (await daemon.request(`/api/runs/${id}/log`)).json();
      return lines.find(({ text }: { text: string }) => text.includes("failures in a row"))?.text;
    }));
    assert.equal(said[0], "unhealthy: status 503 (2 failures in a row)");
    assert.match(said[1], /^unhealthy: .*refused.* \(2 failures in a row\)$/);
    assert.equal(said[2], "unhealthy: it is bad (2 failures in a row)");
    const { items } = await (await daemon.request("/api/notifications")).json();
    const told = items.filter(({ kind }: { kind: string }) => kind === "service.unhealthy");
    assert.deepEqual(
      told.map(({ task_name }: { task_name: string }) => task_name).sort(),
      [...checked].sort(),
    );

    await Deno.remove(`${folder}/bad`);
    await until("all are healthy again", () => areAll(daemon, "running"));
    for (const [i, name] of checked.entries()) {
      const runs = await runsOf(daemon, name);
      assert.ok(runs.length >= 2 && runs[0]!.id !== first[i]!.id, "each has a new life");
    }
    assert.equal((await unit(daemon, "app")).last_run.id, app.id, "who depends on them is left alone");
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a daemon that was started without the network refuses the first check that needs it, and names the key", async () => {
  const [port] = freePorts(1);
  const before = '[services.web]\nrun = "sleep 300"\n';
  const after = `${before}[services.web.health_check]\ntcp = "127.0.0.1:${port}"\n`;
  const daemon = await startDaemonProcess(before);
  try {
    await Deno.writeTextFile(`${daemon.folder}/svc.toml`, after);
    const refused = await daemon.request("/api/daemon/reload", { method: "POST" });
    assert.equal(refused.status, 422);
    const problem = await refused.json();
    assert.equal(problem.errors[0].location, "services.web.health_check.tcp");
    const script = `${before}[services.web.health_check]\nrun = "true"\n`;
    await Deno.writeTextFile(`${daemon.folder}/svc.toml`, script);
    const taken = await daemon.request("/api/daemon/reload", { method: "POST" });
    assert.equal(taken.status, 200);
    assert.deepEqual((await taken.json()).changed.map(({ name }: { name: string }) => name), ["web"]);
    assert.equal((await runsOf(daemon, "web")).length, 1, "its process goes on");
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
