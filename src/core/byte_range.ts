/** Part of a body: bytes `start` up to but not including `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a Range header (RFC 9110) asks of a body of `size` bytes. Undefined where the whole body is the right
 * answer: no header, several ranges, another unit, nonsense. `unsatisfiable`: it lies behind the end.
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return undefined;
    const length = Number(last);
    return length === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(size, Number(last) + 1) };
}
