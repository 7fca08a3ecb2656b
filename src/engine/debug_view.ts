import type { Refusing } from "../core/refusal.ts";
import { elapsed } from "../core/time.ts";
import type { DueRetry } from "../io/store/retries.ts";
import type { Trigger } from "../types.ts";
import type { Ledger, LedgerEntry, LedgerPhase } from "./runs/ledger.ts";
import type { RunMachineView, Runner } from "./runs/runner.ts";
import type { InstanceMachineView } from "./services/service_entry.ts";
import type { Services } from "./services/services.ts";
import type { LineView } from "./tasks/start_line.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { World } from "./world.ts";

/** What is said of a run in the ledger beside its phase. */
export type DebugMark = "stopped" | "catch_up" | "holds_queue" | "holds_gate";

/** A run that is not over. */
export interface DebugRun {
  id: string;
  unit: string;
  trigger: Trigger;
  /** Unix ms. */
  createdAt: number;
  phase: LedgerPhase;
  /** How long it has been in that phase, ms. */
  phaseFor: number;
  marks: DebugMark[];
  /** Absent where it does not execute. */
  machine?: RunMachineView;
}

/** What goes on inside an engine at a moment; times are Unix ms. Parameters and texts of runs are not in it. */
export interface DebugView {
  at: number;
  /** In the order in which they came. */
  runs: DebugRun[];
  line: LineView;
  instances: InstanceMachineView[];
  /** Soonest first. */
  retries: Omit<DueRetry, "params">[];
  refusing?: Refusing & { tries: number; what: string[] };
}

/** Puts together what the parts of an engine know. */
export function debugView(
  { clock, refusals }: Pick<World, "clock" | "refusals">,
  { ledger, runner, tasks, services }: { ledger: Ledger; runner: Runner; tasks: Tasks; services: Services },
): DebugView {
  const now = clock.monotonic();
  const { outage } = refusals;
  return {
    at: clock.now(),
    runs: Array.from(ledger.all(), (entry) => {
      const { id, run: { unit, trigger, createdAt }, phase, since } = entry;
      const machine = runner.machineOf(id);
      return {
        id,
        unit,
        trigger,
        createdAt,
        phase,
        phaseFor: elapsed(since, now),
        marks: marksOf(entry),
        ...(machine === undefined ? {} : { machine }),
      };
    }),
    line: tasks.line(),
    instances: services.machines(),
    retries: tasks.retries.scheduled().map(({ params: _, ...retry }) => retry),
    ...(outage === undefined ? {} : { refusing: outage }),
  };
}

function marksOf({ isStopped, isCatchUp, holdsQueue, holdsGate }: LedgerEntry): DebugMark[] {
  return [
    ...(isStopped ? ["stopped" as const] : []),
    ...(isCatchUp ? ["catch_up" as const] : []),
    ...(holdsQueue ? ["holds_queue" as const] : []),
    ...(holdsGate ? ["holds_gate" as const] : []),
  ];
}
