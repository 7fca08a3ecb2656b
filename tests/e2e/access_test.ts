import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { type DaemonProcess, startDaemonProcess, svcCommand } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";
import { needs } from "../support/needs.ts";

const password = "correct horse battery staple";
const hookToken = "hook-token-".repeat(4);
const config = `
[tasks.deploy]
run = "env"
hook_tokens = [{ token = "${hookToken}", allow = ["run"] }]
`;

/** Starts a daemon with authentication on; `own` goes to its environment. */
function start(
  own: Record<string, string>,
  options: { folder?: string; args?: string[]; config?: string } = {},
) {
  const { config: text = config, ...rest } = options;
  return startDaemonProcess(text, { ...rest, env: { SVC_AUTH: "", SVC_LOG_LEVEL: "debug", ...own } });
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** The whole of a client's login, as docs/security.md describes it. */
async function logIn(ask: Ask, secret: string): Promise<{ token: string; cookie: string }> {
  const { nonce, iterations } = await (await ask("/api/auth/challenge")).json();
  const response = pbkdf2Sync(secret, nonce, iterations, 32, "sha256").toString("hex");
  const answer = await ask("/api/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ nonce, response }),
  });
  const { token } = await answer.json();
  return { token, cookie: answer.headers.get("set-cookie") ?? "" };
}

async function statusOf(ask: Ask, token: string, path = "/api/daemon"): Promise<number> {
  const response = await ask(path, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

/** Asks over the control socket. */
async function overSocket(daemon: DaemonProcess, path: string): Promise<Response> {
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path: `${daemon.dataDir}/svc.sock` } });
  try {
    const response = await fetch(`http://localhost${path}`, { client });
    return new Response(await response.arrayBuffer(), response);
  } finally {
    client.close();
  }
}

