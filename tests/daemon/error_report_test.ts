import assert from "node:assert/strict";
import { errorReport } from "../../src/daemon/error_report.ts";
import type { LogValues } from "../../src/io/daemon_log.ts";

Deno.test("errorReport() tells an error in one short line, without its stack, and ten in ten minutes", () => {
  const lines: LogValues[] = [];
  let time = 0;
  const report = errorReport(
    { error: (_, values = {}) => lines.push(values), debug: () => {} },
    () => time,
  );
  for (let n = 0; n < 1000; n++) report(new TypeError(`Invalid URL: '${"x".repeat(5000)}\n${n}'`));
  assert.equal(lines.length, 10);
  const [first] = lines;
  assert.ok(JSON.stringify(first).length < 400);
  assert.match(String(first!["error"]), /^Invalid URL: 'xxx/);
  assert.match(String(first!["at"]), /^error_report_test\.ts:\d+:\d+$/);
  time = 600_001;
  report(new Error("another"));
  assert.equal(lines.length, 11);
  assert.equal(lines[10]!["untold"], 990);
});

Deno.test("errorReport() leaves the stack to those who ask for it", () => {
  const stacks: unknown[] = [];
  errorReport({ error: () => {}, debug: (_, values = {}) => stacks.push(values["stack"]) }, () => 0)(
    new Error("x"),
  );
  assert.match(String(stacks[0]), /^Error: x\n +at /);
});
