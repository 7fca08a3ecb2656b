import assert from "node:assert/strict";
import { startDaemonProcess, svcCommand } from "../support/daemon_process.ts";

/** Temporary folders are refused: a folder that stays, and that goes when the test ends. */
async function lastingFolder(): Promise<string> {
  const base = Deno.uid() === 0 ? "/var/lib" : Deno.env.get("HOME")!;
  return await Deno.makeTempDir({ dir: base, prefix: "svc-service-test-" });
}

/** A systemctl that writes down what it was asked, and answers like one. */
const systemctl = `#!/bin/sh
case "$*" in *show-environment*|*"=MainPID "*|--version) ;; *) echo "$@" >> "$FAKE_LOG" ;; esac
case "$*" in
  --version) printf 'systemd 257 (257.1-1)\\n+PAM\\n' ;;
  *show-environment*) printf 'LANG=C\\nPATH=/usr/bin:/bin\\nSVC_PORT=0\\n' ;;
  *"=MainPID "*) printf 'MainPID=%s\\n' "\${FAKE_MAIN_PID:-0}" ;;
  *restart*) [ -z "$FAKE_REFUSES" ] || { echo 'Job for svc.service failed.' >&2; exit 1; } ;;
  *show*) printf 'ActiveState=active\\nSubState=running\\nUnitFileState=enabled\\nStatusText=units: 1\\n' ;;
esac
`;

/** One that has something to tell of a unit. */
const journalctl = `#!/bin/sh
case "$*" in
  *--user-unit=svc.service*) printf 'svc[7]: cannot listen on 127.0.0.1:8420\\nsvc.service: Failed\\n' ;;
esac
`;

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

