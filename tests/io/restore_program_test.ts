import assert from "node:assert/strict";
import { Fault } from "../../src/fault.ts";
import { restoreProgram, type UnpackedProgram } from "../../src/io/restore_program.ts";

/** A program of two files, and a start script in whose text $SVC_CACHE is where it is to unpack itself. */
async function inPlace(script: string, work: (program: UnpackedProgram) => Promise<void>): Promise<void> {
  const base = await Deno.makeTempDir({ prefix: "svc-restore-" });
  const folder = `${base}/cache/abc/program`;
  const unpack = `mkdir -p "$SVC_CACHE/abc/program" && cd "$SVC_CACHE/abc/program" && touch main.js a.js`;
  try {
    await Deno.mkdir(folder, { recursive: true });
    for (const name of ["main.js", "a.js"]) await Deno.writeTextFile(`${folder}/${name}`, "");
    await Deno.writeTextFile(
      `${base}/svc`,
      `#!/bin/sh\necho "$*" >> "${base}/calls"\n${script.replace("UNPACK", unpack)}\n`,
      { mode: 0o755 },
    );
    await work({ script: `${base}/svc`, folder, files: 2 });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

/** Where the script notes how it was called. */
function callsOf({ script }: UnpackedProgram): string {
  return script.replace(/svc$/, "calls");
}

Deno.test("restoreProgram() leaves alone what is whole, and what no start script has unpacked", () =>
  inPlace("UNPACK", (program) => {
    assert.equal(restoreProgram(program), undefined);
    assert.equal(restoreProgram(), undefined);
    return Promise.resolve();
  }));

Deno.test("restoreProgram() has the start script unpack what is gone, once for all who ask", () =>
  inPlace("UNPACK", async (program) => {
    const lose: (() => Promise<void>)[] = [
      () => Deno.remove(`${program.folder}/a.js`),
      () => Deno.remove(program.folder.replace("/abc/program", ""), { recursive: true }),
    ];
    for (const [index, gone] of lose.entries()) {
      await gone();
      await Promise.all([restoreProgram(program), restoreProgram(program)]);
      assert.equal(restoreProgram(program), undefined);
      const calls = await Deno.readTextFile(callsOf(program));
      assert.equal(calls, "version\n".repeat(index + 1));
    }
  }));

Deno.test("restoreProgram() says in one line why it can't be done, and what to do", async () => {
  for (
    const [script, why] of [
      ["echo 'svc: no room' >&2; exit 1", "no room"],
      ["exit 0", "it is of another version by now"],
    ] as const
  ) {
    await inPlace(script, async (program) => {
      await Deno.remove(program.folder, { recursive: true });
      await assert.rejects(async () => await restoreProgram(program), (error: Fault) => {
        assert.ok(error instanceof Fault);
        assert.equal(error.code, "unavailable");
        assert.equal(
          error.message,
          `files of svc are gone from "${program.folder}", and "${program.script}" can't unpack them again: ${why}; restart the daemon`,
        );
        return true;
      });
    });
  }
  await inPlace("UNPACK", async (program) => {
    await Deno.remove(program.script);
    await Deno.remove(program.folder, { recursive: true });
    await assert.rejects(
      async () => await restoreProgram(program),
      /can't unpack them again: .*; restart the daemon$/,
    );
  });
});

Deno.test("restoreProgram() runs no start script that others could have changed", () =>
  inPlace("UNPACK", async (program) => {
    await Deno.chmod(program.script, 0o777);
    await Deno.remove(program.folder, { recursive: true });
    await assert.rejects(async () => await restoreProgram(program), { code: "forbidden" });
    assert.throws(() => Deno.statSync(callsOf(program)));
  }));
