/** A daemon that may have few files open (`ulimit -n`), and clients and runs that would use more. */
import assert from "node:assert/strict";
import { type DaemonProcess, startDaemonProcess } from "../support/daemon_process.ts";

const config = `
[tasks.many]
run = "sleep 2"
max_concurrent = 200
queue_max = 1000
`;

/** Starts a daemon that may have so many files open. */
async function startWithin(limit: number): Promise<DaemonProcess> {
  return await startDaemonProcess(config, { first: `ulimit -n ${limit}` });
}

async function bothDoors(daemon: DaemonProcess): Promise<number[]> {
  using client = Deno.createHttpClient({ proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` } });
  const answers = [await fetch("http://localhost/api/daemon", { client }), await daemon.request("/health")];
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  return answers.map(({ status }) => status);
}

Deno.test("clients that take every place of the listener keep nobody out, and leave files for runs", async () => {
  const daemon = await startWithin(256);
  const half = new TextEncoder().encode("GET /health HTTP/1.1\r\nHost: x\r\nX: ");
  const hogs: Deno.TcpConn[] = [];
  for (let n = 0; n < 300; n++) {
    const hog = await Deno.connect({ port: Number(new URL(daemon.url).port) });
    await hog.write(half).catch(() => {});
    hogs.push(hog);
  }
  assert.deepEqual(await bothDoors(daemon), [200, 200]);
  const run = await daemon.request("/api/tasks/many/run?wait=true", { method: "POST" });
  const ended = await run.json();
  assert.equal(ended.endReason, "succeeded");
  for (const hog of hogs) hog.close();
  assert.match(daemon.log(), /as many connections as it may hold/);
  assert.equal(await daemon.end(), 0);
});

Deno.test("a daemon whose runs have taken every file can be reached again when they have ended", async () => {
  const daemon = await startWithin(128);
  // Some of these are refused a start, or an answer.
  for (let n = 0; n < 80; n++) {
    const answer = await daemon.request("/api/tasks/many/run", { method: "POST" }).catch(() => undefined);
    await answer?.body?.cancel();
  }
  const until = performance.now() + 60_000;
  let doors: number[] = [];
  while (doors.join() !== "200,200" && performance.now() < until) {
    doors = await bothDoors(daemon).catch(() => []);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.deepEqual(doors, [200, 200], daemon.log());
  await daemon.end();
});
