import assert from "node:assert/strict";
import { MouseReports } from "../../src/tui/mouse.ts";

Deno.test("MouseReports.take() tells clicks and the wheel from keys, in their order", () => {
  const reports = new MouseReports();
  assert.deepEqual(reports.split("a\x1b[<0;5;7M\x1b[<0;5;7mb\x1b[<64;120;3M\x1b[A\x1b[<69;1;1M"), {
    keys: "ab\x1b[A",
    events: [{ column: 4, row: 6 }, { wheel: -1, column: 119, row: 2 }, { wheel: 1, column: 0, row: 0 }],
  });
});

Deno.test("MouseReports.take() leaves other buttons and moves out", () => {
  const taken = new MouseReports().split("\x1b[<1;5;7M\x1b[<2;5;7M\x1b[<32;5;7M\x1b[<66;5;7M");
  assert.deepEqual(taken, { keys: "", events: [] });
});

Deno.test("MouseReports.take() joins a report that comes in two pieces, wherever it was cut", () => {
  const report = "\x1b[<0;15;7M";
  for (let cut = 2; cut < report.length; cut++) {
    const reports = new MouseReports();
    assert.deepEqual(reports.split(`x${report.slice(0, cut)}`), { keys: "x", events: [] });
    assert.deepEqual(reports.split(`${report.slice(cut)}y`), {
      keys: "y",
      events: [{ column: 14, row: 6 }],
    });
  }
});

Deno.test("MouseReports.take() holds back no key: neither Esc nor an arrow", () => {
  const reports = new MouseReports();
  assert.deepEqual(reports.split("\x1b").keys, "\x1b");
  assert.deepEqual(reports.split("\x1b[B").keys, "\x1b[B");
  assert.deepEqual(reports.split("\x1bO").keys, "\x1bO");
});
