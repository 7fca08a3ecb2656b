import assert from "node:assert/strict";
import { load } from "./memory.ts";

const pure = { permissions: "none" } as const;
const knowsPipefail = (shell: string): boolean | undefined =>
  shell === "/opt/gone/bash" ? undefined : shell !== "/bin/sh" && !shell.includes("fish");

function loaded(text: string) {
  return load({ "/c/svc.toml": text }, { knowsPipefail });
}

Deno.test("pipefail is off unless it is set, and refused where the shell would refuse it", pure, () => {
  const { config, errors } = loaded(`
[tasks.a]
run = "a | b"

[tasks.b]
run = "a | b"
shell = "/bin/bash"
pipefail = true

[tasks.c]
run = "true"
shell = "/opt/gone/bash"
pipefail = true
`);
  assert.deepEqual(errors, []);
  assert.deepEqual(config!.units.map(({ pipefail }) => pipefail), [undefined, true, true]);
  const refused = loaded('[tasks.a]\nrun = "a | b"\npipefail = true\n');
  assert.deepEqual(refused.errors.map(({ line, key, message }) => [line, key, message]), [
    [3, "tasks.a.pipefail", '"/bin/sh" does not know pipefail: set shell = "/bin/bash" beside it'],
  ]);
});

Deno.test("pipefail of [defaults] asks each unit's shell, which may say no", pure, () => {
  const defaults = '[defaults]\nshell = "/bin/bash"\npipefail = true\n';
  const { errors } = loaded(
    `${defaults}[tasks.a]\nrun = "x"\n[tasks.b]\nrun = "x"\nshell = "/usr/bin/fish"\n`,
  );
  assert.deepEqual(errors.map(({ key, message }) => [key, message]), [[
    "tasks.b",
    '"/usr/bin/fish" does not know pipefail: set shell = "/bin/bash" beside it, or pipefail = false for this unit',
  ]]);
  const mended = loaded(`${defaults}[tasks.b]\nrun = "x"\nshell = "/usr/bin/fish"\npipefail = false\n`);
  assert.deepEqual([mended.errors, mended.config!.units[0]!.pipefail], [[], undefined]);
});
