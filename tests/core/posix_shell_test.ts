import assert from "node:assert/strict";
import { isPosixShell, shellArguments } from "../../src/core/posix_shell.ts";

Deno.test("shellArguments() stops a POSIX shell at the first failure, and gives it the unit's name for $0", () => {
  const call = { script: "echo $1", name: "unit", args: ["a b"] };
  assert.deepEqual(shellArguments({ ...call, shell: "/bin/bash" }), ["-e", "-c", "echo $1", "unit", "a b"]);
  assert.deepEqual(shellArguments({ ...call, shell: "bash", pipefail: true }), [
    ...["-e", "-o", "pipefail", "-c", "echo $1", "unit", "a b"],
  ]);
  assert.deepEqual(shellArguments({ ...call, shell: "/usr/bin/python3" }), ["-c", "echo $1", "a b"]);
});

Deno.test("isPosixShell() goes by the name of the program alone", () => {
  for (const shell of ["sh", "/opt/bin/zsh", "dash"]) assert.ok(isPosixShell(shell), shell);
  for (const shell of ["/bin/fish", "/bin/sh/python3", ""]) assert.ok(!isPosixShell(shell), shell);
});
