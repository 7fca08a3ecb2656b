import assert from "node:assert/strict";
import { parseByteRange } from "../../src/core/byte_range.ts";

const cases: [header: string | undefined, size: number, expected: ReturnType<typeof parseByteRange>][] = [
  [undefined, 10, undefined],
  ["bytes=0-3", 10, { start: 0, end: 4 }],
  ["bytes=9-", 10, { start: 9, end: 10 }],
  ["bytes=4-99", 10, { start: 4, end: 10 }],
  ["bytes=-3", 10, { start: 7, end: 10 }],
  ["bytes=-30", 10, { start: 0, end: 10 }],
  ["Bytes= 2-2 ", 10, { start: 2, end: 3 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=-5", 0, "unsatisfiable"],
  ["bytes=5-3", 10, undefined],
  ["bytes=-", 10, undefined],
  ["bytes=0-1,4-5", 10, undefined],
  ["lines=0-1", 10, undefined],
  ["nonsense", 10, undefined],
];

for (const [header, size, expected] of cases) {
  Deno.test(`parseByteRange() of "${header}" in ${size} bytes`, { permissions: "none" }, () => {
    assert.deepEqual(parseByteRange(header, size), expected);
  });
}
