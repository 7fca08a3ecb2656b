import assert from "node:assert/strict";
import { readPassword } from "../../src/daemon/given_password.ts";
import { faultOf, inFolder } from "../support/folder.ts";

const unread = (): string => assert.fail("nothing is to be read");

Deno.test("readPassword() takes the password out of the environment, wherever it stood", () =>
  inFolder((folder) => {
    Deno.env.set("SVC_PASSWORD", "from the environment");
    const exposed = readPassword({ A: "1", SVC_PASSWORD: "from the environment" }, unread);
    assert.deepEqual(exposed, { env: { A: "1", SVC_PASSWORD: "from the environment" }, isExposed: true });
    assert.equal(Deno.env.get("SVC_PASSWORD"), undefined, "nothing that is started has it");
    const handed = readPassword({ SVC_INPUT: "stdin" }, () => "a 'b'\n");
    assert.deepEqual(handed, { env: { SVC_PASSWORD: "a 'b'" }, isExposed: false });
    assert.deepEqual(readPassword({ A: "1" }, unread), { env: { A: "1" }, isExposed: false });
    const file = `${folder}/password`;
    for (const text of ["s3cret", "s3cret\n", "# read by systemd\nSVC_PASSWORD=s3cret\nSVC_CACHE=/x\n"]) {
      Deno.writeTextFileSync(file, text);
      assert.deepEqual(readPassword({ SVC_PASSWORD_FILE: file }, unread), {
        env: { SVC_PASSWORD: "s3cret", SVC_ENV_FILE: file },
        isExposed: false,
      });
    }
    // What stands in the environment counts: a service manager that knows no better puts both there.
    assert.equal(readPassword({ SVC_PASSWORD: "x", SVC_PASSWORD_FILE: file }, unread).env.SVC_PASSWORD, "x");
  }));

Deno.test("readPassword() refuses a file without a password, and one that others may change", () =>
  inFolder((folder) => {
    const file = `${folder}/password`;
    const refused = (): string => faultOf(() => readPassword({ SVC_PASSWORD_FILE: file }, unread)).message;
    assert.match(refused(), /^cannot take the password from ".*" \(SVC_PASSWORD_FILE\): No such file/);
    Deno.writeTextFileSync(file, "\n");
    assert.match(refused(), /it holds no password/);
    Deno.writeTextFileSync(file, "one\ntwo\n");
    assert.match(refused(), /on one line$/);
    Deno.chmodSync(file, 0o646);
    assert.match(refused(), /others may write it; make it a file that only the daemon's user may read/);
  }));
