import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";

const config = `
[tasks.env]
run = 'echo "[$NOTIFY_SOCKET$WATCHDOG_USEC]"'

[services.web]
run = "sleep 1000"
`;

Deno.test("A daemon tells the program that runs it when it is ready, that it lives, and that it stops", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-notify-" });
  const path = `${folder}/manager.sock`;
  const socket = Deno.listenDatagram({ transport: "unixpacket", path });
  const next = async (): Promise<Record<string, string>> => {
    const [bytes] = await socket.receive();
    return Object.fromEntries(new TextDecoder().decode(bytes).split("\n").map((line) => line.split("=", 2)));
  };
  try {
    const daemon = await startDaemonProcess(config, {
      folder,
      // Every 100 ms at the latest.
      env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: "200000" },
    });
    const first = await next();
    assert.equal(first.STATUS, "starting");
    assert.ok(Number(first.EXTEND_TIMEOUT_USEC) >= 60e6, "before anything that could take long");
    let told = await next();
    while (told.STATUS === "starting") told = await next();
    const { READY, STATUS } = told;
    assert.equal(READY, "1");
    assert.equal(STATUS, `units: 2; ${daemon.url}`);
    for (let i = 0; i < 3; i++) assert.deepEqual(await next(), { WATCHDOG: "1" });
    const run = await (await daemon.request("/api/tasks/env/run?wait=true", { method: "POST" })).json();
    const { lines } = await (await daemon.request(`/api/runs/${run.id}/log`)).json();
    assert.equal(lines[0].text, "[]");
    assert.equal((await (await daemon.request("/api/daemon")).json()).service_managed, true);
    const ending = daemon.end();
    told = await next();
    while (told.WATCHDOG !== undefined) told = await next();
    assert.equal(told.STOPPING, "1");
    assert.ok(Number(told.EXTEND_TIMEOUT_USEC) >= 10e6);
    assert.equal(await ending, 0);
    assert.deepEqual([...Deno.readDirSync(daemon.dataDir)].filter(({ name }) => name === "notify.sock"), []);
  } finally {
    socket.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("A daemon that hands over tells of no stop and leaves no mark of one; one that is stopped does both", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-notify-" });
  const path = `${folder}/manager.sock`;
  const socket = Deno.listenDatagram({ transport: "unixpacket", path });
  const told: string[] = [];
  const listening = (async () => {
    for (;;) told.push(new TextDecoder().decode((await socket.receive())[0]));
  })().catch(() => {});
  try {
    const env = { NOTIFY_SOCKET: path };
    const isMarked = (dataDir: string): boolean =>
      [...Deno.readDirSync(dataDir)].some(({ name }) => name === "stopping");
    const first = await startDaemonProcess("[tasks.t]\nrun = 'true'\n", { folder, env });
    const answer = await first.request("/api/daemon/handover", { method: "POST" });
    await answer.body?.cancel();
    assert.equal(answer.status, 202);
    assert.equal(await first.ended(), 75);
    await until("it was told", () => Promise.resolve(told.includes("STATUS=handing over")));
    assert.equal(isMarked(first.dataDir), false);
    Deno.writeTextFileSync(`${first.dataDir}/stopping`, "");
    assert.ok(!told.some((text) => text.includes("STOPPING=1")), told.join("\n--\n"));
    const second = await startDaemonProcess("[tasks.t]\nrun = 'true'\n", { folder, env });
    assert.equal(isMarked(second.dataDir), false, "a daemon that starts takes the mark away");
    assert.equal(await second.end(), 0);
    assert.equal(isMarked(second.dataDir), true);
    await until("it was told", () => Promise.resolve(told.some((text) => text.includes("STOPPING=1"))));
  } finally {
    socket.close();
    await listening;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("A daemon runs on when nobody is behind the socket that it should tell", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-notify-" });
  try {
    const daemon = await startDaemonProcess(config, {
      folder,
      env: { NOTIFY_SOCKET: `${folder}/nobody.sock` },
    });
    // The worker that speaks to it starts beside all else; a daemon that answers goes round until it has.
    const warning = "the service manager can't be told how the daemon is";
    for (let i = 0; i < 5000 && !daemon.log().includes(warning); i++) {
      await (await daemon.request("/health")).body?.cancel();
    }
    assert.ok(daemon.log().includes(warning), daemon.log());
    assert.equal(await daemon.end(), 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
