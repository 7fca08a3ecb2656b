import type { HealthCheck } from "../../types.ts";

/** Where a health check knocks. */
export interface ProbeTarget {
  /** Absent: the place where the service itself runs. */
  host?: string;
  port: number;
  /** Of http alone. */
  http?: { secure: boolean; path: string };
}

/** The target of a check by http or tcp; undefined for one by script. */
export function probeTarget({ probe }: HealthCheck): ProbeTarget | undefined {
  if (probe.kind === "run") return undefined;
  if (probe.kind === "tcp") return { ...hostOf(probe.host), port: probe.port };
  const url = new URL(probe.url);
  const secure = url.protocol === "https:";
  return {
    ...hostOf(url.hostname),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    http: { secure, path: `${url.pathname}${url.search}` },
  };
}

function hostOf(host: string): { host?: string } {
  const isLocal = ["localhost", "[::1]", "::1"].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
  return isLocal ? {} : { host };
}
