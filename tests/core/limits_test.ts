import assert from "node:assert/strict";
import { type LimitName, unheldLimits } from "../../src/core/limits.ts";
import { service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

const units = [
  task({ name: "a", limits: { memory: 1e6, cpu: 1 } }),
  service({ name: "b", limits: { memory: 2e6 } }),
  task({ name: "c" }),
];

Deno.test("unheldLimits() has nothing to say where everything that is asked for can be held", pure, () => {
  assert.deepEqual(unheldLimits(units, { limits: new Set<LimitName>(["memory", "cpu"]) }), []);
  assert.deepEqual(unheldLimits([units[2]!], { limits: new Set<LimitName>() }), []);
});

Deno.test("unheldLimits() names each limit that is not held once, and says why", pure, () => {
  assert.deepEqual(unheldLimits(units, { limits: new Set<LimitName>(["cpu", "pids"]) }), [
    'limits.memory of "a" and 1 more is not held: there is no control group controller for memory that the daemon may use',
  ]);
  assert.deepEqual(unheldLimits(units, { limits: new Set<LimitName>() }), [
    'limits.memory of "a" and 1 more is not held: the daemon may not make control groups here',
    'limits.cpu of "a" is not held: the daemon may not make control groups here',
  ]);
  const shared = "/sys/fs/cgroup/user.slice/session-5.scope";
  assert.deepEqual(unheldLimits(units.slice(1), { limits: new Set<LimitName>(), shared }), [
    `limits.memory of "b" is not held: the daemon shares control group "${shared}" with other processes; ` +
    'start it as a service ("svc service install")',
  ]);
});
