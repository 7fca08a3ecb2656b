import assert from "node:assert/strict";
import { startDaemonProcess } from "../support/daemon_process.ts";
import { until } from "../support/machine.ts";
import { svc } from "../support/svc_process.ts";

Deno.test("a daemon tells within 2 s that a dotenv file has changed, and a reload puts it into force", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-test-" });
  await Deno.writeTextFile(`${folder}/t.env`, "A=1\n");
  const daemon = await startDaemonProcess('[tasks.t]\nrun = "echo $A"\nenv_file = "t.env"\n', { folder });
  const isStale = async (): Promise<boolean> =>
    (await (await daemon.request("/api/daemon")).json()).config_stale;
  try {
    assert.equal(await isStale(), false);
    const changedAt = Date.now();
    await Deno.writeTextFile(`${folder}/t.env`, "A=2\n");
    // Its log tells what it saw by itself, without being asked.
    await until(
      "it has seen the change",
      () => Promise.resolve(daemon.log().includes("has changed on disk")),
    );
    assert.ok(Date.now() - changedAt < 2000);
    assert.equal(await isStale(), true);
    const reload = await daemon.request("/api/daemon/reload", { method: "POST" });
    assert.deepEqual((await reload.json()).changed, [{ name: "t", reasons: ["env"] }]);
    assert.equal(await isStale(), false);
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("commands find the daemon of a folder whose svc.toml is gone", async () => {
  const daemon = await startDaemonProcess('[tasks.t]\nrun = "true"\n');
  const cwd = daemon.dataDir.replace(/\/\.svc$/, "");
  const call = (...words: string[]) => svc(words, { cwd, env: { HOME: cwd } });
  try {
    await Deno.remove(`${cwd}/svc.toml`);
    assert.match((await call("list")).stdout, /\bt\b/);
    assert.equal((await call("status")).code, 0);
    const { code, stderr } = await call("reload");
    assert.equal(code, 1);
    assert.match(stderr, /^svc: cannot reload ".*svc\.toml": .*there is no such file\n$/s);
  } finally {
    assert.equal(await daemon.end(), 0);
    await Deno.remove(cwd, { recursive: true });
  }
});
