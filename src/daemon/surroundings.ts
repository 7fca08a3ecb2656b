import { ownVariable } from "../io/own_variable.ts";

/** Whether systemd or launchd runs this process. */
export function isServiceManaged(): boolean {
  return ownVariable("INVOCATION_ID") !== undefined || ownVariable("NOTIFY_SOCKET") !== undefined ||
    ownVariable("XPC_SERVICE_NAME")?.startsWith("svc") === true;
}

/** What an operator should know of a daemon's place among the processes; undefined where there is nothing to say. */
export function placeWarning(pid: number): string | undefined {
  if (pid !== 1) return undefined;
  return "this daemon is process 1 and takes in no orphans: processes that outlive their parent stay as zombies, until " +
    "no more can be started; start the container with an init, as docker run --init does";
}

/** What this daemon can do on this machine, and as it was configured at its start. */
export function capabilities(
  { metrics, cgroup }: { metrics: boolean; cgroup: boolean },
): { name: string; available: boolean }[] {
  return [
    { name: "cgroup", available: cgroup },
    { name: "docker", available: isProgram("docker") },
    { name: "systemd", available: exists("/run/systemd/system") },
    { name: "tls", available: true },
    { name: "metrics", available: metrics },
    { name: "otel", available: ownVariable("OTEL_DENO") === "true" },
  ];
}

function isProgram(name: string): boolean {
  return (ownVariable("PATH") ?? "").split(":").some((folder) =>
    folder !== "" && exists(`${folder}/${name}`)
  );
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
