import type { HealthCheck, Service } from "../../../types.ts";
import { probeTarget } from "../probe_target.ts";
import { wholeSeconds } from "../unit_facts.ts";
import { labelsOf, type Making, type Manifest, metadataOf } from "./manifest.ts";
import { notePod, podOf, scriptCommand } from "./pod.ts";

/** A service as a Deployment. */
export function serviceManifest(service: Service, making: Making): Manifest {
  const { name } = making;
  notePod(service, making);
  noteService(service, making);
  const labels = labelsOf(name);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataOf(service, name),
    spec: {
      replicas: service.autostart ? service.instances : 0,
      selector: { matchLabels: labels },
      // One instance after another, and never more of them than there are to be.
      strategy: service.instances === 1
        ? { type: "Recreate" }
        : { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      minReadySeconds: service.healthCheck === undefined ? wholeSeconds(service.healthyAfter) : undefined,
      template: {
        metadata: { labels },
        spec: podOf(service, { making, restartPolicy: "Always", own: probesOf(service, making) }),
      },
    },
  };
}

function probesOf(service: Service, { account }: Making): Manifest {
  const { healthCheck } = service;
  if (healthCheck === undefined) return {};
  const { interval, timeout, retries, startPeriod } = healthCheck;
  const target = probeTarget(healthCheck);
  if (target !== undefined) {
    account.note(
      service,
      target.host === undefined
        ? "its health check asks at the address of the pod: it must listen there, not on 127.0.0.1 alone"
        : `its health check asks ${target.host}, which must be reached from the node: see its probes`,
    );
  }
  const period = Math.max(1, wholeSeconds(interval));
  const probe = {
    ...howOf(service, healthCheck),
    periodSeconds: period,
    timeoutSeconds: Math.max(1, wholeSeconds(timeout)),
    failureThreshold: retries + 1,
  };
  return {
    startupProbe: startPeriod === 0
      ? undefined
      : { ...probe, failureThreshold: Math.ceil(wholeSeconds(startPeriod) / period) + retries + 1 },
    livenessProbe: probe,
    readinessProbe: probe,
  };
}

function howOf(service: Service, healthCheck: HealthCheck): Manifest {
  const target = probeTarget(healthCheck);
  if (target === undefined) return { exec: { command: scriptCommand(service, { file: "health" }) } };
  const { host, port, http } = target;
  if (http === undefined) return { tcpSocket: { host, port } };
  return { httpGet: { host, scheme: http.secure ? "HTTPS" : "HTTP", port, path: http.path } };
}

function noteService(service: Service, { account }: Making): void {
  const note = (message: string) => account.note(service, message);
  if (!service.autostart) {
    note(`it has no replicas until you scale it to ${service.instances} (autostart = false)`);
  }
  if (service.restart !== "always") note(`a Deployment restarts always (restart = "${service.restart}")`);
  if (service.restart !== "never") {
    note("restarts wait 10 s, 20 s, 40 s and so on, up to 5 min (restart_delay)");
  }
  if (service.startRetries >= 0) note(`it is never given up (start_retries = ${service.startRetries})`);
  if (service.dependsOn.length > 0) {
    note(`it starts without waiting for ${service.dependsOn.join(", ")} (depends_on)`);
  }
  if (service.timeout > 0) note("nothing ends it after a time (timeout)");
  note("no port of it is made known: add a Service where others call it");
}