interface Place {
  folder: string;
  svc: (...args: string[]) => Promise<Answer>;
  command: (args: string[], env: Record<string, string>) => Promise<Answer>;
  asked: () => Promise<string[]>;
}

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const folder = await lastingFolder();
  try {
    await Deno.mkdir(`${folder}/bin`);
    await Deno.writeTextFile(`${folder}/bin/systemctl`, systemctl, { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/bin/journalctl`, journalctl, { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/bin/svc`, '#!/bin/sh\necho "unpack $SVC_CACHE $*" >> "$FAKE_LOG"\n', {
      mode: 0o755,
    });
    await Deno.writeTextFile(
      `${folder}/svc.toml`,
      `[daemon]\nshutdown_timeout = "30s"\n\n[tasks.t]\nrun = "true"\n`,
    );
    const [program, ...words] = svcCommand();
    const command: Place["command"] = async (args, env) => {
      const { code, stdout, stderr } = await new Deno.Command(program!, {
        args: [...words, ...args],
        env: {
          ...env,
          PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
          XDG_CONFIG_HOME: `${folder}/config`,
          SVC_CONFIG: `${folder}/svc.toml`,
          SVC_PROGRAM: `${folder}/bin/svc`,
          FAKE_LOG: `${folder}/asked`,
          TMPDIR: "",
        },
      }).output();
      const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      return { code, stdout: text(stdout), stderr: text(stderr) };
    };
    await work({
      folder,
      command,
      svc: (...args) => command(["service", ...args], {}),
      asked: async () => {
        const lines = (await Deno.readTextFile(`${folder}/asked`).catch(() => "")).trim().split("\n");
        await Deno.remove(`${folder}/asked`).catch(() => {});
        return lines;
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("svc service install writes a service and a password that stays, once", async () => {
  await withPlace(async ({ folder, svc, asked }) => {
    const dry = await svc("install", "--user", "--dry-run");
    assert.equal(dry.code, 0);
    assert.deepEqual(await asked(), [""]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["bin", "svc.toml"]);
    const first = await svc("install", "--user");
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^installed: /);
    const unit = `${folder}/config/systemd/user/svc.service`;
    const printed = await svc("install", "--user", "--print");
    assert.equal(await Deno.readTextFile(unit), printed.stdout);
    assert.match(printed.stdout, new RegExp(`^ExecStart=${folder}/bin/svc daemon --config `, "m"));
    assert.match(printed.stdout, new RegExp(`^ExecReload=${folder}/bin/svc reload --config `, "m"));
    assert.doesNotMatch(printed.stdout, /HOME=/, "the manager of a user says that by itself");
    assert.match(printed.stdout, /^TimeoutStopSec=45$/m);
    assert.deepEqual(await asked(), [
      `unpack ${folder}/.svc/program version`,
      "--user daemon-reload",
      "--user enable svc.service",
      "--user restart svc.service",
    ]);
    const envFile = `${folder}/.svc/service.env`;
    const password = await Deno.readTextFile(envFile);
    assert.match(password, /^SVC_PASSWORD=[\w-]{24}$/m);
    assert.equal((await Deno.stat(envFile)).mode! & 0o777, 0o600);
    const second = await svc("install", "--user");
    assert.match(second.stdout, /^was installed already: /);
    assert.equal((await asked()).at(-1), "--user start svc.service");
    assert.equal(await Deno.readTextFile(envFile), password);
    const status = await svc("status", "--user");
    assert.deepEqual([status.code, status.stdout.split("\n")[0]], [0, "active (active, running, units: 1)"]);
    await asked();
    assert.equal((await svc("uninstall", "--user")).code, 0);
    assert.deepEqual(await asked(), ["--user disable --now svc.service", "--user daemon-reload"]);
    assert.match((await svc("uninstall", "--user")).stdout, /nothing was done/);
    assert.equal((await svc("status", "--user")).code, 1);
    assert.equal(await Deno.readTextFile(envFile), password);
  });
});

Deno.test("svc service install over an older unit writes it anew, says what is different, and leaves drop-ins", async () => {
  await withPlace(async ({ folder, svc, asked }) => {
    const unit = `${folder}/config/systemd/user/svc.service`;
    const { stdout: text } = await svc("install", "--user", "--print");
    assert.match(text, /^DelegateSubgroup=svc-daemon$/m);
    await Deno.mkdir(`${unit}.d`, { recursive: true });
    await Deno.writeTextFile(`${unit}.d/mine.conf`, "[Service]\nMemoryMax=1G\n");
    const old = text.replace(/^KillMode=.*$/m, "KillMode=mixed").replace(/^ExecStopPost=.*\n/m, "");
    await Deno.writeTextFile(unit, old);
    const dry = await svc("install", "--user", "--dry-run");
    assert.match(dry.stdout, /^what changes:\n {2}KillMode \(.*\) is now process; it was mixed$/m);
    assert.equal(await Deno.readTextFile(unit), old);
    const { code, stdout, stderr } = await svc("install", "--user");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^what has changed in it:\n {2}KillMode .*\n {2}ExecStopPost .* is new: /m);
    assert.equal(await Deno.readTextFile(unit), text);
    assert.equal(await Deno.readTextFile(`${unit}.d/mine.conf`), "[Service]\nMemoryMax=1G\n");
    assert.deepEqual((await asked()).slice(-3), [
      "--user daemon-reload",
      "--user enable svc.service",
      "--user restart svc.service",
    ]);
    assert.doesNotMatch((await svc("install", "--user")).stdout, /changed/);
  });
});

Deno.test("svc service install refuses what can't last, and a configuration that can't be loaded, before anything is written", async () => {
  await withPlace(async ({ folder, svc, asked }) => {
    const temporary = await Deno.makeTempDir({ prefix: "svc-service-" });
    await Deno.writeTextFile(`${temporary}/svc.toml`, `[tasks.t]\nrun = "true"\n`);
    const gone = await svc("install", "--user", "-c", `${temporary}/svc.toml`);
    assert.equal(gone.code, 1);
    assert.match(
      gone.stderr,
      /^svc: cannot install a service that needs ".*": that is a temporary folder; move it/,
    );
    await Deno.remove(temporary, { recursive: true });
    await Deno.writeTextFile(`${folder}/svc.toml`, "[tasks.t]\nrum = 1\n");
    const broken = await svc("install", "--user");
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /^svc: cannot install a service for ".*svc\.toml": .*svc\.toml:\d/);
    assert.deepEqual(await asked(), [""]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["bin", "svc.toml"]);
  });
});

Deno.test("svc service install changes nothing where somebody has the port or the folder, and says how to stop him", async () => {
  await withPlace(async ({ folder, svc, command, asked }) => {
    const before = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const refused = async (port: number, env: Record<string, string> = {}): Promise<string> => {
      const { code, stdout, stderr } = await command(
        ["service", "install", "--user", "--port", String(port)],
        env,
      );
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.deepEqual(await asked(), [""]);
      assert.match(stderr, /; nothing was changed\n$/);
      return stderr;
    };
    const foreign = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    assert.match(await refused(foreign.addr.port), /:\d+ is in use by another program: end that one/);
    foreign.close();
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), before);
    const other = await startDaemonProcess("");
    const port = Number(new URL(other.url).port);
    const stop = `\\(pid ${other.pid}, started by hand\\): stop it with "kill ${other.pid}"`;
    try {
      assert.match(
        await refused(port),
        RegExp(`the daemon of ${other.dataDir} ${stop}, or choose another port`),
      );
    } finally {
      await other.end();
      await Deno.remove(other.folder, { recursive: true });
    }
    const own = await startDaemonProcess("", { folder });
    try {
      assert.match(
        await refused(0),
        RegExp(
          `data folder "${folder}/\\.svc" is held by another daemon ${
            stop.replaceAll(String(other.pid), String(own.pid))
          }`,
        ),
      );
      // The daemon that the service itself runs is in nobody's way.
      const again = await command(
        ["service", "install", "--user", "--port", new URL(own.url).port],
        { FAKE_MAIN_PID: String(own.pid) },
      );
      assert.equal(again.code, 0, again.stderr);
    } finally {
      await own.end();
    }
    assert.equal((await svc("uninstall", "--user")).code, 0);
  });
});

