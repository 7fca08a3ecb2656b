import assert from "node:assert/strict";
import { findSocket } from "../../src/local/places.ts";
import { faultOf, inFolder } from "../support/folder.ts";

Deno.test("findSocket() goes where the daemon has written that it is", () =>
  inFolder((data) => {
    assert.equal(findSocket({ data }, {}).socketPath, `${data}/svc.sock`);
    Deno.writeTextFileSync(`${data}/daemon.json`, JSON.stringify({ socket_path: `${data}/other.sock` }));
    assert.equal(findSocket({ data }, {}).socketPath, `${data}/other.sock`);
    assert.equal(findSocket({ data }, { SVC_SOCKET: `${data}/env.sock` }).socketPath, `${data}/env.sock`);
    assert.equal(findSocket({ data, socket: `${data}/flag.sock` }, {}).socketPath, `${data}/flag.sock`);
  }));

Deno.test({
  name: "findSocket() sends nothing to where another user may listen, unless that socket is named",
  ignore: Deno.uid() !== 0,
  fn: () =>
    inFolder((folder) => {
      const refused = (data: string, env: Record<string, string> = {}): void => {
        const { code, message } = faultOf(() => findSocket({ data }, env));
        assert.equal(code, "forbidden");
        assert.match(message, /^will not speak to control socket ".*": user 12345 owns /);
      };
      const his = `${folder}/his`;
      Deno.mkdirSync(his);
      Deno.writeTextFileSync(`${his}/svc.sock`, "");
      Deno.chownSync(his, 12345, 12345);
      refused(his);
      refused(`${folder}/mine`, { SVC_SOCKET: `${his}/svc.sock` });
      const named = findSocket({ data: his, socket: `${his}/svc.sock` }, {});
      assert.equal(named.socketPath, `${his}/svc.sock`);
      assert.match(
        named.doubt!,
        /^control socket ".*\/his\/svc\.sock": user 12345 owns ".*\/his", which leads to it, /,
      );
      assert.equal(findSocket({ socket: `${folder}/svc.sock` }, {}).doubt, undefined);
      // What he writes into a record of his leads nowhere either.
      const mine = `${folder}/mine`;
      Deno.mkdirSync(mine);
      Deno.writeTextFileSync(`${mine}/daemon.json`, JSON.stringify({ socket_path: `${his}/svc.sock` }));
      refused(mine);
      Deno.chownSync(`${mine}/daemon.json`, 12345, 12345);
      assert.equal(findSocket({ data: mine }, {}).socketPath, `${mine}/svc.sock`);
      // A path that is too long for a socket has it in a folder that anybody could have made first.
      const data = `${folder}/${"long".repeat(25)}`;
      Deno.mkdirSync(data);
      const run = `${folder}/run`;
      Deno.mkdirSync(run);
      Deno.chmodSync(run, 0o1777);
      const { socketPath } = findSocket({ data }, { XDG_RUNTIME_DIR: run });
      Deno.mkdirSync(socketPath.slice(0, socketPath.lastIndexOf("/")));
      Deno.chownSync(socketPath.slice(0, socketPath.lastIndexOf("/")), 12345, 12345);
      refused(data, { XDG_RUNTIME_DIR: run });
    }),
});

Deno.test("findSocket() finds the daemon whose configuration is gone from its place, where nobody has named one", () =>
  inFolder((home) => {
    const env = { HOME: home };
    const data = `${home}/.config/svc/.svc`;
    Deno.mkdirSync(data, { recursive: true });
    assert.match(faultOf(() => findSocket({}, env)).message, /^no configuration file found: /);
    using _ = Deno.listen({ transport: "unix", path: `${data}/svc.sock` });
    assert.deepEqual(findSocket({}, env), { dataDir: data, socketPath: `${data}/svc.sock` });
    const named = faultOf(() => findSocket({ config: `${home}/.config/svc/other.toml` }, env));
    assert.match(named.message, /^there is no configuration file /);
    if (Deno.uid() !== 0) return;
    Deno.chownSync(data, 12345, 12345);
    const { code, message } = faultOf(() => findSocket({}, env));
    assert.equal(code, "not_found");
    assert.match(
      message,
      /there is a control socket ".*", but user 12345 owns ".*", .*: name it with --socket/,
    );
  }));
