import assert from "node:assert/strict";
import { parseSegmentFile, segmentBases, segmentFile } from "../../../src/core/log/segment.ts";

const pure = { permissions: "none" } as const;

Deno.test("segmentFile() sorts by name as by number", pure, () => {
  const names = [0, 9, 10, 999_999, 10_000_000].map((base) => segmentFile(base, "log"));
  assert.deepEqual(names.toSorted(), names);
  assert.equal(names[0], "000000000000.log");
});

Deno.test("parseSegmentFile() reads its own names and passes over foreign ones", pure, () => {
  assert.deepEqual(parseSegmentFile("000000000042.sys"), { base: 42, part: "sys" });
  const large = segmentFile(1_234_567_890_123, "idx");
  assert.deepEqual(parseSegmentFile(large), { base: 1_234_567_890_123, part: "idx" });
  for (
    const name of ["42.log", "0000000000042.log", "000000000042.log~", "x000000000042.log", "notes.txt", ""]
  ) {
    assert.equal(parseSegmentFile(name), undefined, name);
  }
});

Deno.test("segmentBases() lists each segment once, ascending", pure, () => {
  const names = ["000000000090.log", "000000000090.idx", "000000000007.sys", "core", "000000000100.idx"];
  assert.deepEqual(segmentBases(names), [7, 90]);
});
