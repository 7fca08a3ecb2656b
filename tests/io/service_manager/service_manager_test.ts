import assert from "node:assert/strict";
import { watchedBy } from "../../../src/io/service_manager/service_manager.ts";

Deno.test("watchedBy() reads what systemd asks for", () => {
  const socket = "/run/systemd/notify";
  assert.equal(watchedBy({}, 7), undefined);
  assert.equal(watchedBy({ NOTIFY_SOCKET: "@/org/abstract" }, 7), undefined);
  assert.deepEqual(watchedBy({ NOTIFY_SOCKET: socket }, 7), { socket, silence: undefined });
  assert.deepEqual(watchedBy({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: "60000000" }, 7), {
    socket,
    silence: 60_000,
  });
  const ofAnother = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "60000000", WATCHDOG_PID: "8" };
  assert.deepEqual(watchedBy(ofAnother, 7), { socket, silence: undefined });
  assert.deepEqual(watchedBy({ ...ofAnother, WATCHDOG_PID: "7" }, 7), { socket, silence: 60_000 });
  assert.deepEqual(watchedBy({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: "soon" }, 7), {
    socket,
    silence: undefined,
  });
});
