import assert from "node:assert/strict";
import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";
import { Pty } from "../support/pty.ts";

const svc = svcCommand().map((word) => `'${word}'`).join(" ");
const config = `
[tasks.broken]
run = "echo no such host >&2; exit 3"

[tasks.deploy]
run = "echo [$TARGET] [\${NOTE-none}] [\${MORE-none}]"

[[tasks.deploy.params]]
env = "TARGET"
default = "test"
choices = ["test", "live"]

[[tasks.deploy.params]]
env = "NOTE"
default = "as usual"

[[tasks.deploy.params]]
env = "MORE"

[tasks.bars]
run = '''
echo first
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  printf '\\rloaded %s of 20' $i; [ $i = 9 ] && while [ ! -e go ]; do sleep 0.02; done; sleep 0.02
done
echo; echo last
'''
`;

Deno.test("svc tui opens a browser with an address that logs in once, or shows that address", async () => {
  const daemon = await startDaemonProcess(config);
  const open = `${daemon.folder}/xdg-open`;
  await Deno.writeTextFile(open, `#!/bin/sh\necho "$1" > "${daemon.folder}/opened"\n`, { mode: 0o755 });
  const path = `${daemon.folder}:${Deno.env.get("PATH")}`;
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`, { PATH: path, DISPLAY: ":9" });
    await pty.sees(/3 tasks/);
    await pty.type("o");
    await pty.sees(/Opened the page/);
    const url = (await Deno.readTextFile(`${daemon.folder}/opened`)).trim();
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    if (response.status >= 400) throw new Error(`${url} answered ${response.status}`);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  {
    const env = { PATH: path, DISPLAY: "", WAYLAND_DISPLAY: "" };
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`, env);
    await pty.sees(/3 tasks/);
    await pty.type("o");
    await pty.sees(/Open this address within 60 seconds/);
    await pty.sees(/http:\/\/127/);
    await pty.type("x");
    await pty.sees(/3 tasks/);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  await daemon.end();
});

Deno.test("svc tui reloads the configuration once asked, and shows the daemon's log as it comes", async () => {
  const daemon = await startDaemonProcess(config);
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/3 tasks/);
    await pty.type("R");
    await pty.sees(/Nothing to reload/);
    await Deno.writeTextFile(`${daemon.folder}/svc.toml`, `${config}\n[tasks.young]\nrun = "true"\n`);
    await pty.type("4");
    await pty.sees(/ready/);
    await pty.type("R");
    await pty.sees(/Reload: 1 added \(young\)\?/);
    await pty.type("y");
    // In the list of units, and in the log.
    await pty.seesAll(/young/, /configuration reloaded/);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  await daemon.end();
});

Deno.test("svc tui marks one notification as read and unread, and all as read", async () => {
  const daemon = await startDaemonProcess(config);
  const unread = async (): Promise<number> =>
    (await (await daemon.request("/api/notifications/unread-count")).json()).count;
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/3 tasks/);
    await pty.type("/broken\rr");
    await pty.sees(/Run broken\?/);
    await pty.type("y");
    await pty.sees(/no such host/);
    await pty.sees(/1 unread/);
    await pty.type("n");
    await pty.sees(/Notifications/);
    await pty.sees(/●/);
    for (const [key, count] of [["m", 0], ["m", 1], ["M", 0]] as const) {
      // A key that comes before the row is drawn anew still means the row as it was.
      for (let tries = 0; tries < 5 && await unread() !== count; tries++) {
        await pty.type(key);
        for (let looks = 0; looks < 100 && await unread() !== count; looks++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      assert.equal(await unread(), count, key);
    }
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  await daemon.end();
});

Deno.test("svc tui runs with a parameter left out, and with one that is empty", async () => {
  const daemon = await startDaemonProcess(config);
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/3 tasks/);
    await pty.type("/deploy\rr");
    await pty.sees(/left out/);
    // Another choice, the default left out, and what was left out put in as empty.
    for (const key of ["\x1b[C", "\t", "\x18", "\t", "\x18"]) await pty.type(key);
    await pty.sees(/empty/);
    await pty.type("\r");
    await pty.sees(/\[live\] \[none\] \[\]/);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  await daemon.end();
});

Deno.test("svc tui shows what is being redrawn below the lines, also of a run that it finds going, and then the line", async () => {
  const daemon = await startDaemonProcess(config);
  const response = await daemon.request("/api/tasks/bars/run", { method: "POST" });
  const { id } = await response.json();
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/1 running/);
    await pty.type("\t\r");
    await pty.seesAll(/first/, /loaded 9 of 20/);
    await Deno.writeTextFile(`${daemon.folder}/go`, "");
    await pty.seesAll(/2\S* *\S*loaded 20 of 20/, /last/);
    await pty.type("<");
    // Only the cells that differ are drawn anew: of the line itself that may be a digit.
    await pty.sees(/frame \d+ of \d+/);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  const { lines } = await (await daemon.request(`/api/runs/${id}/log`)).json();
  if (lines.length !== 3) throw new Error(`the log has ${lines.length} lines`);
  await daemon.end();
});
