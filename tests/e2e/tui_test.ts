import assert from "node:assert/strict";
import { Pty, restored } from "../support/pty.ts";
import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";

const config = `
[tasks.greet]
description = "Says it"
run = "echo good morning; sleep 0.2; echo good night"

[tasks.other]
run = "true"
`;

const svc = svcCommand().map((word) => `'${word}'`).join(" ");

Deno.test("svc tui moves, runs a task, shows its log as it comes, and gives the terminal back", async () => {
  const daemon = await startDaemonProcess(config);
  {
    await using pty = new Pty(`${svc} tui --data '${daemon.dataDir}'`);
    // deno-lint-ignore no-control-regex -- what opens the other screen
    await pty.sees(/\x1b\[\?1049h/);
    await pty.sees(/All well/);
    await pty.type("j");
    await pty.type("k\r");
    await pty.sees(/Says it/);
    await pty.type("r");
    await pty.sees(/Run greet\?/);
    await pty.type("y");
    await pty.sees(/good morning/);
    await pty.sees(/good night/);
    await pty.type("q");
    await pty.sees(restored);
    await pty.sees(/code 0/);
    await pty.sees(/as it was/);
  }
  await daemon.end();
});

Deno.test("svc tui gives the terminal back after a signal", async () => {
  const daemon = await startDaemonProcess(config);
  for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const) {
    await using pty = new Pty(`sh -c 'echo pid $$; exec "$@"' sh ${svc} --data '${daemon.dataDir}' tui`);
    const pid = Number((await pty.sees(/pid (\d+)/))[1]);
    await pty.sees(/All well/);
    Deno.kill(pid, signal);
    await pty.sees(restored);
    await pty.sees(new RegExp(`code ${code}`));
    await pty.sees(/as it was/);
  }
  await daemon.end();
});

Deno.test("svc tui says that the daemon is away, and goes on when it is back", async () => {
  const daemon = await startDaemonProcess(config);
  {
    await using pty = new Pty(`${svc} --data '${daemon.dataDir}' tui`);
    await pty.sees(/All well/);
    await daemon.end();
    await pty.sees(/daemon away/);
    const again = await startDaemonProcess(`${config}\n[tasks.young]\nrun = "true"\n`, {
      folder: daemon.folder,
    });
    await pty.sees(/young/);
    await pty.type("\x03");
    await pty.sees(/code 0/);
    await again.end();
  }
});

Deno.test("svc tui needs a terminal that can show a screen", async () => {
  await using dumb = new Pty(`${svc} tui`, { TERM: "dumb" });
  await dumb.sees(/svc: .*cannot open the terminal UI: TERM is "dumb"[^\n]*\r\n/);
  await dumb.sees(/code 1/);
  const [program = "", ...args] = svcCommand();
  const piped = await new Deno.Command(program, { args: [...args, "tui"], stdin: "null" }).output();
  assert.equal(piped.code, 1);
  assert.match(new TextDecoder().decode(piped.stderr), /^svc: cannot open the terminal UI: [^\n]*\n$/);
});

Deno.test("svc up writes a file, starts a daemon that outlives it, and opens the terminal UI", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  const env = { SVC_AUTH: "off", SVC_DATA: "", XDG_CONFIG_HOME: `${folder}/none`, HOME: folder };
  {
    await using pty = new Pty(`cd '${folder}' && ${svc} up -c svc.toml --port 0`, env);
    await pty.sees(/wrote .*svc\.toml/);
    await pty.sees(/started a daemon; its log goes to .*daemon\.log/);
    await pty.sees(/hello/);
    await pty.type("q");
    await pty.sees(/code 0/);
  }
  const { pid } = JSON.parse(await Deno.readTextFile(`${folder}/.svc/daemon.json`));
  {
    await using pty = new Pty(`cd '${folder}' && ${svc} up -c svc.toml`, env);
    await pty.sees(/hello/);
    await pty.type("q");
    await pty.sees(/code 0/);
    assert.doesNotMatch(pty.output, /wrote|started a daemon/);
  }
  Deno.kill(pid, "SIGTERM");
  while (await Deno.stat(`${folder}/.svc/daemon.json`).then(() => true, () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Deno.remove(folder, { recursive: true });
});
