import assert from "node:assert/strict";
import {
  launchdPlist,
  passwordIn,
  serviceEnvironment,
  type ServiceFacts,
  systemdUnit,
  temporaryPath,
} from "../../src/core/service_file.ts";

const pure = { permissions: "none" } as const;

const facts: ServiceFacts = {
  scope: "system",
  program: ["/usr/local/bin/svc"],
  configPath: "/etc/svc/svc.toml",
  dataDir: "/var/lib/svc",
  socketPath: "/var/lib/svc/svc.sock",
  envFile: "/var/lib/svc/service.env",
  shutdownTimeout: 10_000,
  person: { name: "root", home: "/root", shell: "/bin/bash" },
};

Deno.test("systemdUnit() asks the daemon alone to stop, and gives it the time that it may take", pure, () => {
  assert.equal(
    systemdUnit(facts),
    `[Unit]
Description=svc: tasks and services of /etc/svc/svc.toml
Wants=network-online.target
After=network-online.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart=/usr/local/bin/svc daemon --config /etc/svc/svc.toml --data /var/lib/svc --socket /var/lib/svc/svc.sock
ExecReload=/usr/local/bin/svc reload --config /etc/svc/svc.toml --data /var/lib/svc --socket /var/lib/svc/svc.sock
ExecStopPost=/bin/sh -c "if [ \\"$$SERVICE_RESULT\\" = timeout ] || [ -e \\"$$0\\" ]; then \\"$$@\\"; fi; [ \\"$$SERVICE_RESULT\\" != exit-code ] || sleep 2" /var/lib/svc/stopping /usr/local/bin/svc __reap --data /var/lib/svc
Environment=HOME=/root USER=root LOGNAME=root SHELL=/bin/bash SVC_PASSWORD_FILE=/var/lib/svc/service.env
EnvironmentFile=/var/lib/svc/service.env
UnsetEnvironment=SVC_PASSWORD
WorkingDirectory=/var/lib/svc
Restart=on-failure
RestartSec=100ms
RestartForceExitStatus=75
SuccessExitStatus=75
WatchdogSec=60
TimeoutStartSec=300
TimeoutStopSec=25
KillMode=process
Delegate=yes
LimitNOFILE=65536
LimitCORE=0:infinity
UMask=0022

[Install]
WantedBy=multi-user.target
`,
  );
  const ofUser = systemdUnit({
    ...facts,
    scope: "user",
    shutdownTimeout: 90_500,
    host: "0.0.0.0",
    port: 9000,
  });
  assert.match(ofUser, /^WantedBy=default\.target$/m);
  assert.match(ofUser, /^TimeoutStopSec=106$/m);
  assert.match(ofUser, /--host 0\.0\.0\.0 --port 9000$/m);
  assert.doesNotMatch(ofUser, /network-online/);
  assert.doesNotMatch(
    systemdUnit({ ...facts, systemd: 253 }),
    /Subgroup/,
    "it would warn of what it does not know",
  );
  assert.match(systemdUnit({ ...facts, systemd: 254 }), /^Delegate=yes\nDelegateSubgroup=svc-daemon$/m);
});

Deno.test("systemdUnit() quotes what systemd would take for something else", pure, () => {
  const unit = systemdUnit({ ...facts, configPath: '/srv/my "own" $x 100%/svc.toml' });
  assert.match(unit, /--config "\/srv\/my \\"own\\" \$\$x 100%%\/svc\.toml" --data/);
});

Deno.test("launchdPlist() reads the environment by a shell, and quotes", pure, () => {
  const plist = launchdPlist({ ...facts, configPath: "/srv/a & b/svc.toml" }, "svc");
  assert.match(plist, /<string>\/srv\/a &amp; b\/svc\.toml<\/string>/);
  assert.match(
    plist,
    /<string>set -a; \. "\$0"; unset SVC_PASSWORD; SVC_PASSWORD_FILE=\$0; exec "\$@"<\/string>\n {4}<string>\/var\/lib\/svc\/service\.env/,
  );
  assert.match(plist, /<key>ExitTimeOut<\/key>\n {2}<integer>25<\/integer>/);
});

Deno.test("passwordIn() finds what serviceEnvironment() wrote", pure, () => {
  const text = serviceEnvironment({ envFile: facts.envFile, password: "a-b_c9" });
  assert.equal(passwordIn(text), "a-b_c9");
  assert.equal(passwordIn("# nothing\n"), undefined);
});

Deno.test("temporaryPath() finds what a reboot would take away", pure, () => {
  assert.equal(temporaryPath(["/srv/x", "/tmp/svc/main.ts"]), "/tmp/svc/main.ts");
  assert.equal(temporaryPath(["/var/tmp"]), "/var/tmp");
  assert.equal(temporaryPath(["/tmpfiles/x", "/srv"]), undefined);
  assert.equal(temporaryPath(["/scratch/me/x"], "/scratch/me/"), "/scratch/me/x");
});
