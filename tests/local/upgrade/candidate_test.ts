import assert from "node:assert/strict";
import { Fault } from "../../../src/fault.ts";
import { demandAccepted, examineProgram } from "../../../src/local/upgrade/candidate.ts";

/** A folder of programs. */
class Folder implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "svc-candidate-" });

  file(name: string, content: string | Uint8Array, mode = 0o755): string {
    const path = `${this.path}/${name}`;
    Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    Deno.chmodSync(path, mode);
    return path;
  }

  script(name: string, body: string): string {
    return this.file(name, `#!/bin/sh\n${body}\n`);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

const answer = JSON.stringify({ schema_version: 1, version: "2.0.0", commit: "abc", schema: 9 });

Deno.test("examineProgram() hears which version a program is, and tells it nothing of this one's start", async () => {
  using folder = new Folder();
  Deno.env.set("SVC_PROGRAM", "/another");
  try {
    const path = folder.script(
      "svc",
      `[ -z "$SVC_PROGRAM" ] && [ "$*" = "version --json" ] && echo '${answer}'`,
    );
    assert.deepEqual(await examineProgram(path), { path, version: "2.0.0", commit: "abc", schema: 9 });
  } finally {
    Deno.env.delete("SVC_PROGRAM");
  }
});

Deno.test("examineProgram() says of each file that won't do why", async () => {
  using folder = new Folder();
  const elf = new Uint8Array(64);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  elf[18] = Deno.build.arch === "aarch64" ? 62 : 183;
  const refused: [file: string, why: RegExp][] = [
    [`${folder.path}/none`, /there is no such file; give the file of a release/],
    [folder.path, /it is a folder; name the program/],
    [
      folder.file("notes", "Release notes\n"),
      /it is no program; give the file of a release for this machine/,
    ],
    [folder.file("elf", elf), /it is a program for (aarch64|x86_64), and this machine is /],
    [folder.file("plain", "#!/bin/sh\n", 0o644), /it is not executable; run chmod \+x /],
    [folder.file("bad", "#!/no/such/interpreter\n"), /it can't be run here: /],
    [
      folder.script("other", "echo I am another"),
      /does not answer as svc does \(exit code 0: I am another\)/,
    ],
    [folder.script("failing", "echo no >&2; exit 3"), /does not answer as svc does \(exit code 3: no\)/],
    [folder.script("flood", "yes"), /does not answer as svc does/],
    [
      folder.script("early", `echo '{"version": "0.0.9"}'`),
      /it is svc 0\.0\.9, which can't take over what runs/,
    ],
  ];
  for (const [file, why] of refused) {
    await assert.rejects(examineProgram(file), (error) => {
      assert.ok(error instanceof Fault, String(error));
      assert.match(error.message, why);
      assert.ok(error.message.startsWith(`cannot upgrade to "${file}": `));
      return true;
    });
  }
});

Deno.test("examineProgram() waits for no program for ever, and ends all of it", async () => {
  using folder = new Folder();
  const path = folder.script("svc", `sleep 600 & echo $! > "${folder.path}/pid"; wait`);
  await assert.rejects(examineProgram(path, 500), /has said nothing for 0\.5 s; it hangs, or is no svc/);
  const pid = Number(Deno.readTextFileSync(`${folder.path}/pid`));
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] }).output();
  assert.match(new TextDecoder().decode(stdout).trim(), /^(?:Z.*)?$/);
});

Deno.test("demandAccepted() hands on what a program finds wrong with the configuration", async () => {
  using folder = new Folder();
  const candidate = (path: string) => ({ path, version: "2.0.0", commit: "abc", schema: 9 });
  const takes = folder.script("takes", `[ "$*" = "validate --json /c.toml" ] && echo '{"valid": true}'`);
  await demandAccepted(candidate(takes), "/c.toml");
  const errors = [{ file: "/c.toml", line: 3, column: 1, key: "tasks.a.run", message: "it is empty" }];
  const refuses = folder.script("refuses", `echo '${JSON.stringify({ valid: false, errors })}'; exit 1`);
  await assert.rejects(demandAccepted(candidate(refuses), "/c.toml"), (error: Fault) => {
    assert.match(error.message, /cannot upgrade to svc 2\.0\.0: it refuses the configuration "\/c\.toml"; /);
    assert.equal(error.details[0]?.message, "/c.toml:3:1: tasks.a.run: it is empty");
    return true;
  });
  const dies = folder.script("dies", "echo out of luck >&2; exit 9");
  await assert.rejects(
    demandAccepted(candidate(dies), "/c.toml"),
    /it can't check it \(exit code 9: out of luck\)/,
  );
});
