import assert from "node:assert/strict";
import { unitChanges } from "../../src/core/unit_changes.ts";

const pure = { permissions: "none" } as const;

const old = `[Service]
ExecStart=/usr/bin/svc daemon
Restart=on-failure
RestartSec=2
KillMode=mixed
Wants=a
Wants=b
`;

Deno.test("unitChanges() tells each line that differs, and what it means", pure, () => {
  const next = old.replace("RestartSec=2", "RestartSec=100ms").replace(
    "mixed",
    "process\nSuccessExitStatus=75",
  )
    .replace("Wants=b\n", "");
  assert.deepEqual(unitChanges(old, next), [
    "RestartSec (how long the next daemon waits) is now 100ms; it was 2",
    "KillMode (who is ended when the daemon ends) is now process; it was mixed",
    "Wants is now a; it was a; b",
    "SuccessExitStatus (a handover is no failure) is new: 75",
  ]);
  assert.ok(
    unitChanges(next, old).includes("SuccessExitStatus (a handover is no failure) is left out; it was 75"),
  );
});

Deno.test("unitChanges() tells nothing of what says the same in another order", pure, () => {
  assert.deepEqual(
    unitChanges(old, old.replace("RestartSec=2\nKillMode=mixed", "KillMode=mixed\nRestartSec=2")),
    [],
  );
});
