/** A value like one, as small as it can be made by leaving out items of its arrays and parts of its texts. */
export function shrunk<T>(value: T, isFaulty: (value: T) => boolean, { tries = 400 } = {}): T {
  let best = value;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(best)) {
      if (tries-- <= 0) return best;
      if (!isFaulty(smaller as T)) continue;
      best = smaller as T;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Throws what is wrong with a case, and with the smallest one like it; `faultOf` answers undefined for one that is right. */
export function demandFaultless<T>(one: T, faultOf: (one: T) => string | undefined): void {
  const what = faultOf(one);
  if (what === undefined) return;
  const small = shrunk(one, (smaller) => faultOf(smaller) !== undefined);
  throw new Error(`${what}\n${JSON.stringify(small)}\n${faultOf(small)}`);
}

function* smallerThan(value: unknown): Generator<unknown> {
  if (typeof value === "string") {
    for (let part = value.length; part >= 1; part = part >> 1) {
      for (let at = 0; at < value.length && value.length / part <= 32; at += part) {
        yield value.slice(0, at) + value.slice(at + part);
      }
    }
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1);
    for (let i = 0; i < value.length; i++) {
      for (const smaller of smallerThan(value[i])) yield value.with(i, smaller);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      for (const smaller of smallerThan(part)) yield { ...value, [key]: smaller };
    }
  }
}
