import assert from "node:assert/strict";

const folder = new URL("golden/", import.meta.url);

/** What a command has once answered, word for word. */
export function golden(name: string): string {
  return Deno.readTextFileSync(new URL(name, folder));
}

/** Names of all golden files. */
export function goldens(): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/**
 * Compares an answer with its golden file. A change that is meant is written down with
 * `SVC_WRITE_GOLDEN=1 deno test -A tests/cli/json_test.ts`, and told in CHANGELOG.md: programs read these.
 */
export function matchGolden(name: string, answer: string): void {
  if (Deno.env.get("SVC_WRITE_GOLDEN") === "1") Deno.writeTextFileSync(new URL(name, folder), answer);
  assert.equal(answer, golden(name), `golden/${name}`);
}
