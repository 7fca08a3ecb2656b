import assert from "node:assert/strict";
import type { Finding } from "../../../src/core/doctor/finding.ts";
import { examine } from "../../../src/local/doctor/examine.ts";
import { startDaemonProcess } from "../../support/daemon_process.ts";
import { inFolder, write } from "../../support/folder.ts";
import { noon } from "../../support/units.ts";

const version = "9.8.7";

/** The findings of a check, as "level: seen". */
function of(findings: readonly Finding[], check: string): string[] {
  return findings.filter((finding) => finding.check === check).map(({ level, seen }) => `${level}: ${seen}`);
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("examine() finds what keeps a daemon from starting, and what units lack", async () => {
  await inFolder(async (folder) => {
    const config = `${folder}/svc.toml`;
    write(
      config,
      '[tasks.a]\nrun = "true"\nshell = "no-such-shell"\n[tasks.b]\nrun = "true"\nworking_dir = "nowhere"\n',
    );
    write(`${folder}/.svc/svc.db`, "junk that is no database");
    Deno.chmodSync(`${folder}/.svc`, 0o700);
    write(`${folder}/.svc/svc.sock`, "no socket");
    const other = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    const taken = Deno.serve(other, () => new Response("not svc"));
    const before = namesIn(`${folder}/.svc`);
    const findings = await examine({ config, port: taken.addr.port }, { now: noon, version });
    await taken.shutdown();
    assert.deepEqual(of(findings, "configuration"), [`ok: ${config}, 2 units`]);
    assert.deepEqual(of(findings, "units"), [
      'bad: no such shell "no-such-shell" (shell of a)',
      `bad: no such folder "${folder}/nowhere" (working_dir of b)`,
    ]);
    assert.match(of(findings, "daemon")[0]!, /^bad: .*svc\.sock is no socket/);
    assert.match(of(findings, "port")[0]!, /^bad: .* in use by another program$/);
    assert.match(of(findings, "database")[0]!, /^bad: .*svc\.db can't be read: file is not a database$/);
    // The folder for temporary files is in memory on many machines.
    assert.match(
      of(findings, "data folder").join(),
      /^(?:ok: .*\.svc, mode 700|warn: .*\.svc is in memory: [^,]*)$/,
    );
    assert.deepEqual(namesIn(`${folder}/.svc`), before, "looking leaves nothing behind");
  });
});

Deno.test("examine() goes on where there is no configuration", async () => {
  const findings = await examine({ config: "/no/such/file.toml", data: "/no/such/folder" }, {
    now: noon,
    version,
  });
  assert.match(of(findings, "configuration")[0]!, /^bad: there is no configuration file/);
  assert.match(of(findings, "data folder")[0]!, /^(ok|bad): \/no\/such\/folder is not there/);
  assert.equal(of(findings, "time zone").length, 1);
});

Deno.test("examine() looks at a daemon that runs, and at what one that died left", async () => {
  const daemon = await startDaemonProcess(
    '[services.web]\nrun = "exec sleep 600"\n[tasks.old]\nrun = "true"\nrun_on_start = true\n',
  );
  const flags = { config: `${daemon.folder}/svc.toml` };
  const look = (): Promise<Finding[]> => examine(flags, { now: Date.now(), version: "0.1.0" });
  try {
    const up = await look();
    assert.deepEqual(of(up, "daemon"), [`ok: svc 0.1.0 runs, pid ${daemon.pid}`]);
    assert.deepEqual(of(up, "port"), [`ok: the daemon answers at ${new URL(daemon.url).host}`]);
    assert.match(of(up, "database")[0]!, /^ok: whole, /);
    assert.match(of(up, "left behind")[0]!, /^ok: nothing/);
    assert.match(of(up, "open files")[0]!, /for the daemon, 2 runs at once/);
    assert.match(
      of(
        await examine({ ...flags, data: `${daemon.folder}/other`, socket: `${daemon.dataDir}/svc.sock` }, {
          now: noon,
          version,
        }),
        "daemon",
      )[0]!,
      /^bad: control socket .* belongs to the daemon of /,
    );
    const bySocket = await examine({ socket: `${daemon.dataDir}/svc.sock` }, {
      now: Date.now(),
      version: "0.1.0",
    });
    assert.deepEqual(of(bySocket, "daemon"), [`ok: svc 0.1.0 runs, pid ${daemon.pid}`]);
    assert.deepEqual(of(bySocket, "port"), of(up, "port"));
    assert.match(of(bySocket, "database")[0]!, /^ok: whole, /);
    let isUp = false;
    while (!isUp) {
      const { runs } = await (await daemon.request("/api/runs?status=running&task_name=web")).json();
      isUp = runs.length === 1;
    }
    await daemon.end("SIGKILL");
    const before = namesIn(daemon.dataDir);
    const died = await look();
    assert.match(of(died, "daemon")[0]!, /^warn: none runs; control socket/);
    assert.match(
      of(died, "left behind")[0]!,
      /^warn: \d process(es)? goe?s? on without a daemon: \d+ of web/,
    );
    assert.match(of(died, "database")[0]!, /^ok: whole, .*did not end in order$/);
    assert.deepEqual(namesIn(daemon.dataDir), before);
    const next = await startDaemonProcess("", { folder: daemon.folder });
    await next.end();
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});
