import assert from "node:assert/strict";
import { isSameCheck, mustRecycle, planReload, restartOnlyChanges } from "../../src/core/reload_plan.ts";
import { check, configOf, param, service, task } from "../support/units.ts";

const pure = { permissions: "none" } as const;

Deno.test(
  "planReload() finds nothing between equal definitions, wherever they stand in their files",
  pure,
  () => {
    const place = { file: "/other.toml", line: 99, column: 3 };
    const before = [
      task({ name: "t", env: { A: "1" }, params: [param({ kind: "env", key: "A" })] }),
      service({ name: "s" }),
    ];
    const after = [
      task({ name: "t", env: { A: "1" }, params: [param({ kind: "env", key: "A" })], place }),
      service({ name: "s", place }),
    ];
    assert.deepEqual(planReload(before, after), { added: [], removed: [], changed: [] });
  },
);

Deno.test(
  "planReload() lists names in order, and the keys that changed as they stand in the file",
  pure,
  () => {
    const before = [task({ name: "b" }), task({ name: "z" }), task({ name: "a" }), service({ name: "s" })];
    const after = [
      service({ name: "s", healthyAfter: 1, env: { A: "1" }, secrets: { K: "x" } }),
      task({ name: "b", workingDir: "/x", maxConcurrent: 2, cron: "* * * * *" }),
      task({ name: "d" }),
      task({ name: "c" }),
    ];
    assert.deepEqual(planReload(before, after), {
      added: ["c", "d"],
      removed: ["a", "z"],
      changed: [
        { name: "b", reasons: ["cron", "max_concurrent", "working_dir"] },
        { name: "s", reasons: ["env", "healthy_after", "secrets"] },
      ],
    });
  },
);

Deno.test("planReload() sees deep changes: order, a missing key, a nested value", pure, () => {
  const reasons = (before: object, after: object): string[] =>
    planReload([task({ name: "t", ...before })], [task({ name: "t", ...after })]).changed[0]?.reasons ?? [];
  assert.deepEqual(reasons({ exitCodes: [0, 1] }, { exitCodes: [1, 0] }), ["exit_codes"]);
  assert.deepEqual(reasons({ env: { A: "1" } }, { env: { B: "1" } }), ["env"]);
  assert.deepEqual(reasons({ env: { A: "1" } }, { env: {} }), ["env"]);
  assert.deepEqual(reasons({ cron: "* * * * *" }, {}), ["cron"]);
  assert.deepEqual(reasons({ limits: { cpu: 1 } }, { limits: { cpu: 2 } }), ["limits"]);
  assert.deepEqual(reasons({ env: { A: "1", B: "2" } }, { env: { B: "2", A: "1" } }), []);
});

Deno.test("planReload() says so when a name changes its kind", pure, () => {
  const { changed } = planReload([task({ name: "x" })], [service({ name: "x" })]);
  assert.equal(changed[0]?.name, "x");
  assert.ok(changed[0].reasons.includes("kind"));
});

Deno.test("mustRecycle() is true for what a process depends on, and for nothing else", pure, () => {
  const before = service({ name: "s" });
  const recycles = (own: object): boolean => mustRecycle(before, service({ name: "s", ...own }));
  for (
    const own of [{ run: "x" }, { env: { A: "1" } }, { user: "nobody" }, { secrets: { A: "1" } }, {
      umask: "027",
    }, { workingDir: "/x" }]
  ) {
    assert.equal(recycles(own), true, JSON.stringify(own));
  }
  for (
    const own of [{}, { description: "x" }, { instances: 4 }, { priority: 3 }, { startRetries: 1 }, {
      dependsOn: ["x"],
    }, { healthCheck: check({ kind: "run", run: "true" }) }]
  ) {
    assert.equal(recycles(own), false, JSON.stringify(own));
  }
});

Deno.test("isSameCheck() sees what of a check differs, and whether there is one", pure, () => {
  const tcp = check({ kind: "tcp", host: "a", port: 1 });
  assert.equal(isSameCheck(tcp, check({ kind: "tcp", host: "a", port: 1 })), true);
  assert.equal(isSameCheck(undefined, undefined), true);
  assert.equal(isSameCheck(tcp, undefined), false);
  assert.equal(isSameCheck(tcp, check({ kind: "tcp", host: "a", port: 2 })), false);
  assert.equal(isSameCheck(tcp, { ...tcp, retries: 0 }), false);
});

Deno.test("restartOnlyChanges() names the keys of [daemon] that only a restart can change", pure, () => {
  const before = configOf([]);
  assert.deepEqual(restartOnlyChanges(before, configOf([])), []);
  assert.deepEqual(
    restartOnlyChanges(
      before,
      configOf([], { timezone: "Asia/Tokyo", maxParallelRuns: 3, shutdownTimeout: 1 }),
    ),
    [],
  );
  const after = configOf([], {
    tls: "auto",
    tlsCert: "/c",
    tlsKey: "/k",
    trustedProxies: ["::1/128"],
    metrics: true,
    metricsListen: "a:1",
  });
  assert.deepEqual(restartOnlyChanges(before, after).sort(), [
    "daemon.metrics",
    "daemon.metrics_listen",
    "daemon.tls",
    "daemon.tls_cert",
    "daemon.tls_key",
    "daemon.trusted_proxies",
  ]);
});
