import assert from "node:assert/strict";
import { type KeeperFile, keeperPath, parseKeeper } from "../../../src/core/keeper.ts";
import { until } from "../../support/machine.ts";
import type { Machine } from "./fixture.ts";

/** What the file of a run's keeper says. */
export function fileOf(m: Machine, { runId }: { runId: string }): KeeperFile {
  return read(keeperPath(m.folders.keepers, runId));
}

/** What a keeper's file says. */
export function read(path: string): KeeperFile {
  const file = parseKeeper(Deno.readTextFileSync(path));
  assert.ok(!("why" in file), JSON.stringify(file));
  return file;
}

/** Waits for what is seen by looking alone. */
export function soon(what: () => boolean): Promise<void> {
  return until(String(what), () => Promise.resolve(what()), { within: 10 });
}

/** State letter of a process, as the kernel shows it. */
export function stateOf(pid: number): string {
  return Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /s, "")[0]!;
}
