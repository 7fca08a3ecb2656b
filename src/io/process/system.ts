import { launchProcess, signalGroup } from "./launch.ts";
import type { Machine, Processes } from "./processes.ts";
import { Warden } from "./warden.ts";

/** The processes of this machine. `noteFolder` is a folder that the daemon may write. */
export function systemProcesses(noteFolder: string): Processes {
  const warden = new Warden();
  return {
    launch: (spec, sink) => launchProcess(spec, sink, noteFolder),
    bootId: () => warden.bootId(),
    startTicks: (pid) => warden.startTicks(pid),
    killGroup: (pid) => signalGroup(pid, { name: "SIGKILL", leaderLives: true }),
    sweep: (runIds) => warden.sweep(runIds),
    carriers: () => warden.carriers(),
    systemReading: () => warden.systemReading(),
    machine: thisMachine,
    residentMemory: () => Deno.memoryUsage().rss,
    close: () => warden.close(),
  };
}

const architectures = { x86_64: "amd64", aarch64: "arm64" } as const;

function thisMachine(): Machine {
  return {
    host: Deno.hostname(),
    os: Deno.build.os,
    arch: architectures[Deno.build.arch],
    cores: navigator.hardwareConcurrency,
    workDir: Deno.cwd(),
  };
}
