/** The lowest set bit of `bits` at or above `from` (0 to 31); -1 when there is none. */
export function lowestFrom(bits: number, from: number): number {
  const rest = bits & (-1 << from);
  return rest === 0 ? -1 : 31 - Math.clz32(rest & -rest);
}

/** The lowest set bit of a 64-bit set given as two halves, at or above `from` (0 to 63); -1 when there is none. */
export function lowestOf64(set: { readonly low: number; readonly high: number }, from: number): number {
  if (from < 32) {
    const found = lowestFrom(set.low, from);
    if (found >= 0 || set.high === 0) return found;
    return 32 + lowestFrom(set.high, 0);
  }
  const found = lowestFrom(set.high, from - 32);
  return found < 0 ? found : 32 + found;
}

/** The numbers of the set bits of `bits` (32 of them at most), ascending. */
export function bitsOf(bits: number): number[] {
  const values: number[] = [];
  for (let rest = bits; rest !== 0; rest &= rest - 1) values.push(31 - Math.clz32(rest & -rest));
  return values;
}
