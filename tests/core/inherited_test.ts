import assert from "node:assert/strict";
import { inheritedVariables } from "../../src/core/inherited.ts";

const pure = { permissions: "none" } as const;

Deno.test(
  "inheritedVariables() leaves out what speaks to the daemon, its runtime and its manager",
  pure,
  () => {
    const env = {
      A: "1",
      SVC_PASSWORD: "x",
      NOTIFY_SOCKET: "/run/n",
      JOURNAL_STREAM: "8:1",
      INVOCATION_ID: "f",
      SYSTEMD_EXEC_PID: "7",
      _: "/usr/bin/npx",
      MANAGERPID: "8",
      DENO_NODE_SHIM_ACTIVE: "1",
      DENO_DIR: "/home/ada/deno",
      SECRET: "s",
    };
    assert.deepEqual(inheritedVariables(env, new Set(["SECRET"])), { A: "1", DENO_DIR: "/home/ada/deno" });
  },
);

Deno.test("inheritedVariables() gives back what the start script has set for the runtime", pure, () => {
  const env = {
    SVC_PROGRAM: "/svc",
    DENO_DIR: "/c",
    DENO_NO_UPDATE_CHECK: "1",
    DENO_DISABLE_NODE_SHIM: "1",
    NPM_CONFIG_REGISTRY: "http://localhost/",
  };
  assert.deepEqual(inheritedVariables(env), {});
  assert.deepEqual(
    inheritedVariables({ ...env, SVC_CALLER_DENO_DIR: "/mine", SVC_CALLER_DENO_DISABLE_NODE_SHIM: "0" }),
    { DENO_DIR: "/mine", DENO_DISABLE_NODE_SHIM: "0" },
  );
});

Deno.test("inheritedVariables() takes the runtime's stand-in for Node out of PATH", pure, () => {
  const path = (PATH: string): string => inheritedVariables({ PATH }).PATH!;
  assert.equal(path("/root/.cache/deno/node_compat_bin:/usr/bin:/bin"), "/usr/bin:/bin");
  assert.equal(
    path("/usr/bin:/c/node_compat_bin/:/bin:/opt/node_compat_bin_x"),
    "/usr/bin:/bin:/opt/node_compat_bin_x",
  );
  assert.equal(path("/usr/bin::/bin"), "/usr/bin::/bin");
});
