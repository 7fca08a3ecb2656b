import { sha256 } from "@noble/hashes/sha2.js";
import { concat } from "../bytes.ts";
import type { MaskPlan } from "./mask_plan.ts";

/** Marks of plans, each with one salt: there is one in the life of a daemon. */
const marks = new WeakMap<MaskPlan, string>();

/** What tells the secrets of a plan from others, and nothing about them without the salt; "" where none are masked. */
export function maskMark(plan: MaskPlan | undefined, salt: string): string {
  if (plan === undefined) return "";
  const mark = marks.get(plan);
  if (mark?.startsWith(`${salt}:`)) return mark;
  const parts = plan.patterns.flatMap((patterns) => patterns ?? []).flatMap(({ bytes }) => [
    new TextEncoder().encode(`${bytes.length}:`),
    bytes,
  ]);
  const made = `${salt}:${sha256(concat([new TextEncoder().encode(salt), ...parts])).toHex()}`;
  marks.set(plan, made);
  return made;
}

/** Whether a plan masks all that was masked where the mark was made. */
export function isMarkOf(mark: string, plan: MaskPlan | undefined): boolean {
  const [salt = ""] = mark.split(":");
  return mark === "" || (plan !== undefined && maskMark(plan, salt) === mark);
}
