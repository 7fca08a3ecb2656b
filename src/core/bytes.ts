/** All of the parts in one piece: a part itself where it is the only one that holds anything. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  let whole = parts[0];
  for (const part of parts) {
    if (part.length > 0) whole = length === 0 ? part : undefined;
    length += part.length;
  }
  if (whole !== undefined) return whole;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** All bytes of a stream, or undefined where there are more than `most`. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > most) return undefined;
    parts.push(part);
  }
  return concat(parts);
}

/** How many bytes stand before the first word of four, see `wordsOf`. */
export function bytesBeforeWords(bytes: Uint8Array): number {
  return (4 - (bytes.byteOffset & 3)) & 3;
}

/** The bytes as words of four, from the first place on where memory has one; fewer than four may be left behind them. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const head = bytesBeforeWords(bytes);
  return bytes.length < head + 4
    ? NONE
    : new Uint32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >>> 2);
}

const NONE = new Uint32Array(0);
