import assert from "node:assert/strict";
import { obstacle, unitOfGroup } from "../../src/core/service_way.ts";

const dataDir = "/var/lib/svc";
const taken = { host: "127.0.0.1", port: 8420, state: "taken" } as const;
const other = { version: "1.0.0", pid: 12, dataDir: "/home/ada/.svc" };

Deno.test("obstacle() says who is in a service's way, and how to stop him", () => {
  assert.equal(obstacle({ dataDir }), undefined, "the service's own daemon has the port");
  assert.equal(obstacle({ dataDir, port: { ...taken, state: "free" } }), undefined);
  assert.equal(
    obstacle({ dataDir, holder: { pid: "12" } }),
    'data folder "/var/lib/svc" is held by another daemon (pid 12, started by hand): stop it with "kill 12"',
  );
  assert.equal(
    obstacle({ dataDir, holder: { pid: "12", stop: "systemctl stop old.service" } }),
    'data folder "/var/lib/svc" is held by another daemon (pid 12): stop it with "systemctl stop old.service"',
  );
  assert.match(obstacle({ dataDir, holder: { pid: "" } })!, /held by another daemon: stop that one$/);
  assert.equal(
    obstacle({ dataDir, port: { ...taken, by: other } }),
    "127.0.0.1:8420 is in use by the daemon of /home/ada/.svc (pid 12, started by hand): " +
      'stop it with "kill 12", or choose another port with --port',
  );
  assert.match(
    obstacle({ dataDir, port: { ...taken, by: other }, byStop: "systemctl --user stop svc.service" })!,
    /\(pid 12\): stop it with "systemctl --user stop svc\.service", or choose another port/,
  );
  assert.equal(
    obstacle({ dataDir, port: taken }),
    "127.0.0.1:8420 is in use by another program: end that one, or choose another with --port",
  );
  assert.match(obstacle({ dataDir, port: { ...taken, state: "forbidden" } })!, /may not listen at/);
  assert.match(obstacle({ dataDir, port: { ...taken, state: "no_address" } })!, /has no address 127/);
});

Deno.test("unitOfGroup() finds the unit that a process belongs to, on both versions of control groups", () => {
  const user = "/user.slice/user-1000.slice";
  const cases: [string, ReturnType<typeof unitOfGroup>][] = [
    ["0::/system.slice/svc.service/svc-ee23/daemon", { unit: "svc.service" }],
    ["12:pids:/x.service\n1:name=systemd:/system.slice/svc.service\n0::/", { unit: "svc.service" }],
    [`0::${user}/user@1000.service/app.slice/svc.service`, { unit: "svc.service", uid: "1000" }],
    [`0::${user}/user@1000.service/init.scope`, undefined],
    [`0::${user}/session-5.scope`, undefined],
    ["0::/", undefined],
    ["", undefined],
  ];
  for (const [cgroup, unit] of cases) assert.deepEqual(unitOfGroup(cgroup), unit, cgroup);
});
