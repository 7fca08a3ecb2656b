import assert from "node:assert/strict";
import {
  copiedBytes,
  nextCount,
  planSpool,
  readSize,
  readSpoolName,
  spoolName,
} from "../../src/core/spool.ts";

const file = (number: number, size = 100): { number: number; size: number } => ({ number, size });

Deno.test("a spool's names are read back, and no others", () => {
  for (const stream of ["stdout", "stderr"] as const) {
    for (const number of [0, 7, 123456, "lost"] as const) {
      const name = { runId: "01J0ABC", stream, number };
      assert.deepEqual(readSpoolName(spoolName(name)), name);
    }
  }
  const foreign = [
    "",
    ".",
    "A.1",
    "A.3.0",
    "A.1.00",
    "A.1.-1",
    "A.1.0x",
    "A.1.1e3",
    "a/b.1.0",
    "A.1.0.1",
    "A.1.lost ",
    "..1.0",
  ];
  for (const name of [...foreign, `A.1.${"9".repeat(40)}`]) {
    assert.equal(readSpoolName(name), undefined, name);
  }
});

Deno.test("a stream goes on in the file that was being read, behind what is stored", () => {
  assert.deepEqual(
    planSpool({ files: [file(4), file(3)], readers: [4], position: { file: 3, offset: 60 } }),
    {
      done: [],
      parts: [{ file: 3, offset: 60 }, { file: 4, offset: 0 }],
      astray: [],
      next: 5,
      isBeyond: false,
    },
  );
});

Deno.test("a stream that was never read by way of files begins with the first", () => {
  assert.deepEqual(planSpool({ files: [], readers: [] }).next, 0);
  assert.deepEqual(planSpool({ files: [file(0)], readers: [] }).parts, [{ file: 0, offset: 0 }]);
});

Deno.test("files before the stored place are done with, gaps are passed over, and no number comes again", () => {
  const plan = planSpool({
    files: [file(9), file(2), file(5), file(1)],
    readers: [],
    position: { file: 5, offset: 100 },
  });
  assert.deepEqual(plan.done, [1, 2]);
  assert.deepEqual(plan.parts, [{ file: 5, offset: 100 }, { file: 9, offset: 0 }]);
  assert.equal(plan.next, 10);
  // The file that the place lies in was consumed and removed.
  const gone = planSpool({ files: [], readers: [], position: { file: 5, offset: 100 } });
  assert.deepEqual([gone.parts, gone.next], [[], 6]);
});

Deno.test("a place behind the end of its file is the end of it, and that is told", () => {
  const plan = planSpool({ files: [file(5, 40)], readers: [], position: { file: 5, offset: 41 } });
  assert.deepEqual([plan.parts, plan.isBeyond], [[{ file: 5, offset: 40 }], true]);
  const behindAll = planSpool({ files: [file(1)], readers: [], position: { file: 9, offset: 4 } });
  assert.deepEqual([behindAll.done, behindAll.parts, behindAll.next], [[1], [], 10]);
});

Deno.test("a reader of an earlier file is followed, one of a file that is gone is told", () => {
  const plan = planSpool({ files: [file(1, 30)], readers: [1, 12], position: { file: 3, offset: 0 } });
  assert.deepEqual(plan, {
    done: [],
    parts: [{ file: 1, offset: 30 }],
    astray: [12],
    next: 13,
    isBeyond: false,
  });
});

Deno.test("readers make more reads where these are small, and no file exceeds 64 MiB", () => {
  assert.equal(nextCount(64, 64 * 100), 256);
  assert.equal(nextCount(256, 256 * 100), 1024);
  assert.equal(nextCount(1024, 0), 1024);
  assert.equal(nextCount(1024, 1024 * readSize), 256);
  assert.equal(nextCount(64, 64 * readSize), 256);
  for (const count of [1, 64, 1024]) {
    for (const bytes of [0, 1, count * readSize]) {
      assert.ok(nextCount(count, bytes) * readSize <= 64 * 1024 * 1024 && nextCount(count, bytes) >= 64);
    }
  }
});

Deno.test("what dd says tells how much it has copied", () => {
  assert.equal(
    copiedBytes(
      "0+3 records in\n0+3 records out\n100 bytes copied\n0+4 records in\n4096 bytes (4.1 kB) copied\n",
    ),
    4096,
  );
  assert.equal(copiedBytes("12 bytes (12 B) copied, 1 s"), 12);
  assert.equal(copiedBytes("1+0 records in"), undefined);
});
