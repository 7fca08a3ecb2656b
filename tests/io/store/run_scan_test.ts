import assert from "node:assert/strict";
import { Store } from "../../../src/io/store/store.ts";
import type { Run } from "../../../src/types.ts";

function run(id: string, unit: string, createdAt: number): Run {
  return {
    id,
    unit,
    status: "ended",
    exitCode: 0,
    trigger: "api",
    createdAt,
    isFailure: false,
    retryAttempt: 0,
    instance: 0,
  };
}

Deno.test("RunScan walks back in time, through runs of one moment too, of all units or of one", () => {
  const store = new Store(":memory:");
  for (
    const [id, unit, at] of [["A", "x", 5], ["B", "y", 7], ["C", "x", 7], ["D", "x", 7], [
      "E",
      "x",
      9,
    ]] as const
  ) {
    store.runs.insert(run(id, unit, at));
  }
  store.runs.markDeleted(["E"], 10);
  const ids = (options: Parameters<typeof store.scan.back>[0]): string =>
    store.scan.back(options).map(({ id }) => id).join("");
  assert.equal(ids({ limit: 9 }), "DCBA");
  assert.equal(ids({ limit: 2 }), "DC");
  assert.equal(ids({ from: { createdAt: 7, id: "C" }, limit: 9 }), "CBA");
  assert.equal(ids({ from: { createdAt: 7, id: "C" }, unit: "x", limit: 9 }), "CA");
  assert.deepEqual(store.scan.back({ unit: "y", limit: 9 }), [{ id: "B", unit: "y", createdAt: 7 }]);
  store.close();
});

Deno.test("Store.reserve() never hands out a number twice, over restarts too", () => {
  const folder = Deno.makeTempDirSync({ prefix: "svc-store-" });
  const open = (): Store => new Store(`${folder}/svc.db`);
  let store = open();
  assert.equal(store.reserve("k", { count: 10, least: 100 }), 100);
  assert.equal(store.reserve("k", { count: 5 }), 110);
  store.close();
  store = open();
  assert.equal(store.reserve("k", { count: 1, least: 50 }), 115);
  assert.equal(store.reserve("k", { count: 1, least: 1000 }), 1000);
  assert.equal(store.reserve("other", { count: 1 }), 0);
  store.close();
  Deno.removeSync(folder, { recursive: true });
});
