import { workingFolder } from "../machine_places.ts";
import type { Machine } from "./processes.ts";

const architectures = { x86_64: "amd64", aarch64: "arm64" } as const;

let machine: Machine | undefined;

/** What does not change about this machine. Asked for once: the right to ask may be given up later. */
export function thisMachine(): Machine {
  return machine ??= {
    host: Deno.hostname(),
    os: Deno.build.os,
    arch: architectures[Deno.build.arch],
    cores: navigator.hardwareConcurrency,
    workDir: workingFolder() ?? "(removed)",
  };
}
