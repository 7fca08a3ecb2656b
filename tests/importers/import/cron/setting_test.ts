import assert from "node:assert/strict";
import { readSetting } from "../../../../src/importers/import/cron/setting.ts";

Deno.test("readSetting() reads names and values as cron does", () => {
  const settings: [line: string, name: string, value: string][] = [
    ["A=b", "A", "b"],
    ["  A  =  b c  \t", "A", "b c"],
    ["'A B' = \"c d\" ", "A B", "c d"],
    ["A=b # c", "A", "b # c"],
    ["A='it\"s'", "A", 'it"s'],
    ["A=b'c'", "A", "b'c'"],
    ["A==b", "A", "=b"],
    ['A=""', "A", ""],
    ["ÄÖ=1", "ÄÖ", "1"],
  ];
  for (const [line, name, value] of settings) {
    const read = readSetting(line);
    assert.ok(read !== undefined && "name" in read, line);
    assert.deepEqual([read.name, read.value], [name, value], line);
  }
});

Deno.test("readSetting() leaves entries and everything else alone", () => {
  const others = [
    "* * * * * A=b",
    "0 1 * * * A=b",
    "@daily A=b",
    "*=b",
    "=b",
    "",
    "plain words = none",
    "-5 = 3",
  ];
  for (const line of others) assert.equal(readSetting(line), undefined, line);
});

Deno.test("readSetting() says what is wrong with a setting", () => {
  const wrong: [line: string, fault: RegExp][] = [
    ["A=", /needs quotes: write A=""/],
    ["A='b", /never closed/],
    ["A='b' c", /behind the closing quote/],
    ["export A=b", /no "export"/],
  ];
  for (const [line, fault] of wrong) {
    const read = readSetting(line);
    assert.ok(read !== undefined && "fault" in read, line);
    assert.match(read.fault, fault);
  }
});
