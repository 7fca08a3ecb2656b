import assert from "node:assert/strict";
import { runImport } from "../../../src/local/import/run_import.ts";
import { loadConfigFile } from "../../../src/io/config_files.ts";
import { Fault } from "../../../src/fault.ts";
import { inFolder, write } from "../../support/folder.ts";
import { quietMachine } from "../../support/quiet_machine.ts";

const table = "# Report\n0 6 * * * /opt/x/report\n61 * * * * /opt/x/never\n";

async function refusal(work: Promise<unknown>): Promise<Fault> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  assert.fail("nothing was thrown");
}

/** A folder with a configuration and a crontab, and what imports that crontab. */
async function withTable(
  root: string,
  work: (
    at: { folder: string; importIt: (write?: boolean) => ReturnType<typeof runImport> },
  ) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    write(`${folder}/svc.toml`, root);
    write(`${folder}/table`, table);
    const importIt = (isWritten = false): ReturnType<typeof runImport> =>
      runImport({ config: `${folder}/svc.toml` }, {
        kind: "cron",
        files: [`${folder}/table`],
        system: false,
        write: isWritten,
      }, { files: quietMachine });
    await work({ folder, importIt });
  });
}

Deno.test("runImport() makes TOML that loads, and leaves its source alone", async () => {
  await withTable('[tasks.a]\nrun = "true"\n', async ({ folder, importIt }) => {
    const { imported, toml, written } = await importIt();
    assert.deepEqual([imported.units.length, imported.entries.length, written], [1, 2, undefined]);
    write(`${folder}/own.toml`, toml);
    const { config } = await loadConfigFile(`${folder}/own.toml`);
    assert.deepEqual(config?.units.map(({ name, description }) => [name, description]), [[
      "report",
      "Report",
    ]]);
    assert.equal(Deno.readTextFileSync(`${folder}/table`), table);
    assert.deepEqual([...Deno.readDirSync(folder)].length, 3);
  });
});

Deno.test("runImport() writes a file that an include matches, so that both load together", async () => {
  const root = '[daemon]\ninclude = ["parts/*.toml"]\n\n[tasks.report]\nrun = "true"\n';
  await withTable(root, async ({ folder, importIt }) => {
    write(`${folder}/parts/other.toml`, '[tasks.other]\nrun = "true"\n');
    const { written, toml } = await importIt(true);
    const path = `${folder}/parts/imported-cron.toml`;
    assert.deepEqual(written, { path, root: `${folder}/svc.toml` });
    assert.equal(Deno.readTextFileSync(path), toml);
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    const { config, errors } = await loadConfigFile(`${folder}/svc.toml`);
    assert.deepEqual(errors, []);
    assert.deepEqual(config?.units.map(({ name }) => name), ["other", "report", "report-2"]);
    assert.deepEqual([...Deno.readDirSync(`${folder}/parts`)].map(({ name }) => name).sort(), [
      "imported-cron.toml",
      "other.toml",
    ]);
  });
});

Deno.test("runImport() does not edit the root file, and says what it must include", async () => {
  const root = '# mine\n[daemon]\ntimezone = "UTC"\n\n[tasks.a]\nrun = "true"\n';
  await withTable(root, async ({ folder, importIt }) => {
    const { written } = await importIt(true);
    assert.deepEqual(written, {
      path: `${folder}/imported-cron.toml`,
      root: `${folder}/svc.toml`,
      missingInclude: "imported-cron.toml",
    });
    assert.equal(Deno.readTextFileSync(`${folder}/svc.toml`), root);
    write(`${folder}/svc.toml`, root.replace("[daemon]", `[daemon]\ninclude = ["imported-cron.toml"]`));
    assert.deepEqual((await loadConfigFile(`${folder}/svc.toml`)).config?.units.map(({ name }) => name), [
      "a",
      "report",
    ]);
  });
});

