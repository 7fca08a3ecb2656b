/// <reference lib="dom" />
import { takenOverFact } from "../../../src/core/take_over_words.ts";
import type { ComponentChildren } from "preact";
import type { DaemonInfoJson, InstanceInfoJson } from "../../../src/http/schemas/daemon.ts";
import { Time } from "../../parts/times.tsx";

/** What `GET /api/system` tells. */
export interface SystemStats {
  cpu_usage: number;
  mem_usage: number;
  mem_total: number;
  mem_used: number;
  uptime: string;
  cpu_cores: number;
  host: string;
  os: string;
  arch: string;
  work_dir: string;
}

interface DaemonFactsProps {
  daemon: DaemonInfoJson;
  isStale: boolean;
  /** In words. */
  uptime: string | undefined;
  workDir: string | undefined;
  /** Told on the daemon's own machine only. */
  identity: InstanceInfoJson | undefined;
}

/** What each capability is good for. */
const capabilities: Readonly<Record<string, string>> = {
  cgroup: "control groups: limits, and no process is lost",
  docker: "compose services",
  systemd: "installed as a service",
  tls: "HTTPS",
  metrics: "figures for Prometheus at /metrics",
  otel: "traces for OpenTelemetry",
};

/** What the daemon is, and how it stands. */
export function DaemonFacts({ daemon, isStale, uptime, workDir, identity }: DaemonFactsProps) {
  const taken = takenOverFact(daemon);
  return (
    <dl class="system-facts">
      <Fact name="Version">{daemon.version}</Fact>
      <Fact name="Up for">{uptime ?? "–"}</Fact>
      {taken === undefined ? null : <Fact name="At its start">it {taken}</Fact>}
      <Fact name="Port">{daemon.port}</Fact>
      {daemon.external_url === "" ? null : <Fact name="Address">{daemon.external_url}</Fact>}
      <Fact name="Time zone">
        {daemon.resolved_timezone}{" "}
        <span class="muted">
          ({daemon.timezone_source === "config" ? "from the configuration" : "of the machine"})
        </span>
      </Fact>
      <Fact name="Schedules">
        {daemon.scheduling_active
          ? <span class="good">✓ running</span>
          : <span class="warn">‖ nothing new is started</span>}
      </Fact>
      <Fact name="Configuration">
        read <Time at={daemon.config_loaded_at} /> {isStale
          ? <span class="warn">! the file has changed since</span>
          : <span class="good">✓ up to date</span>}
      </Fact>
      <Fact name="Started">
        {daemon.service_managed
          ? "as a service of the system"
          : "by hand: nothing starts it again after a reboot"}
      </Fact>
      <Fact name="Login">
        {daemon.auth_disabled ? <span class="warn">! off: anybody may do everything</span> : "by password"}
      </Fact>
      {identity === undefined ? null : (
        <>
          <Fact name="Process">{identity.pid}</Fact>
          <Fact name="Configuration file">
            <code>{identity.config_path}</code>
          </Fact>
          <Fact name="Data folder">
            <code>{identity.data_dir}</code>
          </Fact>
        </>
      )}
      {workDir === undefined ? null : (
        <Fact name="Working folder">
          <code>{workDir}</code>
        </Fact>
      )}
      <Fact name="Fingerprint">
        <code>{daemon.fingerprint}</code>
      </Fact>
      <Fact name="Can do">
        <ul class="system-capabilities">
          {(daemon.capabilities ?? []).map(({ name, available }) => (
            <li key={name} title={capabilities[name]}>
              <span class={available ? "good" : "muted"} aria-hidden="true">{available ? "✓" : "–"}</span>
              {" "}
              {name}
              <span class="hidden">{available ? " available" : " not available"}</span>
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
