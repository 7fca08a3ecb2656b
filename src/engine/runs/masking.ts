import { Masker, maskText } from "../../core/log/mask.ts";
import { type MaskPlan, planMask } from "../../core/log/mask_plan.ts";
import { findRedraw } from "../../core/log/redraw_scan.ts";
import { mostDrawn } from "../../core/log/terminal.ts";
import type { Task, Unit } from "../../types.ts";

/** The output of a run on its way to the log, without the values of the unit's secrets (docs/security.md#a-unit). */
export class OutputMask {
  readonly #maskers: Record<"stdout" | "stderr", Masker>;

  constructor(plan: MaskPlan) {
    this.#maskers = { stdout: new Masker(plan), stderr: new Masker(plan) };
  }

  /**
   * Takes what a process wrote, as far as it can be taken without holding others up; answers how many bytes that were.
   * `take` must be done with its bytes when it returns.
   */
  writeSome(stream: "stdout" | "stderr", chunk: Uint8Array, take: (bytes: Uint8Array) => void): number {
    const isDrawn = chunk.length > mostDrawn && findRedraw(chunk) < chunk.length;
    const some = isDrawn ? chunk.subarray(0, mostDrawn) : chunk;
    this.#maskers[stream].push(some, take);
    return some.length;
  }

  /** The process will write nothing more: hands on what was held back. */
  end(take: (stream: "stdout" | "stderr", bytes: Uint8Array) => void): void {
    for (const stream of ["stdout", "stderr"] as const) {
      this.#maskers[stream].end((bytes) => take(stream, bytes));
    }
  }
}

/** Plans by their units: a unit's secrets never change, a reload brings a new unit. */
let plans = new WeakMap<Unit, MaskPlan | "nothing">();

/** What is masked whoever says it, and the plan of units that have no secrets of their own. */
let everywhere: { values: readonly string[]; plan: MaskPlan | undefined } = { values: [], plan: undefined };

/** From now on these values are masked in what any unit says, beside its own secrets. */
export function maskEverywhere(values: readonly string[]): void {
  everywhere = { values, plan: planMask(values) };
  plans = new WeakMap();
}

/** What masks the output of one run of a unit; undefined where it has no secrets to mask. */
export function outputMaskOf(unit: Unit): OutputMask | undefined {
  const plan = maskPlanOf(unit);
  return plan === undefined ? undefined : new OutputMask(plan);
}

/** A text without the values of a unit's secrets; of a unit that is gone only what is masked everywhere is known. */
export function maskedText(unit: Unit | undefined, text: string): string {
  return maskText(text, unit === undefined ? everywhere.plan : maskPlanOf(unit));
}

/**
 * A value that was answered masked and comes back: the one that it stands for, among those that the definition
 * knows. Others are what they are.
 */
export function unmasked(task: Task, key: string, value: string): string {
  const plan = maskPlanOf(task);
  if (plan === undefined) return value;
  const param = task.params.find((one) => one.key === key || one.key.replace(/^-+/, "") === key);
  const known = [param?.default, ...param?.choices ?? []].filter((one) => one !== undefined);
  if (known.includes(value)) return value;
  return known.find((one) => maskText(one, plan) === value) ?? value;
}

/** What is to be masked in whatever is said of a unit; undefined where it has no secrets to mask. */
export function maskPlanOf(unit: Unit): MaskPlan | undefined {
  const own = Object.values(unit.secrets);
  if (own.length === 0) return everywhere.plan;
  let plan = plans.get(unit);
  if (plan === undefined) {
    plan = planMask([...everywhere.values, ...own]) ?? "nothing";
    plans.set(unit, plan);
  }
  return plan === "nothing" ? undefined : plan;
}
