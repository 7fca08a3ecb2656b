import assert from "node:assert/strict";
import type { AuthSetup } from "../../src/http/auth/auth.ts";
import { alice, authOf, password } from "../support/auth.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { day, task } from "../support/units.ts";
import { passwordOf } from "../../src/local/password_file.ts";
import type { Peer } from "../../src/http/router.ts";
import { inFolder } from "../support/folder.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

const url = "http://box:8420";

/** A home folder of the test's own, and a daemon that asks for a password. */
async function remote(): Promise<{
  t: TestEngine;
  home: string;
  svc: (args: string[], own?: { secret?: string; env?: Record<string, string> }) => ReturnType<typeof call>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const t = await makeEngine({ units: [task({ name: "t" })] });
  const home = await Deno.makeTempDir({ prefix: "svc-home-" });
  const fetch = fetchFrom(t, { facts: { auth: authOf(t) }, peer: alice });
  return {
    t,
    home,
    svc: (args, { secret, env = {} } = {}) =>
      call(args, {
        fetch,
        now: () => t.clock.now(),
        terminal: memoryTerminal({
          env: { LANG: "C.UTF-8", HOME: home, ...env },
          ...(secret === undefined ? {} : { secret }),
        }),
      }),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

Deno.test("svc login keeps a session that later commands use, in a file for this user alone", async () => {
  await using test = await remote();
  const { svc, home, t } = test;
  const before = await svc(["list", "--url", url]);
  assert.equal(before.code, 1);
  assert.match(
    before.stderr,
    /svc: http:\/\/box:8420 needs a session: "svc login --url http:\/\/box:8420" begins one/,
  );
  const { code, stdout, stderr } = await svc(["login", "--url", url], { secret: password });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^logged in at http:\/\/box:8420 until 2027-01-16T12:00:00/);
  const path = `${home}/.local/state/svc/sessions.json`;
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  assert.deepEqual([...Deno.readDirSync(`${home}/.local/state/svc`)].map(({ name }) => name), [
    "sessions.json",
  ]);
  const kept = await Deno.readTextFile(path);
  assert.ok(!kept.includes(password) && !stdout.includes(JSON.parse(kept)[url].token));
  assert.equal((await svc(["list", "--url", `${url}/`])).code, 0);
  assert.equal((await svc(["list"], { env: { SVC_URL: url } })).code, 0);
  assert.equal(
    (await svc(["run", "t", "--detach", "--url", url])).code,
    0,
    "no Origin is needed with a token",
  );
  assert.equal((await svc(["list", "--url", "http://other:8420"])).code, 1, "another address gets no token");
  t.clock.stall(day);
  assert.match((await svc(["list", "--url", url])).stderr, /needs a session/);
});

Deno.test("svc login refuses a wrong and a missing password, and the control socket", async () => {
  await using test = await remote();
  const { svc, home } = test;
  const wrong = await svc(["login", "--url", url], { secret: "nope" });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /the login is refused: the password is wrong/);
  for (const secret of [undefined, ""]) {
    const { code, stderr } = await svc(["login", "--url", url], secret === undefined ? {} : { secret });
    assert.equal(code, 1);
    assert.match(stderr, /no password was given/);
  }
  const local = await svc(["login"], { secret: password });
  assert.equal(local.code, 2);
  assert.match(local.stderr, /--url/);
  await assert.rejects(Deno.stat(`${home}/.local`), Deno.errors.NotFound);
});

Deno.test("svc login answers no challenge that a password could be read from", async () => {
  const asked: string[] = [];
  const { code, stderr } = await call(["login", "--url", url], {
    terminal: memoryTerminal({ env: { HOME: "/nowhere" }, secret: password }),
    fetch: (input) => {
      asked.push(String(input));
      return Promise.resolve(Response.json({ nonce: "00".repeat(32), iterations: 1000 }));
    },
  });
  assert.equal(code, 1);
  assert.match(stderr, /asks for 1000 rounds/);
  assert.deepEqual(asked, [`${url}/api/auth/challenge`]);
});

