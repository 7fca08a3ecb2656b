import assert from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };

const root = new URL("../../", import.meta.url).pathname;

/** The two ways in which the program is started: from source, and by the portable file. */
async function formsOf(folder: string): Promise<Record<string, string[]>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-read=deno.json", "tools/portable_flags.ts"],
    cwd: root,
  }).output();
  const portable = new TextDecoder().decode(stdout).trim().split(" ").filter((flag) =>
    flag !== "--no-config"
  );
  // What the start script of the portable form, and a service's file, add for a daemon.
  return {
    source: ["-P=svc", `--allow-write=${folder}/.svc`, "--no-prompt", "--no-remote", "-q"],
    portable: [...portable, `--allow-write=${folder}/.svc`],
  };
}

Deno.test("The daemon's permissions let it do what it is for, and nothing of what a stranger in it would want", async () => {
  for (const form of ["source", "portable"]) {
    const folder = await Deno.makeTempDir({ prefix: "svc-permissions-" });
    await Deno.symlink("/etc", `${folder}/link`);
    const flags = (await formsOf(folder))[form]!;
    await Deno.writeTextFile(`${folder}/svc.toml`, '[tasks.a]\nrun = "true"\n');
    const target = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("hello"),
    );
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, "tests/support/permission_probe.ts", folder, String(target.addr.port)],
      cwd: root,
      env: { SVC_AUTH: "off", SVC_PASSWORD: "" },
      stdin: "null",
    }).output();
    await target.shutdown();
    await Deno.remove(folder, { recursive: true });
    const said = new TextDecoder().decode(stdout);
    assert.notEqual(said, "", new TextDecoder().decode(stderr));
    const outcomes: Record<string, string> = JSON.parse(said);
    const { "remote import": imported, "connection before the start": before, ...refused } = outcomes;
    assert.equal(before, "done", form);
    assert.match(imported ?? "", /remote specifier was requested/, form);
    assert.deepEqual(Object.keys(refused), [
      "ffi",
      "write to the system",
      "link to the system",
      "write through a link",
      "write elsewhere",
      "read of other processes",
      "connection",
      "fetch",
      "question about the system",
      "listener",
      "worker with the network",
    ]);
    for (const [what, outcome] of Object.entries(refused)) {
      assert.match(outcome, /^NotCapable: |Can't escalate parent thread permissions/, `${form}: ${what}`);
    }
  }
});

Deno.test("The permission set of deno.json names each permission, and none is for everything but reading and writing", () => {
  const { svc } = config.permissions;
  assert.deepEqual(Object.keys(svc).toSorted(), ["env", "ffi", "net", "read", "run", "sys", "write"]);
  assert.equal(svc.ffi, false);
  assert.ok(Array.isArray(svc.sys));
  assert.ok(svc.write.deny.includes("/etc"));
});
