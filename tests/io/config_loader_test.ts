import assert from "node:assert/strict";
import { loadConfigFile } from "../../src/io/config_files.ts";
import { configJobs, workerLoader } from "../../src/io/config_loader.ts";
import { nativeHash, printOf } from "../../src/io/unit_print.ts";
import { inFolder, write } from "../support/folder.ts";

const entry = new URL("../../main.ts", import.meta.url).href;

function text(count: number, changed: number): string {
  return Array.from(
    { length: count },
    (_, n) => `[tasks.t${n}]\nrun = "echo ${n === changed ? "new" : n}"\nenv = { N = "${n}" }\n`,
  ).join("");
}

Deno.test("workerLoader() loads a large configuration as it is loaded where it is asked, and keeps units that stay", () =>
  inFolder(async (folder) => {
    const path = `${folder}/svc.toml`;
    write(path, text(700, -1));
    const before = (await loadConfigFile(path)).config!;
    const loader = workerLoader({ entry, path });
    try {
      write(path, `# a line more\n${text(701, 5)}`);
      const { config, errors } = await loader.load(before);
      assert.deepEqual(errors, []);
      assert.deepEqual(config, (await loadConfigFile(path)).config);
      const named = (name: string) =>
        [before, config!].map(({ units }) => units.find((it) => it.name === name)!);
      const [old, stays] = named("t7");
      assert.equal(stays!.env, old!.env, "it is not copied over");
      assert.equal(stays!.place.line, old!.place.line + 1);
      const [was, is] = named("t5");
      assert.deepEqual([was!.run, is!.run], ["echo 5", "echo new"]);
      assert.deepEqual(await loader.load(config!), { config, errors: [], warnings: [] });
      write(path, `${text(700, -1)}timeuot = 1\n`);
      const broken = await loader.load(config!);
      assert.equal(broken.config, undefined);
      assert.match(broken.errors[0]!.message, /timeout/);
    } finally {
      loader.close();
    }
  }));

Deno.test("workerLoader() loads a small configuration where it is asked", () =>
  inFolder(async (folder) => {
    const path = `${folder}/svc.toml`;
    write(path, text(3, -1));
    const loader = workerLoader({ entry: "file:///no/such/program.ts", path });
    const { config } = await loader.load((await loadConfigFile(path)).config!);
    assert.deepEqual(config?.units.map(({ name }) => name), ["t0", "t1", "t2"]);
    loader.close();
  }));

Deno.test("printOf() is the same in the worker as where it is asked, and tells definitions apart, not places", () =>
  inFolder(async (folder) => {
    const path = `${folder}/svc.toml`;
    const units = [];
    for (const text of ["", "\n", 'description = "ü 𝄞"']) {
      write(path, `${text === "\n" ? text : ""}[tasks.t]\nrun = "true"\n${text}`);
      units.push((await loadConfigFile(path)).config!.units[0]!);
    }
    const prints = units.map((unit) => printOf(unit));
    assert.deepEqual(units.map((unit) => printOf(unit, nativeHash())), prints);
    assert.equal(prints[0], prints[1]);
    assert.notEqual(prints[0], prints[2]);
  }));

Deno.test("configJobs() refuses units of a configuration that it has not loaded", async () => {
  await assert.rejects(configJobs()({ units: [0] }), /reload again/);
});
