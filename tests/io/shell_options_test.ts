import assert from "node:assert/strict";
import { knowsPipefail } from "../../src/io/shell_options.ts";

/** What a shell itself says; undefined where it isn't there. */
function itself(shell: string): boolean | undefined {
  try {
    return new Deno.Command(shell, { args: ["-o", "pipefail", "-c", ":"], stdin: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return undefined;
  }
}

Deno.test("knowsPipefail() says what each shell of this machine says of itself", () => {
  const shells = ["sh", "dash", "bash", "zsh", "ksh", "mksh", "yash"].map((name) => `/bin/${name}`);
  assert.deepEqual(shells.map((path) => knowsPipefail(path, "")), shells.map(itself));
});

Deno.test("knowsPipefail() looks for a bare name in PATH, and knows nothing of what isn't there", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-shell-" });
  try {
    assert.equal(knowsPipefail("sh", folder), undefined);
    assert.equal(knowsPipefail(`${folder}/bash`, ""), undefined);
    await Deno.writeTextFile(`${folder}/sh`, "#!/bin/true\n", { mode: 0o755 });
    assert.equal(knowsPipefail("sh", folder), false);
    await Deno.writeTextFile(`${folder}/ash`, "has the word pipefail in it", { mode: 0o755 });
    assert.equal(knowsPipefail("ash", `/nowhere:${folder}`), true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
