import { type BackgroundFlags, startBackground } from "../background.ts";
import { type Candidate, demandAccepted, examineProgram } from "./candidate.ts";
import { demandSameUser, endHolder, endMain, folderHolder, type ManagedBy, unitOf } from "./daemons.ts";
import { findProgram, keptAs, type ProgramPlace } from "./place.ts";
import { swapBack, swapProgram } from "./swap.ts";

/** Signals that would leave an upgrade halfway. */
const held = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What `svc upgrade` does to this machine; `entry` is the address of this program. */
export function upgradeTools({ entry }: { entry: string }) {
  let unit: ManagedBy | undefined;
  return {
    examine: (file: string) => examineProgram(file),
    demandAccepted: (candidate: Candidate, config: string) => demandAccepted(candidate, config),
    findProgram,
    demandSameUser,
    async swap({ path }: ProgramPlace, candidate: Candidate): Promise<string> {
      await swapProgram(path, candidate.path);
      return keptAs(path);
    },
    swapBack: ({ path }: ProgramPlace) => swapBack(path),
    holder: folderHolder,
    async end(dataDir: string, before: number): Promise<void> {
      const holder = folderHolder(dataDir);
      if (holder === before) return;
      if (holder !== undefined) endHolder(dataDir);
      else if (unit !== undefined) await endMain(unit, { but: before });
    },
    async noteUnit(pid: number): Promise<void> {
      unit = await unitOf(pid);
    },
    async start(
      flags: BackgroundFlags,
      { path, words }: ProgramPlace,
      isReady: () => Promise<boolean>,
    ): Promise<void> {
      await startBackground(flags, { isReady, entry, command: [path, ...words] });
    },
    holdSignals(): () => void {
      const ignore = (): void => {};
      for (const signal of held) Deno.addSignalListener(signal, ignore);
      return () => held.forEach((signal) => Deno.removeSignalListener(signal, ignore));
    },
  };
}
