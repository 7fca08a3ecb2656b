import assert from "node:assert/strict";
import { longestWord, tooLongScript, tooLongVariable, tooMuchTogether } from "../../src/core/exec_limits.ts";
import { resolveParams } from "../../src/core/params.ts";
import { param } from "../support/units.ts";
import { load } from "./config/memory.ts";

Deno.test("tooLongScript() counts bytes, up to what a kernel takes", { permissions: "none" }, () => {
  assert.equal(tooLongScript("x".repeat(longestWord)), undefined);
  assert.match(tooLongScript("x".repeat(longestWord + 1))!, /^is 131072 bytes long/);
  assert.equal(tooLongScript("é".repeat(65_535)), undefined);
  assert.match(tooLongScript("é".repeat(65_536))!, /^is 131072 bytes long/);
});

Deno.test(
  "loadConfig() refuses what no kernel would execute, and names the key",
  { permissions: "none" },
  () => {
    const errors = (text: string) => load(text).errors.map(({ key, message }) => [key, message.slice(0, 40)]);
    const long = "x".repeat(200_000);
    assert.deepEqual(errors(`[tasks.a]\nrun = "${long}"\n`), [[
      "tasks.a.run",
      "is 200000 bytes long, and a program is h",
    ]]);
    assert.deepEqual(errors(`[tasks.a]\nrun = "true"\nenv = { A = "${long}" }\n[tasks.b]\nrun = "true"\n`), [
      ["tasks.a.env.A", "is 200000 bytes long, and a variable has"],
    ]);
    const many = Array.from({ length: 20 }, (_, n) => `V${n} = "${"x".repeat(100_000)}"`).join(", ");
    assert.deepEqual(errors(`[services.a]\nrun = "true"\nenv = { ${many} }\n`), [
      ["services.a", "has 2000194 bytes of script and variable"],
    ]);
  },
);

Deno.test("resolveParams() refuses a value that can't be handed over", { permissions: "none" }, () => {
  const params = [param({ kind: "env", key: "TEXT" })];
  assert.ok("values" in resolveParams(params, { TEXT: "x".repeat(130_000) }));
  const refused = resolveParams(params, { TEXT: "x".repeat(131_000) });
  assert.match(
    "problems" in refused ? refused.problems[0]!.message : "",
    /is 131000 bytes long, and can have 130971/,
  );
});

Deno.test("what is within the limits can be executed, and what is beyond can't", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const starts = async (args: string[], env: Record<string, string>): Promise<boolean> => {
    try {
      return (await new Deno.Command("/bin/sh", { args, env, clearEnv: true }).output()).success;
    } catch {
      return false;
    }
  };
  const comment = (length: number): string => `: ${"x".repeat(length - 2)}`;
  assert.equal(await starts(["-c", comment(longestWord)], {}), true);
  assert.equal(await starts(["-c", comment(longestWord + 1)], {}), false);
  const room = longestWord - "SVC_V_A=".length;
  assert.equal(tooLongVariable("A", "x".repeat(room)), undefined);
  assert.notEqual(tooLongVariable("A", "x".repeat(room + 1)), undefined);
  assert.equal(await starts(["-c", ":"], { SVC_V_A: "x".repeat(room) }), true);
  assert.equal(await starts(["-c", ":"], { SVC_V_A: "x".repeat(room + 1) }), false);
  const most = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`V${n}`, "x".repeat(99_900)]));
  assert.equal(tooMuchTogether("", most), undefined);
  assert.equal(await starts(["-c", ":"], most), true);
});
