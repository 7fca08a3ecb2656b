import assert from "node:assert/strict";
import { findConfigFile } from "../../src/io/find_config.ts";
import { faultOf, inFolder, write } from "../support/folder.ts";

const asRoot = Deno.uid() === 0;

Deno.test("findConfigFile() looks at -c, SVC_CONFIG, the folder and the XDG folder, in this order", () =>
  inFolder((folder) => {
    for (
      const name of [
        "flag.toml",
        "env.toml",
        "cwd/svc.toml",
        "xdg/svc/svc.toml",
        "home/.config/svc/svc.toml",
        "etc.toml",
      ]
    ) {
      write(`${folder}/${name}`, "");
    }
    const env = {
      SVC_CONFIG: "../env.toml",
      XDG_CONFIG_HOME: `${folder}/xdg`,
      HOME: `${folder}/home`,
    };
    const find = (options: Parameters<typeof findConfigFile>[0]): string =>
      findConfigFile({
        cwd: `${folder}/cwd`,
        isRoot: false,
        systemFile: `${folder}/etc.toml`,
        env: {},
        ...options,
      })
        .slice(folder.length + 1);
    assert.equal(find({ flag: "../flag.toml", env }), "flag.toml");
    assert.equal(find({ env }), "env.toml");
    assert.equal(find({ env: { ...env, SVC_CONFIG: "" } }), "cwd/svc.toml");
    const elsewhere = { cwd: folder, env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME, HOME: env.HOME } };
    assert.equal(find(elsewhere), "xdg/svc/svc.toml");
    assert.equal(find({ ...elsewhere, env: { HOME: env.HOME } }), "home/.config/svc/svc.toml");
    assert.equal(
      find({ ...elsewhere, env: { HOME: env.HOME, XDG_CONFIG_HOME: "relative" } }),
      "home/.config/svc/svc.toml",
    );
  }));

Deno.test(
  "findConfigFile() as root prefers the system's file",
  { ignore: !asRoot },
  () =>
    inFolder((folder) => {
      write(`${folder}/svc.toml`, "");
      const options = { cwd: folder, isRoot: true, systemFile: `${folder}/etc.toml`, env: {} };
      assert.equal(findConfigFile(options), `${folder}/svc.toml`);
      write(`${folder}/etc.toml`, "");
      assert.equal(findConfigFile(options), `${folder}/etc.toml`);
      assert.equal(findConfigFile({ ...options, flag: "svc.toml" }), `${folder}/svc.toml`);
    }),
);

Deno.test("findConfigFile() as root refuses what somebody else owns or may write", () =>
  inFolder((folder) => {
    const path = `${folder}/svc.toml`;
    write(path, "");
    const options = { cwd: folder, isRoot: true, systemFile: `${folder}/etc.toml`, env: {} };
    if (asRoot) {
      Deno.chmodSync(path, 0o666);
      assert.match(faultOf(() => findConfigFile(options)).message, /others may write it/);
      Deno.chmodSync(path, 0o664);
      assert.equal(findConfigFile(options), path);
      Deno.chownSync(path, 0, 12345);
      assert.match(faultOf(() => findConfigFile(options)).message, /others may write it/);
      Deno.chmodSync(path, 0o644);
      assert.equal(findConfigFile(options), path);
      Deno.chownSync(path, 12345, 0);
    }
    for (const flag of [undefined, path]) {
      const fault = faultOf(() => findConfigFile({ ...options, ...(flag !== undefined && { flag }) }));
      assert.equal(fault.code, "forbidden");
      assert.match(
        fault.message,
        /^refusing ".*\/svc\.toml" as root: user \d+ owns (?:it|".*", which leads to it); /,
      );
    }
    assert.equal(findConfigFile({ ...options, isRoot: false }), path);
  }));

Deno.test("findConfigFile() says where it looked and what to do", () =>
  inFolder((folder) => {
    const none = faultOf(() => findConfigFile({ cwd: folder, isRoot: false, env: { HOME: `${folder}/h` } }));
    assert.equal(none.code, "not_found");
    assert.equal(
      none.message,
      `no configuration file found: looked at ${folder}/svc.toml, ${folder}/h/.config/svc/svc.toml; name one with -c, ` +
        'or try it out with "svc demo"',
    );
    const named = faultOf(() => findConfigFile({ cwd: folder, isRoot: false, env: {}, flag: "x.toml" }));
    assert.equal(named.code, "not_found");
    assert.match(named.message, /^there is no configuration file ".*\/x\.toml" \(from -c\): /);
    const variable = faultOf(() =>
      findConfigFile({ cwd: folder, isRoot: false, env: { SVC_CONFIG: "y.toml" } })
    );
    assert.match(variable.message, /\(from SVC_CONFIG\)/);
  }));