Deno.test("runImport() never writes over a file", async () => {
  await withTable('[tasks.a]\nrun = "true"\n', async ({ folder, importIt }) => {
    write(`${folder}/imported-cron.toml`, "# mine\n");
    const fault = await refusal(importIt(true));
    assert.equal(fault.code, "conflict");
    assert.match(fault.message, /imported-cron\.toml": there is something of that name/);
    assert.equal(Deno.readTextFileSync(`${folder}/imported-cron.toml`), "# mine\n");
  });
});

Deno.test("runImport() writes nothing beside a configuration that does not load, or where nothing is taken", async () => {
  await withTable('[tasks.a]\nrun = "true"\ncron = "61 * * * *"\n', async ({ folder, importIt }) => {
    const fault = await refusal(importIt(true));
    assert.match(fault.message, /cannot write beside ".*svc\.toml:3:.*minute "61" is over 59; mend it/);
    write(`${folder}/svc.toml`, '[tasks.a]\nrun = "true"\n');
    write(`${folder}/table`, "61 * * * * true\n");
    const { imported, written } = await importIt(true);
    assert.deepEqual([imported.units, written], [[], undefined]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["svc.toml", "table"]);
  });
});

Deno.test("runImport() refuses what is no file of text, and imports nothing then", async () => {
  await inFolder(async (folder) => {
    write(`${folder}/binary`, Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0x0a, 0));
    write(`${folder}/svc.toml`, "");
    const run = (...files: string[]): ReturnType<typeof runImport> =>
      runImport({ config: `${folder}/svc.toml` }, { kind: "cron", files, system: false, write: false });
    assert.match(
      (await refusal(run(`${folder}/binary`))).message,
      /it is no text: a NUL stands in it \(line 2\)/,
    );
    assert.match((await refusal(run(folder))).message, /it is a folder; name the files in it/);
    assert.match((await refusal(run(`${folder}/none`))).message, /there is no such file/);
    assert.match((await refusal(run("/dev/null"))).message, /it is no regular file/);
    write(`${folder}/large`, new Uint8Array(8 * 1024 * 1024 + 1).fill(0x0a));
    assert.match((await refusal(run(`${folder}/large`))).message, /it is larger than 8 MiB/);
    assert.deepEqual((await run(`${folder}/svc.toml`)).imported, { units: [], entries: [] });
  });
});

Deno.test("runImport() takes ten thousand entries, each under a name of its own", async () => {
  await inFolder(async (folder) => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `${n % 60} * * * * /opt/x/job${n % 7} ${n}\n`);
    write(`${folder}/table`, lines.join(""));
    const { imported } = await runImport({ data: folder }, {
      kind: "cron",
      files: [`${folder}/table`],
      system: false,
      write: false,
    });
    assert.equal(new Set(imported.units.map(({ name }) => name)).size, 10_000);
  });
});

Deno.test("runImport() writes a table of a compose file, which the daemon's loader reads from where it is", async () => {
  await inFolder(async (folder) => {
    const yaml = "services:\n  web: { image: x, scale: 2 }\n  b b: { image: x }\n";
    write(`${folder}/svc.toml`, '[daemon]\ninclude = ["*.toml"]\n[tasks.a]\nrun = "true"\n');
    write(`${folder}/shop/compose.yaml`, yaml);
    write(`${folder}/shop/compose.override.yml`, yaml);
    const order = { kind: "compose", files: [`${folder}/shop/compose.yaml`], system: false, write: true };
    const { imported, written } = await runImport({ config: `${folder}/svc.toml` }, order);
    assert.equal(written?.path, `${folder}/imported-compose.toml`);
    assert.deepEqual(imported.entries.map(({ what, fate }) => [what, fate.is]), [
      ["compose.override.yml", "refused"],
      ["no restart", "noted"],
      ["web", "taken"],
      ["b b", "refused"],
    ]);
    const { config, errors } = await loadConfigFile(`${folder}/svc.toml`);
    assert.deepEqual(errors, []);
    const [, web] = config?.units ?? [];
    assert.equal(web?.name, "shop.web");
    assert.ok(web?.kind === "service" && web.instances === 2 && web.restart === "never");
    assert.equal(Deno.readTextFileSync(`${folder}/shop/compose.yaml`), yaml);
  });
});

Deno.test("runImport() checks an import beside compose tables that are there, too", async () => {
  const root = '[compose.shop]\nfile = "shop.yaml"\n';
  await withTable(root, async ({ folder, importIt }) => {
    write(`${folder}/shop.yaml`, "services: { web: { image: x } }\n");
    write(`${folder}/table`, "0 6 * * * /opt/x/report\n0 7 * * * true \\%\n");
    const { written, imported } = await importIt(true);
    assert.equal(written?.path, `${folder}/imported-cron.toml`);
    assert.equal(imported.units.length, 2);
  });
});

Deno.test("runImport() refuses a compose file that svc itself could not read again", async () => {
  await inFolder(async (folder) => {
    const latin = Uint8Array.of(...new TextEncoder().encode("services: { web: { image: x } } # caf"), 0xe9);
    write(`${folder}/compose.yaml`, latin);
    write(`${folder}/svc.toml`, "");
    const order = { kind: "compose", files: [`${folder}/compose.yaml`], system: false, write: false };
    const { imported, toml } = await runImport({ config: `${folder}/svc.toml` }, order);
    assert.deepEqual([imported.units, toml], [[], ""]);
    assert.match(JSON.stringify(imported.entries), /not valid UTF-8; save it in that encoding/);
  });
});
