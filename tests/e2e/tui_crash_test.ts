import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";
import { gone } from "../support/machine.ts";
import { Pty, restored } from "../support/pty.ts";

const svc = svcCommand().map((word) => `'${word}'`).join(" ");
/** The one line that tells of a bug, and what the shell finds after it. */
const toldOnce = /^svc: internal error: [^\r\n]+\r\ncode 1\r\nas it was/;

/** What speaks like a daemon, but knows units that no daemon would tell of. */
function strangeDaemon(unit: Record<string, unknown>): Deno.HttpServer<Deno.NetAddr> {
  const answers: Record<string, unknown> = {
    "/api/daemon": { version: "9.9.9", config_stale: false, scheduling_active: true, tasks: [] },
    "/api/tasks": { tasks: [unit] },
    "/api/runs": { runs: [], total: 0 },
    "/api/notifications/unread-count": { count: 0 },
  };
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/api/events/stream") return Response.json(answers[pathname] ?? {});
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(": \n\n")),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
}

Deno.test("svc tui gives the terminal back and says one line when a view throws", async () => {
  // Without a description a unit can stand in the list, but not be shown.
  await using server = strangeDaemon({ name: "odd", kind: "task", group: "", restart: "never" });
  await using pty = new Pty(`${svc} tui --url http://127.0.0.1:${server.addr.port}`);
  await pty.sees(/odd/);
  await pty.type("\r");
  await pty.sees(restored);
  await pty.sees(toldOnce);
});

Deno.test("svc tui gives the terminal back and says one line when news can't be taken in", async () => {
  await using server = strangeDaemon({ kind: "task" });
  await using pty = new Pty(`${svc} tui --url http://127.0.0.1:${server.addr.port}`);
  await pty.sees(restored);
  await pty.sees(toldOnce);
});

Deno.test("guardScreen() gives the terminal back and says one line when nobody catches an error or a rejection", async () => {
  const program = new URL("../support/guarded_screen.ts", import.meta.url).pathname;
  for (const way of ["throws", "rejects"]) {
    await using pty = new Pty(`'${Deno.execPath()}' run -A -q --no-prompt '${program}' ${way}`);
    // deno-lint-ignore no-control-regex -- what opens the other screen
    await pty.sees(/\x1b\[\?1049h/);
    await pty.sees(restored);
    await pty.sees(/^svc: internal error: it broke in two lines\r\ncode 1\r\nas it was/);
  }
});

Deno.test("svc tui ends with its terminal", async () => {
  const daemon = await startDaemonProcess(`[tasks.one]\nrun = "true"\n`);
  const pidFile = `${daemon.folder}/tui.pid`;
  await using pty = new Pty(
    `sh -c 'echo $$ > "$0"; exec "$@"' '${pidFile}' ${svc} --data '${daemon.dataDir}' tui`,
  );
  await pty.sees(/All well/);
  const pid = Number(await Deno.readTextFile(pidFile));
  await pty.hangUp();
  await gone(pid);
  await daemon.end();
});

Deno.test("svc tui goes on after its daemon was killed and started again", async () => {
  const config = `[tasks.one]\nrun = "true"\n`;
  const daemon = await startDaemonProcess(config, { leavesNoCoverage: true });
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/All well/);
    await daemon.end("SIGKILL");
    await pty.sees(/daemon away/);
    const again = await startDaemonProcess(`${config}[tasks.young]\nrun = "true"\n`, {
      folder: daemon.folder,
    });
    await pty.sees(/young/);
    await pty.type("q");
    await pty.sees(restored);
    await pty.sees(/code 0\r\nas it was/);
    await again.end();
  }
});
