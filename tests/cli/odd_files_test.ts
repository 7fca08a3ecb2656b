import assert from "node:assert/strict";
import { messageOf } from "../../src/fault.ts";
import { inFolder } from "../support/folder.ts";
import { svc, svcShell } from "../support/svc_process.ts";

Deno.test("messageOf() names no flag of the runtime's", () => {
  const told = (message: string) => messageOf(new Deno.errors.NotCapable(message));
  for (
    const message of [
      'Requires all access to "/dev", run again with the --allow-all flag',
      'Requires write access to "/etc/x", run again with the --allow-write flag',
      'Requires ffi access to "x", specify the required permissions during compilation using `deno compile --allow-ffi`',
      "Something else, run again with the --allow-all flag",
    ]
  ) assert.doesNotMatch(told(message), /--|deno/i);
  assert.match(told('Requires all access to "/dev", run again with the --allow-all flag'), /"\/dev"$/);
  assert.match(
    told('Requires write access to "/etc/x", run again with the --allow-write flag'),
    /"\/etc\/x"/,
  );
});

Deno.test("What is no regular file is called so, and nobody is told to give flags to the runtime", async () => {
  await inFolder(async (cwd) => {
    await Deno.symlink("/dev/zero", `${cwd}/link`);
    await Deno.writeTextFile(`${cwd}/odd.toml`, '[tasks.a]\nrun = "true"\nworking_dir = "/proc/1/root/x"\n');
    for (const file of ["/dev/null", "/dev/stdin", "/proc/self/status", "link"]) {
      const listed = await svc(["-c", file, "list"], { cwd, asShipped: true });
      assert.equal(listed.code, 1, file);
      assert.match(listed.stderr, /^svc: cannot read [^\n]*it is no regular file\n$/, file);
      const checked = await svc(["validate", file], { cwd, asShipped: true });
      assert.match(checked.stdout, /it is no regular file; pipe it into "svc validate -"\n/);
    }
    for (
      const words of [
        ["--data", "/dev", "list"],
        ["--data", "/proc/1", "daemon"],
        ["--socket", "/dev/null", "list"],
        ["validate", "odd.toml"],
        ["import", "cron", "/dev/stdin"],
        ["export", "systemd", "-c", "/dev/null"],
      ]
    ) {
      const { stdout, stderr } = await svc(words, { cwd, asShipped: true });
      assert.doesNotMatch(stdout + stderr, /--allow|internal error/, words.join(" "));
    }
  });
});

Deno.test("svc validate - checks standard input as a file of the working folder", async () => {
  await inFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/more.toml`, '[tasks.b]\nrun = "true"\n');
    const good = await svcShell(
      `printf '[daemon]\\ninclude = ["more.toml"]\\n[tasks.a]\\nrun = "true"\\n' | $SVC validate -`,
      { cwd, asShipped: true },
    );
    assert.deepEqual([good.code, good.stdout], [0, "standard input is valid\n"]);
    const bad = await svcShell(`printf '[daemon]\\ninclude = ["no.toml"]\\nx = 1\\n' | $SVC validate -`, {
      cwd,
    });
    assert.equal(bad.code, 1);
    assert.match(
      bad.stdout,
      /^-:2:1: daemon\.include: [^\n]*no\.toml[^\n]*\n-:3:1: daemon\.x: unknown key/m,
    );
    assert.equal(bad.stderr, "svc: standard input has 2 errors\n");
    const json = await svcShell(`printf '[tasks.a]\\n' | $SVC validate --json -`, { cwd, asShipped: true });
    assert.equal(JSON.parse(json.stdout).errors[0].file, "-");
  });
});