Deno.test("SVC_TOKEN counts before what svc login kept", async () => {
  await using test = await remote();
  const { svc, home } = test;
  await svc(["login", "--url", url], { secret: password });
  const token = JSON.parse(await Deno.readTextFile(`${home}/.local/state/svc/sessions.json`))[url].token;
  assert.equal((await svc(["list", "--url", url], { env: { HOME: "/nowhere", SVC_TOKEN: token } })).code, 0);
  assert.equal((await svc(["list", "--url", url], { env: { SVC_TOKEN: "svcs_no" } })).code, 1);
});

Deno.test("svc password prints the generated password, exits 1 for one from SVC_PASSWORD and 5 with authentication off", async () => {
  await using t = await makeEngine({ units: [] });
  const svc = (setup: Partial<AuthSetup>, args: string[] = []) =>
    call(["password", ...args], { fetch: fetchFrom(t, { facts: { auth: authOf(t, setup) } }) });
  const generated = { password: { text: "made-up", isGenerated: true } };
  assert.deepEqual(await svc(generated), { code: 0, stdout: "made-up\n", stderr: "" });
  assert.deepEqual(JSON.parse((await svc(generated, ["--json"])).stdout), {
    schema_version: 1,
    password: "made-up",
    ephemeral: true,
  });
  const named = await svc({});
  assert.deepEqual([named.code, named.stdout], [1, ""]);
  assert.match(named.stderr, /SVC_PASSWORD.*environment file/);
  const off = await svc({ mode: "off" });
  assert.deepEqual([off.code, off.stdout], [5, ""]);
  assert.match(off.stderr, /authentication is off/);
  const remote = await call(["password", "--url", url], {
    fetch: fetchFrom(t, { facts: { auth: authOf(t, generated) }, peer: alice }),
    terminal: memoryTerminal({ env: {} }),
  });
  assert.equal(remote.code, 1);
  assert.match(remote.stderr, /over the control socket only/);
});

Deno.test("svc password reads the file that a service manager's password stands in, of its own daemon only", async () => {
  await using t = await makeEngine({ units: [] });
  await inFolder(async (folder) => {
    const file = `${folder}/service.env`;
    const read: string[] = [];
    const svc = (args: string[], peer?: Peer) =>
      call(["password", ...args], {
        fetch: fetchFrom(t, {
          facts: { auth: authOf(t, { password: { text: "kept", isGenerated: false, file } }) },
          ...(peer === undefined ? {} : { peer }),
        }),
        locals: {
          readPassword: (path) => {
            read.push(path);
            return Promise.resolve().then(() =>
              passwordOf(path, { attempt: "cannot read it", mend: "be root" })
            );
          },
        },
        terminal: memoryTerminal({ env: {} }),
      });
    const missing = await svc([]);
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /^svc: cannot read it: No such file .*; be root\n$/);
    Deno.writeTextFileSync(file, "# kept\nSVC_PASSWORD=correct horse\nSVC_CACHE=/x\n", { mode: 0o600 });
    assert.deepEqual(await svc([]), {
      code: 0,
      stdout: "correct horse\n",
      stderr: `it is the one in "${file}"\n`,
    });
    assert.deepEqual(read, [file, file]);
    // Whoever answers there may name any file of this machine.
    assert.equal((await svc(["--url", url])).code, 1);
    assert.deepEqual(read, [file, file]);
  });
});

Deno.test("Commands say when the certificate of a daemon is not trusted, and what to do", async () => {
  const refused = new Error("client error (Connect): invalid peer certificate: UnknownIssuer");
  const { code, stderr } = await call(["list", "--url", "https://box:8420"], {
    terminal: memoryTerminal({ env: {} }),
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: refused })),
  });
  assert.equal(code, 3);
  assert.match(stderr, /certificate of https:\/\/box:8420 is not trusted \(UnknownIssuer\): .*DENO_CERT/);
});