Deno.test("A session lives over restarts until logout or another password, and no secret is in log or files", async () => {
  let daemon = await start({ SVC_PASSWORD: password });
  const { folder, dataDir } = daemon;
  let logs = "";
  const restart = async (secret: string): Promise<void> => {
    await daemon.end();
    logs += daemon.log();
    daemon = await start({ SVC_PASSWORD: secret }, { folder });
  };
  try {
    assert.equal(await statusOf(daemon.request, "none"), 401);
    const [first, second] = [await logIn(daemon.request, password), await logIn(daemon.request, password)];
    assert.equal(await statusOf(daemon.request, first.token), 200);
    assert.equal((await overSocket(daemon, "/api/local/credentials")).status, 404);
    assert.equal((await overSocket(daemon, "/api/daemon")).status, 200);
    const hook = await daemon.request(`/api/hooks/tasks/deploy/run?wait=true&token=${hookToken}`, {
      method: "POST",
    });
    const run = await hook.json();
    assert.deepEqual([hook.status, run.triggeredBy, run.endReason], [201, "hook", "succeeded"]);
    await (await daemon.request(`/api/none?token=${hookToken}`, { method: "POST" })).body?.cancel();

    await restart(password);
    assert.equal(await statusOf(daemon.request, first.token), 200);
    const out = await daemon.request("/api/auth/logout", {
      method: "POST",
      headers: { authorization: `Bearer ${first.token}` },
    });
    assert.equal(out.status, 204);
    await restart(password);
    assert.equal(await statusOf(daemon.request, first.token), 401);
    assert.equal(await statusOf(daemon.request, second.token), 200);
    await restart("another password");
    assert.equal(await statusOf(daemon.request, second.token), 401);
    await daemon.end();
    logs += daemon.log();

    const kept = await filesBelow(dataDir);
    const captured = kept.find(({ path }) => path.includes(`/${run.id}/`) && path.endsWith(".log"));
    assert.match(captured?.text ?? "", /SVC_RUN_ID=/, "the run saw its own variables");
    for (const secret of [password, "another password", first.token, second.token, hookToken]) {
      assert.ok(!logs.includes(secret), `the daemon's log tells "${secret}"`);
      for (const { path, text } of kept) assert.ok(!text.includes(secret), `${path} holds "${secret}"`);
    }
  } finally {
    await daemon.end();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("Without SVC_PASSWORD each life has a password of its own, told over the control socket", async () => {
  const first = await start({});
  let second: DaemonProcess | undefined;
  try {
    const told = await (await overSocket(first, "/api/local/credentials")).json();
    assert.equal(told.ephemeral, true);
    assert.ok(told.password.length >= 24);
    assert.ok(!first.log().includes(told.password));
    const { token } = await logIn(first.request, told.password);
    assert.equal(await statusOf(first.request, token), 200);
    await first.end();
    second = await start({}, { folder: first.folder });
    assert.equal(await statusOf(second.request, token), 401);
    assert.notEqual(
      (await (await overSocket(second, "/api/local/credentials")).json()).password,
      told.password,
    );
  } finally {
    await first.end();
    await second?.end();
    await Deno.remove(first.folder, { recursive: true });
  }
});

Deno.test("A daemon on all addresses speaks TLS with its own certificate, and goes on doing so after it gave up net", async () => {
  const daemon = await start({ SVC_PASSWORD: password, SVC_TLS: "auto" }, { args: ["--host", "0.0.0.0"] });
  try {
    const { url, port } = JSON.parse(await Deno.readTextFile(`${daemon.dataDir}/daemon.json`));
    assert.equal(url, `https://127.0.0.1:${port}`);
    const cert = await Deno.readTextFile(`${daemon.dataDir}/tls/cert.pem`);
    using client = Deno.createHttpClient({ caCerts: [cert] });
    const ask: Ask = (path, init) => fetch(url + path, { ...init, client });
    const { token, cookie } = await logIn(ask, password);
    assert.match(cookie, /; Secure/);
    assert.equal(await statusOf(ask, token), 200);
    assert.equal(await statusOf(ask, "none"), 401);
    if (needs.curl.isThere) {
      const curl = await new Deno.Command("curl", {
        args: ["-sk", "-o", "/dev/null", "-w", "%{http_code} %{scheme}", `${url}/health`],
      }).output();
      assert.match(new TextDecoder().decode(curl.stdout), /^200 https$/i);
    }
    assert.equal((await Deno.stat(`${daemon.dataDir}/tls/key.pem`)).mode! & 0o777, 0o600);
    assert.equal(await daemon.end(), 0);
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("A daemon on loopback speaks TLS with the certificate of the operator", async () => {
  const made = await start({ SVC_TLS: "auto" }, { config: "" });
  await made.end();
  const tls = `${made.folder}/mine`;
  await Deno.rename(`${made.dataDir}/tls`, tls);
  const text = '[daemon]\ntls_cert = "mine/cert.pem"\ntls_key = "mine/key.pem"\n';
  const daemon = await start({}, { folder: made.folder, config: text });
  try {
    using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(`${tls}/cert.pem`)] });
    const response = await fetch(`${daemon.url}/health`, { client });
    assert.deepEqual([new URL(daemon.url).protocol, response.status], ["https:", 200]);
    await response.body?.cancel();
    assert.doesNotMatch(daemon.log(), /has no effect/);
  } finally {
    await daemon.end();
    await Deno.remove(made.folder, { recursive: true });
  }
});

Deno.test("With authentication off a daemon warns at start, and refuses foreign hosts and pages", async () => {
  const daemon = await start({ SVC_AUTH: "OFF" });
  try {
    await until(
      "the warning is read",
      () => Promise.resolve(/warn.*authentication is off/.test(daemon.log())),
    );
    assert.equal((await (await daemon.request("/api/daemon")).json()).auth_disabled, true);
    const { port } = new URL(daemon.url);
    const raw = async (head: string): Promise<string> => {
      using connection = await Deno.connect({ port: Number(port) });
      await connection.write(new TextEncoder().encode(`${head}\r\nConnection: close\r\n\r\n`));
      return await new Response(connection.readable).text();
    };
    assert.match(await raw(`GET /api/daemon HTTP/1.1\r\nHost: evil.example:${port}`), /^HTTP\/1.1 403/);
    assert.match(await raw(`GET /api/daemon HTTP/1.1\r\nHost: ${Deno.hostname()}:${port}`), /^HTTP\/1.1 200/);
    const post =
      `POST /api/daemon/reload HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\nOrigin:`;
    assert.match(await raw(`${post} http://evil.example`), /^HTTP\/1.1 403/);
    assert.match(await raw(`${post} http://localhost:${port}`), /^HTTP\/1.1 200/);
    assert.equal((await overSocket(daemon, "/api/local/credentials")).status, 409);
  } finally {
    await daemon.end();
    await Deno.remove(daemon.folder, { recursive: true });
  }
});

Deno.test("A daemon refuses to start with settings that mean nothing or two things, and tells no password", async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ SVC_AUTH: "maybe" }, /SVC_AUTH "maybe"/],
    [{ SVC_AUTH: "on", SVC_PASSWORD: password }, /both SVC_AUTH "on" and SVC_PASSWORD/],
    [{ SVC_AUTH: "off", SVC_PASSWORD: password }, /both SVC_AUTH "off" and SVC_PASSWORD/],
    [{ SVC_TLS: "yes" }, /SVC_TLS "yes"/],
    [{ SVC_TRUSTED_PROXIES: "10.0.0.0/8, here" }, /"here" in SVC_TRUSTED_PROXIES/],
  ];
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.writeTextFile(`${folder}/svc.toml`, config);
  const [program, ...args] = svcCommand();
  try {
    const ends = await Promise.all(cases.map(([env]) =>
      new Deno.Command(program!, {
        args: [...args, "daemon", "-c", `${folder}/svc.toml`, "--port", "0"],
        env: { SVC_AUTH: "", SVC_PASSWORD: "", ...env },
        stdin: "null",
        signal: AbortSignal.timeout(30_000),
      }).output()
    ));
    for (const [i, { code, stderr }] of ends.entries()) {
      const text = new TextDecoder().decode(stderr);
      assert.equal(code, 1, text);
      assert.match(text, cases[i]![1]);
      assert.ok(!text.includes(password));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** All files below a folder, as text. */
async function filesBelow(folder: string): Promise<{ path: string; text: string }[]> {
  const files: { path: string; text: string }[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) files.push(...await filesBelow(path));
    else if (isFile) files.push({ path, text: new TextDecoder("latin1").decode(await Deno.readFile(path)) });
  }
  return files;
}
