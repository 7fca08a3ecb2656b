import assert from "node:assert/strict";
import { hashBytes, loadConfigFile, MAX_CONFIG_BYTES, readConfigFile } from "../../src/io/config_files.ts";
import { faultOf, inFolder, manyEntries, write } from "../support/folder.ts";

Deno.test("loadConfigFile() loads a root file with all that it names", () =>
  inFolder(async (folder) => {
    write(
      `${folder}/svc.toml`,
      "\uFEFF[daemon]\r\ninclude = ['conf.d/*.toml']\r\n[defaults]\r\nenv_file = 'base.env'\r\n" +
        "secrets = { K = '${file:key}', U = '${WHO}' }\r\n",
    );
    write(`${folder}/conf.d/b.toml`, '[tasks.b]\nrun = "x"\n');
    write(`${folder}/conf.d/a.toml`, '[tasks.a]\nrun = "x"\n');
    write(`${folder}/conf.d/folder.toml/x`, "");
    write(`${folder}/base.env`, "A=1\n");
    write(`${folder}/key`, "k\n");
    const { config, errors, warnings } = await loadConfigFile(`${folder}/svc.toml`, { env: { WHO: "me" } });
    assert.deepEqual(errors, []);
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      config?.units.map(({ name, env, secrets, workingDir }) => ({ name, env, secrets, workingDir })),
      [
        { name: "a", env: { A: "1" }, secrets: { K: "k", U: "me" }, workingDir: `${folder}/conf.d` },
        { name: "b", env: { A: "1" }, secrets: { K: "k", U: "me" }, workingDir: `${folder}/conf.d` },
      ],
    );
    assert.deepEqual(config?.sources.map(({ path }) => path.slice(folder.length)), [
      "/svc.toml",
      "/key",
      "/conf.d/a.toml",
      "/conf.d/b.toml",
      "/base.env",
    ]);
    assert.equal(config?.sources[1]?.hash, hashBytes(new TextEncoder().encode("k\n")));
    assert.equal(
      hashBytes(new Uint8Array()),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  }));

Deno.test("loadConfigFile() makes one clear line of a file that can't be used", () =>
  inFolder(async (folder) => {
    const files: [name: string, content: string | Uint8Array, said: RegExp][] = [
      ["nul.toml", "a = 1\0", /it is no text \(NUL at byte 5\)$/],
      ["latin1.toml", new Uint8Array([35, 0xe4, 10]), /it is not valid UTF-8; save it in that encoding$/],
      ["large.toml", new Uint8Array(MAX_CONFIG_BYTES + 1).fill(35), /it is larger than 8 MiB$/],
      ["folder.toml/x", "", /it is a folder$/],
    ];
    for (const [name, content, said] of files) {
      write(`${folder}/${name}`, content);
      const path = `${folder}/${name.split("/")[0]}`;
      const { config, errors } = await loadConfigFile(path, { env: {} });
      assert.equal(config, undefined);
      assert.equal(errors.length, 1);
      assert.match(errors[0]?.message ?? "", said);
      assert.deepEqual([errors[0]?.file, errors[0]?.line, errors[0]?.key], [path, 0, ""]);
    }
    const { errors } = await loadConfigFile(`${folder}/gone.toml`, { env: {} });
    assert.equal(errors[0]?.message, `cannot read "${folder}/gone.toml": there is no such file`);
    const below = await loadConfigFile(`${folder}/nul.toml/x`, { env: {} });
    assert.match(below.errors[0]?.message ?? "", /there is no such file$/);
  }));

Deno.test("readConfigFile() refuses devices and pipes instead of waiting for them", () => {
  assert.match(
    faultOf(() => readConfigFile("/dev/zero")).message,
    /^cannot read "\/dev\/zero": it is no regular file$/,
  );
});

Deno.test("readConfigFile() tells a missing right from a missing file", { permissions: "none" }, () => {
  const fault = faultOf(() => readConfigFile("/x/svc.toml"));
  assert.deepEqual([fault.code, fault.message], [
    "forbidden",
    'cannot read "/x/svc.toml": permission denied',
  ]);
});

Deno.test("loadConfigFile() refuses an include that leads through more than it may look at, and says what to do", () =>
  inFolder(async (folder) => {
    write(`${folder}/svc.toml`, "[daemon]\ninclude = ['conf.d/*.toml', 'many/*/*/x.toml']\n");
    write(`${folder}/conf.d/a.toml`, '[tasks.a]\nrun = "x"\n');
    manyEntries(`${folder}/many`);
    const { config, errors } = await loadConfigFile(`${folder}/svc.toml`, { env: {} });
    assert.equal(config, undefined);
    assert.deepEqual(errors.map(({ key, message }) => [key, message]), [[
      "daemon.include",
      'include "many/*/*/x.toml" leads through more than 20000 files and folders: name the folders more exactly ' +
      '(no "**" over what is not for svc), or move what does not belong there',
    ]]);
  }));
