import assert from "node:assert/strict";
import { inFolder } from "../support/folder.ts";

const module = new URL("../../src/io/machine_places.ts", import.meta.url).href;
const finder = new URL("../../src/io/find_config.ts", import.meta.url).href;
const configFiles = new URL("../../src/io/config_files.ts", import.meta.url).href;

/** What a program answers whose folder has been removed. */
async function inRemovedFolder(expression: string): Promise<unknown> {
  let answer: unknown;
  await inFolder(async (folder) => {
    const script = `
      import { absolutePath, workingFolder } from ${JSON.stringify(module)};
      import { loadConfigFile } from ${JSON.stringify(configFiles)};
      Deno.mkdirSync(${JSON.stringify(`${folder}/gone`)});
      Deno.chdir(${JSON.stringify(`${folder}/gone`)});
      Deno.removeSync(${JSON.stringify(`${folder}/gone`)});
      Deno.writeTextFileSync(${JSON.stringify(`${folder}/svc.toml`)}, '[tasks.a]\\nrun = "true"\\n');
      const folder = ${JSON.stringify(folder)};
      const answer = await (async () => ${expression})().catch((error) => error.message);
      console.log(JSON.stringify(answer ?? null));`;
    await Deno.writeTextFile(`${folder}/ask.ts`, script);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-prompt",
        "--no-check",
        `--config=${new URL("../../deno.json", import.meta.url).pathname}`,
        `${folder}/ask.ts`,
      ],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    answer = JSON.parse(text);
  });
  return answer;
}

Deno.test("absolutePath() needs no working folder for an absolute path, and says that it is gone for another", async () => {
  assert.deepEqual(await inRemovedFolder(`[workingFolder() ?? "none", absolutePath("/a/../b")]`), [
    "none",
    "/b",
  ]);
  assert.equal(
    await inRemovedFolder(`absolutePath("b")`),
    `cannot tell what "b" is: the folder that svc was started in has been removed; name a path that begins with "/"`,
  );
});

Deno.test("a working folder whose name is not UTF-8 is told as such", () =>
  inFolder(async (folder) => {
    const script = `
      import { absolutePath, workingFolder } from ${JSON.stringify(module)};
      import { findConfigFile } from ${JSON.stringify(finder)};
      const said = (f) => { try { return f(); } catch (error) { return error.message; } };
      const env = { XDG_CONFIG_HOME: "/nowhere" };
      console.log(JSON.stringify([
        workingFolder() ?? "none",
        said(() => absolutePath("b")),
        said(() => findConfigFile({ env, isRoot: false })),
        said(() => findConfigFile({ env, isRoot: false, flag: Deno.args[0] })),
      ]));`;
    await Deno.writeTextFile(`${folder}/ask.ts`, script);
    const { stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [
        "-c",
        'odd=$(printf "caf\\351"); mkdir "$odd"; cd "$odd"; exec "$@" "$1/../$odd/svc.toml"',
        "sh",
        Deno.execPath(),
        "run",
        "-A",
        "--no-prompt",
        "--no-check",
        `--config=${new URL("../../deno.json", import.meta.url).pathname}`,
        `${folder}/ask.ts`,
      ],
      cwd: folder,
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    const why = "the name of the folder that svc was started in, or of one around it, is not UTF-8";
    assert.deepEqual(JSON.parse(text).slice(0, 3), [
      "none",
      `cannot tell what "b" is: ${why}; name a path that begins with "/"`,
      "no configuration file found: looked at /nowhere/svc/svc.toml, and not into the working folder: " +
      `${why}; name one with -c, or try it out with "svc demo"`,
    ]);
    assert.match(
      JSON.parse(text)[3],
      /caf\ufffd\/svc\.toml" \(from -c\): check the path; names that are not UTF-8 can't be used/,
    );
  }));

Deno.test("loadConfigFile() reads a file by its absolute path where the working folder is gone", async () => {
  assert.deepEqual(
    await inRemovedFolder(
      "(await loadConfigFile(`${folder}/svc.toml`)).config.units.map(({ name }) => name)",
    ),
    ["a"],
  );
});
