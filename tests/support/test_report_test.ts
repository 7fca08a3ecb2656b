import assert from "node:assert/strict";
import { closingLine, countsOf, failuresOf, foldersOf, sumOf, tableOf } from "./test_report.ts";

const pure = { permissions: "none" } as const;

Deno.test("countsOf() reads the closing line of deno test, and no other", pure, () => {
  assert.deepEqual(countsOf("ok | 204 passed (3 steps) | 0 failed | 2 ignored (13s)"), {
    passed: 204,
    steps: 3,
    failed: 0,
    ignored: 2,
  });
  assert.deepEqual(
    countsOf(
      "\x1b[0m\x1b[31mFAILED\x1b[0m | 1 passed (1 step) | 2 failed \x1b[0m\x1b[38;5;245m(368ms)\x1b[0m",
    ),
    { passed: 1, steps: 1, failed: 2, ignored: 0 },
  );
  assert.deepEqual(countsOf("ok | 1 passed | 0 failed | 3 filtered out (1s)"), {
    passed: 1,
    steps: 0,
    failed: 0,
    ignored: 0,
  });
  for (const other of ["ok", "in memory: ok | 2 passed | 0 failed (1s)", "it is ... ok (2ms)", ""]) {
    assert.equal(countsOf(other), undefined);
  }
});

Deno.test("closingLine() says the sum as deno test says its own, so that countsOf() reads it", pure, () => {
  const sum = sumOf([
    { passed: 3, steps: 0, failed: 0, ignored: 1 },
    { passed: 4, steps: 2, failed: 0, ignored: 0 },
  ]);
  const line = closingLine(sum, { seconds: 570.4 });
  assert.equal(line, "ok | 7 passed (2 steps) | 0 failed | 1 ignored (9m30s)");
  assert.deepEqual(countsOf(line), sum);
  assert.equal(
    closingLine({ ...sum, steps: 0, failed: 1, ignored: 0 }, { seconds: 42 }),
    "FAILED | 7 passed | 1 failed (42s)",
  );
});

const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="6" failures="1" errors="0" time="0.369">
    <testsuite name="./tests/core/log/a_test.ts" tests="4" disabled="1" errors="0" failures="1">
        <testcase name="a &quot;q&quot; &gt; b" classname="./tests/core/log/a_test.ts" time="1.5" line="1" col="6">
        </testcase>
        <testcase name="left out" classname="./tests/core/log/a_test.ts" time="0.000" line="2" col="6">
            <skipped/>
        </testcase>
        <testcase name="a &quot;q&quot; &gt; b &gt; a step" classname="./tests/core/log/a_test.ts" time="1.25" line="1" col="49">
        </testcase>
        <testcase name="bad" classname="./tests/core/log/a_test.ts" time="0.25" line="3" col="6">
            <failure message="Uncaught Error: x">Error: x</failure>
        </testcase>
    </testsuite>
    <testsuite name="./tests/core/log/b_test.ts" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="b" classname="./tests/core/log/b_test.ts" time="2" line="1" col="6">
        </testcase>
    </testsuite>
    <testsuite name="../../tmp/svc-tests-1/tests/core/all_test.ts" tests="1" disabled="0" errors="0" failures="0">
        <testcase name="c" classname="./tests/core/c_test.tsx" time="10" line="1" col="6">
        </testcase>
    </testsuite>
</testsuites>`;

Deno.test("foldersOf() sums up the tests of each folder, and no step twice", pure, () => {
  assert.deepEqual(foldersOf(report), [
    { folder: "tests/core/log", tests: 4, seconds: 3.75 },
    { folder: "tests/core", tests: 1, seconds: 10 },
  ]);
  assert.deepEqual(foldersOf(""), []);
});

Deno.test("failuresOf() says which tests failed, where, and what they said", pure, () => {
  const longer = report.replace(
    "Uncaught Error: x",
    `Uncaught Error: 1 &lt; 2\n  &amp;amp; ${"y".repeat(400)}`,
  );
  assert.deepEqual(failuresOf(report), ["failed: bad (./tests/core/log/a_test.ts:3): Uncaught Error: x"]);
  assert.deepEqual(failuresOf(longer), [
    `failed: bad (./tests/core/log/a_test.ts:3): Uncaught Error: 1 < 2 &amp; ${"y".repeat(372)}…`,
  ]);
  assert.deepEqual(failuresOf(""), []);
});

Deno.test("tableOf() has what took longest first, and a folder of both halves once", pure, () => {
  const more = [{ folder: "tests/core/log", tests: 1, seconds: 20 }];
  assert.deepEqual(tableOf([...foldersOf(report), ...more]), [
    "  seconds  tests  folder",
    "     23.8      5  tests/core/log",
    "     10.0      1  tests/core",
  ]);
});
