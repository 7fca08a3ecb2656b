import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { inFolder } from "../support/folder.ts";
import { makeEngine, type TestEngine } from "../support/make_engine.ts";
import { task } from "../support/units.ts";
import { call, fetchFrom, memoryTerminal } from "./memory.ts";

function daemonOf(test: TestEngine): typeof fetch {
  return fetchFrom(test, { facts: { dataDir: test.folder } });
}

/** Answers a backup with some bytes, of which more were promised. */
function answering(body: string, promised: number): typeof fetch {
  return () => Promise.resolve(new Response(body, { headers: { "content-length": String(promised) } }));
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("svc backup writes one whole database, and replaces a file only when it is told to", async () => {
  await using test = await makeEngine({ units: [task({ name: "a" })] });
  const fetch = daemonOf(test);
  await inFolder(async (folder) => {
    const file = `${folder}/svc.db`;
    const { code, stdout } = await call(["backup", file, "--json"], { fetch });
    const { size, mode } = Deno.statSync(file);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), { schema_version: 1, file, bytes: size });
    assert.equal(mode! & 0o777, 0o600);
    using db = new DatabaseSync(file, { readOnly: true });
    assert.equal(db.prepare("PRAGMA quick_check").get()?.quick_check, "ok");
    Deno.writeTextFileSync(`${folder}/other`, "precious");
    const refused = await call(["backup", `${folder}/other`], { fetch });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^svc: cannot back up to ".*other": there is something .* --force\n$/);
    assert.equal(Deno.readTextFileSync(`${folder}/other`), "precious");
    assert.equal((await call(["backup", `${folder}/other`, "--force"], { fetch })).code, 0);
    assert.match(Deno.readTextFileSync(`${folder}/other`), /^SQLite format 3/);
    assert.deepEqual(namesIn(folder), ["other", "svc.db"]);
  });
});

Deno.test("svc backup leaves nothing behind where the daemon goes away or is none", async () => {
  await inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/old`, "old");
    const broken = await call(["backup", `${folder}/old`, "--force"], {
      fetch: answering("SQLite format 3\0 and so on", 4096),
    });
    assert.equal(broken.code, 3);
    assert.match(broken.stderr, /^svc: .*went away after 26 of the backup's 4096 bytes\n$/);
    const other = await call(["backup", `${folder}/old`, "--force"], { fetch: answering("<html>", 6) });
    assert.equal(other.code, 1);
    assert.match(other.stderr, /no SQLite database: is it a svc daemon\?\n$/);
    assert.deepEqual(namesIn(folder), ["old"]);
    assert.equal(Deno.readTextFileSync(`${folder}/old`), "old");
  });
});

Deno.test("svc backup - writes to standard output, but neither to a terminal nor with --json", async () => {
  await using test = await makeEngine({ units: [] });
  const fetch = daemonOf(test);
  assert.match((await call(["backup", "-"], { fetch })).stdout, /^SQLite format 3\0/);
  const terminal = memoryTerminal({ isTerminal: true });
  const refused = await call(["backup", "-"], { fetch, terminal });
  assert.deepEqual([refused.code, refused.stdout], [2, ""]);
  assert.equal((await call(["backup", "-", "--json"], { fetch })).code, 2);
});

Deno.test("svc openapi prints the daemon's own description", async () => {
  await using test = await makeEngine({ units: [] });
  const { code, stdout } = await call(["openapi"], { fetch: fetchFrom(test) });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).info.version, "9.8.7");
});
