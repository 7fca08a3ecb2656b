import { maskText } from "../../core/log/mask.ts";
import { type MaskPlan, planMask } from "../../core/log/mask_plan.ts";
import type { Task, Unit } from "../../types.ts";

/** Plans by their units: a unit's secrets never change, a reload brings a new unit. */
let plans = new WeakMap<Unit, MaskPlan | "nothing">();

/** What is masked whoever says it, and the plan of units that have no secrets of their own. */
let everywhere: { values: readonly string[]; plan: MaskPlan | undefined } = { values: [], plan: undefined };

/** Values that were masked everywhere when a unit's definition was put away, by the unit. */
const former = new WeakMap<Unit, readonly string[]>();

/** What is masked whoever says it. */
export function maskedEverywhere(): readonly string[] {
  return everywhere.values;
}

/** A unit's definition is of an earlier daemon, that had these values masked everywhere: they still are in what it says. */
export function maskAlso(unit: Unit, values: readonly string[]): void {
  former.set(unit, values);
  plans.delete(unit);
}

/** From now on these values are masked in what any unit says, beside its own secrets. */
export function maskEverywhere(values: readonly string[]): void {
  everywhere = { values, plan: planMask(values) };
  plans = new WeakMap();
}

/** A text without the values of a unit's secrets; of a unit that is gone only what is masked everywhere is known. */
export function maskedText(unit: Unit | undefined, text: string): string {
  return maskText(text, maskPlanOf(unit));
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

/**
 * What is to be masked in whatever a unit writes, or is said of it; undefined where it has no secrets to mask. Of a unit
 * that is gone only what is masked everywhere is known.
 */
export function maskPlanOf(unit: Unit | undefined): MaskPlan | undefined {
  const own = unit === undefined ? [] : [...Object.values(unit.secrets), ...former.get(unit) ?? []];
  if (unit === undefined || own.length === 0) return everywhere.plan;
  let plan = plans.get(unit);
  if (plan === undefined) {
    plan = planMask([...everywhere.values, ...own]) ?? "nothing";
    plans.set(unit, plan);
  }
  return plan === "nothing" ? undefined : plan;
}
