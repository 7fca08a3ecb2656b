import type { HealthCheck } from "../../types.ts";
import { oneLine } from "./unit_facts.ts";

/** What a health check does, in a few words. */
export function probeWords({ probe }: HealthCheck): string {
  if (probe.kind === "http") return `http ${probe.url}`;
  if (probe.kind === "tcp") return `tcp ${probe.host}:${probe.port}`;
  const text = oneLine(probe.run);
  return `run ${text.length > 40 ? `${text.slice(0, 37)}...` : text}`;
}
