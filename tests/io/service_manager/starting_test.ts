import assert from "node:assert/strict";
import { serviceManager } from "../../../src/io/service_manager/service_manager.ts";
import { FakeClock } from "../../support/fake_clock.ts";

const entry = new URL("../../../main.ts", import.meta.url).href;

Deno.test("starting() asks for time before a main thread may stand still, and again until the daemon is ready", async () => {
  const folder = await Deno.makeTempDir({ prefix: "svc-starting-" });
  const path = `${folder}/manager.sock`;
  const socket = Deno.listenDatagram({ transport: "unixpacket", path });
  const next = async (): Promise<string[]> =>
    new TextDecoder().decode((await socket.receive())[0]).split("\n");
  const clock = new FakeClock(0);
  const failures: string[] = [];
  const manager = serviceManager({ socket: path, silence: undefined }, {
    entry,
    clock,
    folder,
    failed: (why) => failures.push(why),
  });
  try {
    await manager.starting();
    assert.deepEqual(await next(), ["EXTEND_TIMEOUT_USEC=600000000", "STATUS=starting"]);
    for (let n = 0; n < 3; n++) {
      await clock.advance(20_000);
      assert.deepEqual(await next(), ["EXTEND_TIMEOUT_USEC=120000000", "STATUS=starting"]);
    }
    manager.ready("units: 1");
    assert.deepEqual(await next(), ["READY=1", "STATUS=units: 1"]);
    await clock.advance(60_000);
    manager.stopping(1000);
    assert.equal((await next())[0], "STOPPING=1", "nothing more is asked for");
    assert.deepEqual(failures, []);
  } finally {
    manager.close();
    socket.close();
    await Deno.remove(folder, { recursive: true });
  }
});
