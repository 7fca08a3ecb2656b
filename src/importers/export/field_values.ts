import { bitsOf } from "../../core/cron/bits.ts";
import type { Field } from "../../core/cron/field.ts";

/** The values of a field, ascending. */
export function valuesOf({ low, high }: Field): number[] {
  return [...bitsOf(low), ...bitsOf(high).map((bit) => bit + 32)];
}
