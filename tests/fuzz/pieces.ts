import type { Random } from "../simulation/random.ts";

/** Numbers around which a terminal, a framer or a region changes its mind. */
const limits = [1, 8, 64, 200, 250, 999, 1000, 1024, 4096, 16_384, 32_768, 49_152, 65_535, 65_536];

/** A number near a limit, or a small one. */
export function nearLimit(random: Random, most = Infinity): number {
  const limit = random.pick(limits.filter((one) => one <= most));
  return Math.max(0, Math.min(most, limit + random.below(5) - 2));
}

/** A piece of output, as characters that stand for bytes: what redraws, what is long, what is broken. */
export function piece(random: Random): string {
  const number = (): number => random.oneIn(4) ? nearLimit(random) : random.below(13);
  return random.weighted<() => string>([
    [8, () => random.pick(["a", "bc", "hello", "100%", "x y", "[==>  ]"])],
    [6, () => random.pick(["\r", "\n", "\b", "\t", "\r\n"])],
    [6, () => `\x1b[${number()}${random.pick([..."ABCDEFGd"])}`],
    [2, () => `\x1b[${number()};${number()}${random.pick([..."Hf"])}`],
    [3, () => `\x1b[${number()}${random.pick([..."XP@LMSTb`aer"])}`],
    [1, () => `\x1b[${number()};${number()}r`],
    [3, () => random.pick(["\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1bc"])],
    [3, () => random.pick(["\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1bM", "\x1bD", "\x1bE"])],
    [3, () => `\x1b[${random.pick(["0", "", "31", "1;4", `38;5;${random.below(256)}`])}m`],
    [1, () => random.pick(["\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l", "\x1b[?25h", "\x1b(B", "\x1b[6n"])],
    [1, () => random.pick(["\x1b", "\x1b[", "\x1b[12", "\x1b]0;", "\x1b]0;t\x07", "\x1bP1q~\x1b\\"])],
    [1, () => `\x1b]0;${"t".repeat(nearLimit(random, 4096))}${random.pick(["\x07", "\x01", ""])}`],
    [
      1,
      () =>
        random.pick([
          "\0",
          "\xff",
          "\xc3",
          "\xe2\x82",
          "\xc3\xa9",
          "e\xcc\x81",
          "\xf0\x9f\x98\x80",
          "\xe6\x97\xa5\xe6\x9c\xac",
        ]),
    ],
    [1, () => `e${"\xcc\x81".repeat(nearLimit(random, 100))}`],
    [1, () => "x".repeat(nearLimit(random, random.oneIn(8) ? 65_536 : 1100))],
    [1, () => `${"x".repeat(nearLimit(random, 65_536))}${random.pick(["\r", "\b", "\x1b[2K"])}y`],
    [1, () => random.pick(["ab\n", "\x1b[31mx", "\t", "\r\n", "\n"]).repeat(nearLimit(random, 250))],
  ])();
}

/** Bytes from the characters that stand for them. */
export function bytesOf(chars: string): Uint8Array {
  const bytes = new Uint8Array(chars.length);
  for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i);
  return bytes;
}

/** The bytes in chunks, cut anywhere. */
export function cut(random: Random, bytes: Uint8Array): Uint8Array[] {
  const most = random.pick([3, 40, 1000, 70_000]);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    // A large burst in single bytes would take for ever, and shows no more.
    const size = 1 + random.below(Math.max(most, bytes.length >> 9));
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}
