import assert from "node:assert/strict";
import {
  type KeeperFile,
  keeperText,
  type KeeperWords,
  parseKeeper,
  parseRecord,
  recordBytes,
} from "../../src/core/keeper.ts";

const words: KeeperWords = { runId: "01RUN", nonce: "n0nce", isLong: true };

const recorded = (text: string, record: string): string => record + text.slice(record.length);

function parsed(text: string): KeeperFile {
  const file = parseKeeper(text);
  assert.ok(!("why" in file), "why" in file ? file.why : "");
  return file;
}

Deno.test(
  "parseKeeper() reads back what keeperText() wrote, whatever is in it",
  { permissions: "none" },
  () => {
    const whole: KeeperWords = {
      ...words,
      note: "/data/a\nb'c/x.note",
      owner: 65534,
      group: { name: "p1x2", tree: "/sys/fs/cgroup/svc-1", counted: { cpuMs: 3, oomKills: 0 } },
    };
    for (const about of ["", "plain", "a'b\n#end 3\n\u0000ü\u2028😀", "x".repeat(100_000)]) {
      const text = keeperText(whole, { about, script: "true\n" });
      assert.deepEqual(parsed(text), { words: whole, about, record: {} });
    }
  },
);

Deno.test(
  "keeperText() lets no value end a comment, nor stand in the record",
  { permissions: "none" },
  () => {
    const text = keeperText({ ...words, nonce: "n\n#end 0\r\nrm -rf x" }, {
      about: "\n#end 0\nrm x",
      script: "true\n",
    });
    const lines = text.slice(recordBytes).split("\n");
    assert.equal(text.slice(0, recordBytes), `${" ".repeat(recordBytes - 1)}\n`);
    assert.deepEqual(lines.map((line) => line.slice(0, 7)), ["# svc-k", "# about", "true", "# whole", ""]);
  },
);

Deno.test("parseKeeper() says why it can't read a file", { permissions: "none" }, () => {
  const text = keeperText(words, { about: "about", script: "true\n" });
  const why = (other: string): string => {
    const file = parseKeeper(other);
    return "why" in file ? file.why : "read";
  };
  assert.equal(why(""), "it is no keeper's file");
  assert.equal(why("#!/bin/sh\necho hello\n"), "it is no keeper's file");
  assert.equal(why(" ".repeat(500)), "it is no keeper's file");
  assert.equal(why(text.replace("svc-keeper 1", "svc-keeper 7")), "it is of another version (7)");
  for (let length = 0; length < text.length; length++) assert.notEqual(why(text.slice(0, length)), "read");
  for (
    const [from, to] of [
      ['"runId":"01RUN"', '"runId":""'],
      ['"nonce":"n0nce"', '"nonce":3'],
      ['"isLong":true', '"isLong":1'],
      ['"isLong":true', '"isLong":true,"note":""'],
      ['"isLong":true', '"isLong":true,"owner":1.5'],
      ['"isLong":true', '"isLong":true,"group":{"name":"../x","tree":"/a"}'],
      ['"isLong":true', '"isLong":true,"group":{"name":"x","tree":"a"}'],
      ["{", "["],
      ["# about ", "# about !"],
      ["# about ", "# about gIA"],
    ] as const
  ) {
    assert.equal(why(text.replace(from, to)), "it is damaged", to);
  }
});

Deno.test("parseRecord() reads what a keeper has written over the blanks", { permissions: "none" }, () => {
  const text = keeperText(words, { about: "", script: "" });
  const started = "#pid 41 42 123456\n";
  assert.deepEqual(parsed(recorded(text, started)).record, { keeper: 41, pid: 42, ticks: "123456" });
  const ended = `${started}#end 143\n`;
  assert.deepEqual(parsed(recorded(text, ended)).record, { keeper: 41, pid: 42, ticks: "123456", end: 143 });
  const shut = `${started}#shut out\n#end 125\n`;
  assert.equal(parsed(recorded(text, shut)).record.isShutOut, true);
  const longest = `#pid 4194304 4194304 ${"9".repeat(20)}\n#shut out\n#end 256\n`;
  assert.ok(longest.length < recordBytes);
});

Deno.test("parseRecord() passes over lines that are torn or forged", { permissions: "none" }, () => {
  for (
    const line of [
      "#end 1",
      "#end 1    ",
      "#end -1\n",
      "#end 1234\n",
      "#pid 0 1 2\n",
      "#pid 1 2\n",
      "#pid 1 2 x\n",
    ]
  ) {
    assert.deepEqual(parseRecord(line.padEnd(recordBytes)), {}, line);
  }
  assert.deepEqual(parseRecord("#pid 1 2 3\n#end 1    \n"), { keeper: 1, pid: 2, ticks: "3" });
});
