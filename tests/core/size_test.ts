import assert from "node:assert/strict";
import fc from "fast-check";
import { formatSize, parseSize, sizeWords } from "../../src/core/size.ts";

Deno.test("parseSize() knows powers of 1000 and of 1024", { permissions: "none" }, () => {
  const table: [text: string, bytes: number][] = [
    ["0", 0],
    ["4096", 4096],
    ["10b", 10],
    ["1k", 1000],
    ["1kb", 1000],
    ["1ki", 1024],
    ["1kib", 1024],
    ["100mb", 100_000_000],
    ["100mib", 104_857_600],
    ["1.5g", 1_500_000_000],
    ["2t", 2e12],
    ["1GiB", 1_073_741_824],
    ["0.5k", 500],
  ];
  for (const [text, bytes] of table) assert.equal(parseSize(text), bytes, text);
});

Deno.test("parseSize() refuses everything else", { permissions: "none" }, () => {
  for (const text of ["", "k", "-1", "1 mb", "1.k", ".5k", "1ib", "1bk", "1p", "1e3", "99999999t", "1mbb"]) {
    assert.equal(parseSize(text), undefined, text);
  }
});

Deno.test("formatSize() takes whole bytes of 0 or more", { permissions: "none" }, () => {
  assert.equal(formatSize(0), "0");
  assert.equal(formatSize(1023), "1023");
  assert.equal(formatSize(104_857_600), "100mib");
  for (const bytes of [-1, 0.5, NaN, 2 ** 60]) assert.throws(() => formatSize(bytes), RangeError);
});

Deno.test("parseSize() reads back what formatSize() wrote", { permissions: "none" }, () => {
  const bytes = fc.oneof(
    fc.maxSafeNat(),
    fc.nat({ max: 4096 }).map((n) => n * 1024 ** 2),
    fc.nat().map((n) => n * 1000),
  );
  fc.assert(
    fc.property(bytes, (value) => assert.equal(parseSize(formatSize(value)), value)),
    { seed: 21, numRuns: 2000 },
  );
});

Deno.test("sizeWords() never says a thousand of a unit", { permissions: "none" }, () => {
  const words: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1500, "1.5 kB"],
    [99_960, "100 kB"],
    [999_499, "999 kB"],
    [999_500, "1 MB"],
    [999_600_000, "1 GB"],
    [20e9, "20 GB"],
    [5e15, "5000 TB"],
  ];
  for (const [bytes, text] of words) assert.equal(sizeWords(bytes), text);
});
