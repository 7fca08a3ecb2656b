const pattern = /^(\d+(?:\.\d+)?)(?:([kmgt])(i?))?b?$/;

const powers = ["", "k", "m", "g", "t"];

/**
 * The whole bytes that a text such as "4096", "100mb" (powers of 1000) or "1.5gib" (powers of 1024) stands
 * for, in any letter case; undefined when it is malformed, negative or beyond 2^53 - 1.
 */
export function parseSize(text: string): number | undefined {
  const match = pattern.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, amount = "", letter = "", binary = ""] = match;
  const bytes = Math.round(Number(amount) * (binary === "i" ? 1024 : 1000) ** powers.indexOf(letter));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Canonical short text of a size in whole bytes: the largest unit, decimal or binary, that divides it evenly. */
export function formatSize(bytes: number): string {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`no size: ${bytes}`);
  for (let power = powers.length - 1; power > 0 && bytes > 0; power--) {
    const letter = powers[power] ?? "";
    if (bytes % 1000 ** power === 0) return `${bytes / 1000 ** power}${letter}b`;
    if (bytes % 1024 ** power === 0) return `${bytes / 1024 ** power}${letter}ib`;
  }
  return String(bytes);
}

/** A size as people read it, in decimal units of three digits: "512 B", "1.5 MB", "20 GB". */
export function sizeWords(bytes: number): string {
  let power = 0;
  let amount = bytes;
  // 999.6 would be read as 1000 of the smaller unit.
  for (; amount >= 999.5 && power < 4; power++) amount /= 1000;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10} ${
    ["B", "kB", "MB", "GB", "TB"][power]
  }`;
}
