import assert from "node:assert/strict";
import { bootOrder, type Ordered, shutdownWaves } from "../../src/core/boot_order.ts";

const pure = { permissions: "none" } as const;

function one(name: string, priority = 0, dependsOn: string[] = []): Ordered {
  return { name, priority, dependsOn };
}

function waves(...services: Ordered[]): string[][] {
  return shutdownWaves(services).map((wave) => wave.map(({ name }) => name));
}

Deno.test("bootOrder() goes by priority, then by name", pure, () => {
  const order = [one("b"), one("a", 1), one("c", -1), one("a")].sort(bootOrder);
  assert.deepEqual(order.map(({ name, priority }) => `${name}${priority}`), ["c-1", "a0", "b0", "a1"]);
});

Deno.test("shutdownWaves() stops the highest priority first and equals together", pure, () => {
  assert.deepEqual(waves(one("a"), one("b", 5), one("c")), [["b"], ["c", "a"]]);
  assert.deepEqual(waves(), []);
});

Deno.test(
  "shutdownWaves() stops a service only after all that depend on it, whatever the priorities",
  pure,
  () => {
    assert.deepEqual(waves(one("db", 9), one("app", 0, ["db"]), one("web", 5, ["app"])), [["web"], ["app"], [
      "db",
    ]]);
  },
);

Deno.test("shutdownWaves() ends for a cycle, with each service once", pure, () => {
  const found = waves(one("a", 0, ["b"]), one("b", 0, ["a"]), one("c"));
  assert.deepEqual(found.flat().sort(), ["a", "b", "c"]);
});

Deno.test("shutdownWaves() takes no notice of a dependency that is not there", pure, () => {
  assert.deepEqual(waves(one("a", 0, ["gone"])), [["a"]]);
});
