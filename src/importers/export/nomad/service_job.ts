import type { HealthCheck, Service } from "../../../types.ts";
import { probeTarget } from "../probe_target.ts";
import { probeWords } from "../probe_words.ts";
import { nanoseconds, type NomadMaking, type NomadPart } from "./job.ts";
import { processOf } from "./task.ts";

/** A service as a job of the same name. */
export function serviceJob(service: Service, making: NomadMaking): NomadPart {
  const { name } = making;
  noteService(service, making);
  const retry = restartPolicy(service);
  const check = service.healthCheck === undefined ? undefined : checkOf(service.healthCheck);
  return {
    Type: "service",
    TaskGroups: [{
      Name: name,
      Count: service.autostart ? service.instances : 0,
      RestartPolicy: retry,
      Update: {
        MaxParallel: 1,
        HealthCheck: check === undefined ? "task_states" : "checks",
        MinHealthyTime: nanoseconds(service.healthyAfter),
        ...deadlines(service.healthyAfter),
      },
      ...(check === undefined ? {} : {
        Networks: [{ ReservedPorts: [{ Label: "check", Value: check.port }] }],
        Services: [{ Name: name, Provider: "nomad", PortLabel: "check", Checks: [check.check] }],
      }),
      Tasks: [processOf(service, { making, retry })],
    }],
  };
}

/** Each is to be longer than the one before; Nomad's own are 5 and 10 minutes. */
function deadlines(healthyAfter: number): NomadPart {
  if (healthyAfter < 240_000) return {};
  return {
    HealthyDeadline: nanoseconds(healthyAfter + 300_000),
    ProgressDeadline: nanoseconds(healthyAfter + 600_000),
  };
}

/** In a minute as many restarts as their delay allows, for ever; or as many as svc makes before it gives up. */
function restartPolicy(service: Service): NomadPart {
  const { restart, restartDelay, startRetries, healthyAfter } = service;
  if (restart === "never") return { Attempts: 0, Delay: 0, Interval: nanoseconds(60_000), Mode: "fail" };
  const delay = Math.max(restartDelay, 1000);
  if (startRetries >= 0) {
    const interval = Math.max(60_000, (startRetries + 1) * (healthyAfter + delay));
    return {
      Attempts: startRetries,
      Delay: nanoseconds(delay),
      Interval: nanoseconds(interval),
      Mode: "fail",
    };
  }
  const interval = Math.max(60_000, delay);
  return {
    Attempts: Math.max(1, Math.floor(interval / delay)),
    Delay: nanoseconds(delay),
    Interval: nanoseconds(interval),
    Mode: "delay",
  };
}

/** The check and its port; undefined for what Nomad itself can't check. */
function checkOf(healthCheck: HealthCheck): { port: number; check: NomadPart } | undefined {
  const { interval, timeout, retries, startPeriod } = healthCheck;
  const target = probeTarget(healthCheck);
  if (target === undefined || target.host !== undefined) return undefined;
  const { port, http } = target;
  const check = {
    Name: "health",
    Interval: nanoseconds(Math.max(1000, interval)),
    Timeout: nanoseconds(Math.max(1000, timeout)),
    CheckRestart: { Limit: retries + 1, Grace: nanoseconds(startPeriod) },
    ...(http === undefined
      ? { Type: "tcp" }
      : { Type: "http", Protocol: http.secure ? "https" : "http", Path: http.path }),
  };
  return { port, check };
}

function noteService(service: Service, { account }: NomadMaking): void {
  const note = (message: string) => account.note(service, message);
  const { healthCheck } = service;
  if (healthCheck !== undefined && checkOf(healthCheck) === undefined) {
    note(
      `nothing asks whether it is healthy (${probeWords(healthCheck)}): Nomad checks ports of this job alone`,
    );
  } else if (healthCheck !== undefined) {
    note("the port of its check is taken on its node, at the node's own address and not on 127.0.0.1");
    if (service.instances > 1) {
      note("each of its instances needs a node of its own, for the sake of that port");
    }
  }
  if (!service.autostart) {
    note(`it has no instances until you scale it to ${service.instances} (autostart = false)`);
  }
  if (service.restart === "on_failure") note('it is restarted after a success, too (restart = "on_failure")');
  if (service.restart !== "never" && service.restartBackoff !== "constant") {
    note(`restarts all wait as long (restart_backoff = "${service.restartBackoff}")`);
  }
  if (service.dependsOn.length > 0) {
    note(`it starts without waiting for ${service.dependsOn.join(", ")} (depends_on)`);
  }
}
