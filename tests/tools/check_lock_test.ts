import assert from "node:assert/strict";
import { type LockedConfig, lockFaults, type LockFile } from "../../tools/check_lock.ts";

interface Project {
  config: LockedConfig;
  lock: LockFile & Record<string, unknown>;
  sources: Map<string, string>;
}

/** What is wrong with the project after a change to it. */
function after(change: (project: Project) => void): string[] {
  const read = (name: string) => Deno.readTextFileSync(new URL(`../../${name}`, import.meta.url));
  const project: Project = {
    config: JSON.parse(read("deno.json")),
    lock: JSON.parse(read("deno.lock")),
    sources: new Map([["main.ts", read("main.ts")]]),
  };
  change(project);
  return lockFaults(project.config, project.lock, { sources: project.sources });
}

Deno.test("lockFaults() finds nothing in the project as it is", () => {
  assert.deepEqual(after(() => {}), []);
});

Deno.test("lockFaults() tells versions that deno.json and deno.lock don't share", () => {
  assert.deepEqual(after(({ config }) => config.imports["zod"] = "npm:zod@4.6.6"), [
    `deno.lock: has no "npm:zod@4.6.6", which deno.json names`,
    `deno.lock: its workspace has no "npm:zod@4.6.6", which deno.json names`,
    `deno.lock: has "npm:zod@4.6.7", which deno.json does not name`,
  ]);
  assert.match(after(({ config }) => config.imports["zod"] = "npm:zod@^4.6.7")[0]!, /exact version/);
  assert.match(
    after(({ lock }) => lock.specifiers["npm:croner@11.0.1"] = "11.0.0")[0]!,
    /has 11\.0\.0 for "npm:croner@11\.0\.1"/,
  );
  assert.match(after(({ config }) => delete config.imports["croner"])[0]!, /does not name/);
});

Deno.test("lockFaults() tells packages without a hash, with scripts, that are missing or that nothing needs", () => {
  assert.deepEqual(after(({ lock }) => delete lock.npm["croner@11.0.1"]!.integrity), [
    "deno.lock: croner@11.0.1 has no sha512",
  ]);
  assert.match(
    after(({ lock }) => lock.npm["croner@11.0.1"]!.scripts = true)[0]!,
    /croner@11\.0\.1 has scripts/,
  );
  const gone = after(({ lock }) => delete lock.npm["nearley@2.20.1"]);
  assert.ok(gone.includes("deno.lock: has no package nearley"), gone.join("\n"));
  const integrity = `sha512-${"A".repeat(86)}==`;
  assert.deepEqual(after(({ lock }) => lock.npm["left-pad@1.0.0"] = { integrity }), [
    "deno.lock: nothing needs left-pad@1.0.0",
  ]);
});

Deno.test("lockFaults() tells what does not come from npm, or past deno.json", () => {
  assert.match(
    after(({ config }) => config.imports["x"] = "https://example.org/x.ts")[0]!,
    /"x" is "https:\/\/example\.org\/x\.ts"/,
  );
  assert.match(after(({ config }) => config.imports["x"] = "jsr:@std/assert@1.0.0")[0]!, /give npm:NAME/);
  assert.deepEqual(after(({ lock }) => lock["remote"] = {}), [`deno.lock: has "remote"`]);
  assert.deepEqual(after(({ lock }) => lock["jsr"] = {}), [`deno.lock: has "jsr"`]);
  assert.deepEqual(after(({ config }) => delete config.lock), [`deno.json: "lock" must have "frozen": true`]);
  for (
    const [text, from] of [
      [`import { x } from "https://example.org/x.ts";`, "https://example.org/x.ts"],
      [`import {\n  x,\n} from "jsr:@std/x";`, "jsr:@std/x"],
      [`export * from "npm:left-pad";`, "npm:left-pad"],
      [`import "http://example.org/x.ts";`, "http://example.org/x.ts"],
      [`const x = await import("npm:left-pad@1");`, "npm:left-pad@1"],
    ] as const
  ) {
    assert.deepEqual(after(({ sources }) => sources.set("a.ts", text)), [`a.ts: imports "${from}"`], text);
  }
});
