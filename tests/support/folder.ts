/** A temporary folder, and what tests of files need in it. */
import assert from "node:assert/strict";
import { Fault } from "../../src/fault.ts";

/** Does the work in a fresh folder, which is removed after it. */
export async function inFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "svc-config-" }));
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes a file, making its folders. */
export function write(path: string, content: string | Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
}

/** The one-line `Fault` that the work throws. */
export function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    assert.doesNotMatch(thrown.message, /\n|\.$/);
    return thrown;
  }
  assert.fail("nothing was thrown");
}

/** Makes a folder that is found to hold more than 20,000 entries two levels deep: links that lead round in circles. */
export function manyEntries(path: string): void {
  Deno.mkdirSync(path);
  for (let i = 0; i < 150; i++) Deno.symlinkSync(path, `${path}/link${i}`);
}
