import assert from "node:assert/strict";
import { inFolder, write } from "../support/folder.ts";

const child = new URL("./starved_child.ts", import.meta.url).pathname;

Deno.test("ConfigWatcher and expandGlob() conclude nothing from a lack of descriptors", () =>
  inFolder(async (folder) => {
    write(
      `${folder}/svc.toml`,
      '[daemon]\ninclude = ["*.d/*.toml"]\n[tasks.t]\nrun = "x"\nenv_file = "t.env"\n',
    );
    write(`${folder}/t.env`, "A=1\n");
    write(`${folder}/conf.d/a.toml`, '[tasks.a]\nrun = "x"\n');
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", 'ulimit -n 64; exec "$0" run -A --no-prompt "$@"', Deno.execPath(), child, folder],
    }).output();
    const { starved, ...told } = JSON.parse(new TextDecoder().decode(stdout));
    assert.match(starved.unfinished, /^can't be looked for: Too many open files.*; try again$/);
    assert.deepEqual(starved.files, []);
    assert.deepEqual(told, {
      before: false,
      during: false,
      after: true,
      fed: { files: [`${folder}/svc.toml`] },
    });
  }));
