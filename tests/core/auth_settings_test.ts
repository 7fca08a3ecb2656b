import assert from "node:assert/strict";
import { authSettings } from "../../src/core/auth_settings.ts";

const pure = { permissions: "none" } as const;

Deno.test("authSettings() knows which file a password came from", pure, () => {
  assert.deepEqual(authSettings({ SVC_PASSWORD: "x", SVC_ENV_FILE: "/var/lib/svc/service.env" }), {
    mode: "on",
    password: "x",
    passwordFile: "/var/lib/svc/service.env",
  });
  assert.deepEqual(authSettings({ SVC_ENV_FILE: "/var/lib/svc/service.env" }), { mode: "on" });
});

Deno.test("authSettings() reads on and off in any letter case, and on where nothing is said", pure, () => {
  for (const SVC_AUTH of ["off", "OFF", "Off"]) assert.deepEqual(authSettings({ SVC_AUTH }), { mode: "off" });
  for (const SVC_AUTH of ["on", "ON", "oN", "", undefined]) {
    assert.deepEqual(authSettings({ SVC_AUTH }), { mode: "on" });
  }
  assert.deepEqual(authSettings({ SVC_PASSWORD: " s3cret " }), { mode: "on", password: " s3cret " });
  assert.deepEqual(authSettings({ SVC_PASSWORD: "" }), { mode: "on" });
});

Deno.test("authSettings() stops at any other value, and quotes it", pure, () => {
  for (const SVC_AUTH of ["yes", "0", "false", "none", " off", "off ", "no"]) {
    assert.throws(
      () => authSettings({ SVC_AUTH }),
      (error: Error) => error.message.includes(`"${SVC_AUTH}"`),
    );
  }
});

Deno.test(
  "authSettings() refuses SVC_AUTH in any form together with SVC_PASSWORD, without telling that",
  pure,
  () => {
    for (const SVC_AUTH of ["on", "off", "OFF"]) {
      assert.throws(
        () => authSettings({ SVC_AUTH, SVC_PASSWORD: "hunter2" }),
        (error: Error) => /SVC_PASSWORD/.test(error.message) && !/hunter2/.test(error.message),
      );
    }
  },
);
