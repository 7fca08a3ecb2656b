import { walkFiles } from "../../tools/walk_files.ts";

/**
 * The two halves of the tests. Those of the first run without the right to start a program or to reach a network, and
 * whatever stands in no list here is one of them: a test that needs the machine fails there, until it moves to a folder
 * that does, or gets a line here.
 */

/**
 * Folders, and files among tests in memory, that need the machine: processes, sockets, browsers, disks, threads. Files
 * are begun before all folders: those that are long and would else come last are named by their files.
 */
const machine: readonly string[] = [
  "tests/torture/torture_test.ts",
  "tests/uml/limits_test.ts",
  "tests/browser",
  "tests/cli/connection_test.ts",
  "tests/cli/json_test.ts",
  "tests/cli/odd_files_test.ts",
  "tests/core/cron/machine_zone_test.ts",
  "tests/core/exec_limits_test.ts",
  "tests/daemon",
  "tests/docs/http_test.ts",
  "tests/docs/metrics_test.ts",
  "tests/docs/readme_test.ts",
  "tests/e2e",
  "tests/engine/run_probe_test.ts",
  "tests/fuzz",
  "tests/http/listen",
  "tests/http/serve_local_test.ts",
  "tests/http/serve_public_test.ts",
  "tests/importers/export/kubernetes/kubernetes_test.ts",
  "tests/importers/export/systemd",
  "tests/importers/import",
  "tests/io",
  "tests/local",
  "tests/simulation/planted_test.ts",
  "tests/tools",
  "tests/tui/browser_test.ts",
  "tests/tui/start_test.ts",
];

/** What needs memory alone, but a processor for many seconds: random games, and keys that are slow to derive. */
const long: readonly string[] = [
  "tests/cli/hostile_texts_test.ts",
  "tests/contract/hostile_test.ts",
  "tests/core/config/random_test.ts",
  "tests/core/cron/next_test.ts",
  "tests/core/cron/oracle_test.ts",
  "tests/core/log/screen_test.ts",
  "tests/core/log/terminal_hostile_test.ts",
  "tests/core/log/terminal_test.ts",
  "tests/core/selector_test.ts",
  "tests/engine/health_random_test.ts",
  "tests/http/auth",
  "tests/importers/export/plain_cron_test.ts",
  "tests/simulation/more_test.ts",
  "tests/simulation/simulation_test.ts",
];

/** All that the second half runs. */
export const secondHalf: readonly string[] = [...machine, ...long];

/** A half: what its closing line is called, and arguments of `deno test`. */
export interface Half {
  name: string;
  args: readonly string[];
  /** How many of its files run at a time for each processor; default 1. */
  crowd?: number;
}

/** Links can't be made where only some places may be written to, so all may. */
export const inMemory: Half = {
  name: "in memory",
  args: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys"],
};

/** A third of its time its tests wait: for a page, a process, a timeout. */
export const onTheMachine: Half = { name: "on the machine", args: ["-A", ...secondHalf], crowd: 1.5 };

/** How many files of a half run beside each other on so many processors. */
export function filesAtOnce({ crowd = 1 }: Half, processors: number): number {
  return Math.max(1, Math.floor(crowd * processors));
}

/** Paths of the test files of the first half, as "tests/core/heap_test.ts", in order; `root` ends in "/". */
export async function filesInMemory(root: string): Promise<string[]> {
  const files = (await walkFiles(`${root}tests`)).map((path) => path.slice(root.length));
  const isSecond = (file: string): boolean =>
    secondHalf.some((place) => file === place || file.startsWith(`${place}/`));
  return files.filter((file) => /_test\.tsx?$/.test(file) && !isSecond(file)).sort();
}
