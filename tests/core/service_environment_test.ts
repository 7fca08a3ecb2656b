import assert from "node:assert/strict";
import { readManagerEnvironment, readUnit } from "../../src/core/service_environment.ts";
import { systemdUnit } from "../../src/core/service_file.ts";

const pure = { permissions: "none" } as const;

const facts = {
  scope: "system",
  program: ["/usr/local/bin/svc"],
  configPath: '/srv/my "own" $x 100%/svc.toml',
  dataDir: "/var/lib/svc",
  socketPath: "/var/lib/svc/svc.sock",
  envFile: "/var/lib/svc/service.env",
  shutdownTimeout: 10_000,
  person: { name: "root", home: "/root", shell: "/bin/bash" },
} as const;

Deno.test("readUnit() reads what systemdUnit() wrote, and drop-ins", pure, () => {
  const dropIn = '[Service]\nEnvironment="A=x y" HOME=/srv\nEnvironmentFile=-/etc/default/svc\n';
  assert.deepEqual(readUnit(systemdUnit(facts) + dropIn), {
    env: {
      HOME: "/srv",
      USER: "root",
      LOGNAME: "root",
      SHELL: "/bin/bash",
      SVC_PASSWORD_FILE: "/var/lib/svc/service.env",
      A: "x y",
    },
    files: ["/var/lib/svc/service.env", "-/etc/default/svc"],
    configPath: facts.configPath,
  });
  assert.equal(readUnit("[Service]\nExecStart=/usr/sbin/nginx -g x\n").configPath, undefined);
});

Deno.test("readManagerEnvironment() reads plain and quoted values", pure, () => {
  const text = "LANG=C.UTF-8\nPATH=/usr/bin:/bin\nX=$'a b'\n";
  assert.deepEqual(readManagerEnvironment(text), { LANG: "C.UTF-8", PATH: "/usr/bin:/bin", X: "a b" });
});
