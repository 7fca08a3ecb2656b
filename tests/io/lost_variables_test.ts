import assert from "node:assert/strict";
import { namesNotUtf8 } from "../../src/io/lost_variables.ts";
import { inFolder } from "../support/folder.ts";

Deno.test("namesNotUtf8() finds variables by their bytes", { permissions: "none" }, () => {
  const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  assert.deepEqual(namesNotUtf8(bytes("A=1\0B=caf\xe9\0C=caf\xc3\xa9\nB=x\0D\xff=\0E=\0")), ["B", "D\ufffd"]);
  assert.deepEqual(namesNotUtf8(bytes("A=\xff")), ["A"]);
  assert.deepEqual(namesNotUtf8(bytes("")), []);
});

Deno.test("lostVariables() names what the runtime keeps to itself", () =>
  inFolder(async (folder) => {
    const own = new URL("../../src/io/own_variable.ts", import.meta.url).href;
    const module = new URL("../../src/io/lost_variables.ts", import.meta.url).href;
    await Deno.writeTextFile(
      `${folder}/ask.ts`,
      `import { ownVariable } from ${JSON.stringify(own)};
      import { lostVariables } from ${JSON.stringify(module)};
      console.log(JSON.stringify([await lostVariables(), "NAME" in Deno.env.toObject(),
        ["NAME", "KEPT", "NONE"].map((name) => ownVariable(name) ?? "none")]));`,
    );
    const { stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [
        "-c",
        'export NAME="$(printf "caf\\351")" KEPT=café; exec "$@"',
        "sh",
        Deno.execPath(),
        ...["run", "-A", "--no-prompt", "--no-check", "--no-config", `${folder}/ask.ts`],
      ],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    assert.deepEqual(JSON.parse(text), [["NAME"], false, ["none", "café", "none"]]);
  }));
