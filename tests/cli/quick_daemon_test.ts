import assert from "node:assert/strict";
import { quickDaemonFlags } from "../../src/cli/quick_daemon.ts";

const of = (line: string) => quickDaemonFlags(line.split(" "));

Deno.test("quickDaemonFlags() reads what a service file says", () => {
  assert.deepEqual(of("daemon"), {});
  assert.deepEqual(of("daemon --config /etc/svc/svc.toml --data /var/lib/svc --socket /run/svc.sock"), {
    config: "/etc/svc/svc.toml",
    data: "/var/lib/svc",
    socket: "/run/svc.sock",
  });
  assert.deepEqual(of("daemon -c a.toml -p 0 --host ::1"), { config: "a.toml", port: 0, host: "::1" });
});

Deno.test("quickDaemonFlags() leaves everything else to the parser, and what the parser refuses above all", () => {
  for (
    const line of [
      "list",
      "--config x daemon",
      "daemon --help",
      "daemon --config",
      "daemon --config --data x",
      "daemon --config=x",
      "daemon --port x",
      "daemon --port 65536",
      "daemon --log-level debug",
      "daemon --confg x",
      "daemon x y",
      "daemon --config ",
      "daemon constructor x",
    ]
  ) assert.equal(of(line), undefined, line);
});