Deno.test("svc service install tells what the journal has where the daemon does not come up, and what becomes of it", async () => {
  await withPlace(async ({ command }) => {
    const { code, stderr } = await command(["service", "install", "--user"], { FAKE_REFUSES: "1" });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      "svc: cannot start the service: systemctl --user restart svc.service: Job for svc.service failed; it stays installed " +
        'and is tried again: mend what it says, or take it away with "svc service uninstall --user"\n' +
        "  journal: svc[7]: cannot listen on 127.0.0.1:8420\n  journal: svc.service: Failed\n",
    );
  });
});

Deno.test("svc validate checks with the variables that the installed service has", async () => {
  await withPlace(async ({ folder, svc, command }) => {
    const config = `${folder}/svc.toml`;
    const text = '[tasks.t]\nrun = "true"\ndescription = "${SHOP_TOKEN}"\n';
    await Deno.writeTextFile(config, text);
    const refused = await command(["service", "install", "--user"], { SHOP_TOKEN: "of the shell" });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /SHOP_TOKEN is not set.*; a service has no variable of this shell: put it into ".*service.env"/,
    );
    await Deno.writeTextFile(config, '[tasks.t]\nrun = "true"\n');
    assert.equal((await svc("install", "--user")).code, 0);
    await Deno.writeTextFile(config, text);
    const validate = () => command(["validate", config], { SHOP_TOKEN: "of the shell" });
    const lacking = await validate();
    assert.equal(lacking.code, 1);
    assert.match(lacking.stdout + lacking.stderr, /SHOP_TOKEN is not set/);
    assert.match(lacking.stdout + lacking.stderr, /checked with the variables that svc\.service has/);
    await Deno.writeTextFile(`${folder}/.svc/service.env`, "SHOP_TOKEN=1\n", { append: true });
    assert.equal((await validate()).code, 0);
  });
});
