import assert from "node:assert/strict";
import { LinePages, pageSize } from "../../../ui/log/line_pages.ts";

const lines = (from: number, to: number, text = "x") =>
  Array.from({ length: to - from }, (_, i) => ({ n: from + i, ts: 0, stream: "stdout", text }));

Deno.test("LinePages knows what is missing of a page", () => {
  const pages = new LinePages();
  assert.equal(pages.missing(0, 100), 0);
  pages.put(lines(0, 60), { from: 0, to: 60 });
  assert.equal(pages.missing(0, 100), 60);
  assert.equal(pages.missing(0, 60), undefined);
  assert.equal(pages.line(59)?.n, 59);
  assert.equal(pages.line(60), undefined);
});

Deno.test("LinePages takes lines that were dropped for known", () => {
  const pages = new LinePages();
  pages.put(lines(700, 1000), { from: 500, to: 1000 });
  assert.equal(pages.missing(1, 5000), undefined);
  assert.equal(pages.line(600), undefined);
});

Deno.test("LinePages does not take what is before the lines that came for known", () => {
  const pages = new LinePages();
  pages.put(lines(700, 1300), { from: 700, to: 1300 });
  assert.equal(pages.missing(1, 1300), 500);
  assert.equal(pages.missing(2, 1300), undefined);
  // Lines that came meanwhile close up to those that were asked for.
  pages.put(lines(500, 700), { from: 500, to: 700 });
  assert.equal(pages.missing(1, 1300), undefined);
});

Deno.test("LinePages keeps a bounded number of pages, and of characters", () => {
  const pages = new LinePages();
  for (let page = 0; page < 100; page++) {
    pages.touch(0);
    pages.put(lines(page * pageSize, (page + 1) * pageSize), {
      from: page * pageSize,
      to: (page + 1) * pageSize,
    });
  }
  assert.ok(pages.size <= 24);
  assert.equal(pages.line(0)?.n, 0);
  assert.equal(pages.line(pageSize), undefined);
  for (let page = 0; page < 10; page++) {
    pages.put(lines(page * pageSize, (page + 1) * pageSize, "x".repeat(20_000)), {
      from: page * pageSize,
      to: (page + 1) * pageSize,
    });
  }
  assert.ok(pages.size <= 3, String(pages.size));
});
