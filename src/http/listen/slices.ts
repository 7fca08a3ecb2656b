/** What the next slice of a connection's bytes belongs to. */
export type Portion =
  | { of: "header" }
  /** `left`: bytes of the body that are still to come, where its length was told. */
  | { of: "body"; left: number | undefined };

/** The largest slice, bytes. */
export const largestSlice = 16 * 1024;

const cr = 13;
const lf = 10;

/**
 * How many of the bytes may go to the parser at once, so that it sees no more than one request: up to the end of a body
 * whose length is known, else up to the first empty line, which ends each header and each body in chunks. Only where to
 * cut is decided here: what the bytes mean is the parser's business.
 */
export function sliceLength(bytes: Uint8Array, portion: Portion): number {
  const most = Math.min(bytes.length, largestSlice);
  if (portion.of === "body" && portion.left !== undefined) return Math.min(most, Math.max(1, portion.left));
  for (let at = bytes.indexOf(lf); at !== -1 && at < most; at = bytes.indexOf(lf, at + 1)) {
    const isEmptyLine = bytes[at - 1] === lf || (bytes[at - 1] === cr && (at === 1 || bytes[at - 2] === lf));
    if (isEmptyLine) return at + 1;
  }
  return most;
}
