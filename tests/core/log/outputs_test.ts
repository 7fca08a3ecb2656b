import assert from "node:assert/strict";
import fc from "fast-check";
import { limitsOf } from "../../../src/core/log/limits.ts";
import { planMask } from "../../../src/core/log/mask_plan.ts";
import { Outputs } from "../../../src/core/log/outputs.ts";
import type { OutputStream } from "../../../src/core/log/recent_lines.ts";

const pure = { permissions: "none" } as const;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const limits = limitsOf({ maxSize: 0, onFull: "drop_old" });

/** Both streams of a process, and the lines that came out: "stdout 1000 text", with `…` for an added end. */
class TestOutputs {
  readonly lines: string[] = [];
  readonly outputs: Outputs;

  constructor(mask?: string) {
    this.outputs = new Outputs({
      limits,
      mask: mask === undefined ? undefined : planMask([mask]),
      give: ({ span: { head, body, joined }, stream, at }) => {
        const texts = (decoder.decode(head) + decoder.decode(body)).split("\n");
        if (!joined) texts.pop();
        for (const text of texts) this.lines.push(`${stream} ${at} ${text}${joined ? "…" : ""}`);
      },
    });
  }

  write(stream: OutputStream, text: string, at: number): this {
    const bytes = encoder.encode(text);
    for (let from = 0; from < bytes.length;) from += this.outputs.push(stream, bytes.subarray(from), at);
    // Who pushes may use the bytes again.
    bytes.fill(0);
    return this;
  }

  get partials(): string[] {
    return this.outputs.partials().map(({ stream, bytes, at }) => `${stream} ${at} ${decoder.decode(bytes)}`);
  }
}

Deno.test("Outputs gives the lines of two streams in the order in which they ended", pure, () => {
  const one = new TestOutputs()
    .write("stdout", "half", 1000)
    .write("stderr", "whole\nrest", 1001)
    .write("stdout", " a line\n", 1002);
  assert.deepEqual(one.lines, []);
  assert.deepEqual(one.partials, ["stderr 1001 whole", "stdout 1002 half a line", "stderr 1001 rest"]);
  assert.equal(one.outputs.dueAt, 1251);
  one.outputs.tick(1251);
  assert.deepEqual(one.lines, ["stderr 1001 whole"]);
  one.outputs.end(1300);
  assert.deepEqual(one.lines, ["stderr 1001 whole", "stdout 1002 half a line", "stderr 1300 rest…"]);
  assert.equal(one.outputs.dueAt, undefined);
});

Deno.test("Outputs lets a stream draw over its own lines, and over none of the other's", pure, () => {
  const one = new TestOutputs()
    .write("stdout", "one 1\ntwo 1\n", 1000)
    .write("stderr", "between\n", 1000)
    .write("stdout", "\x1b[2Aone 2\ntwo 2\n", 1100);
  assert.deepEqual(one.outputs.regions().map(({ stream, rows }) => [stream, rows]), [
    ["stdout", ["one 2", "two 2"]],
  ]);
  assert.ok(one.outputs.version > 0);
  one.outputs.end(1200);
  assert.deepEqual(one.lines, ["stderr 1000 between", "stdout 1100 one 2", "stdout 1100 two 2"]);
});

Deno.test("Outputs masks what drawing puts together, live and settled", pure, () => {
  const one = new TestOutputs("hunter22").write(
    "stdout",
    "22\rhunter\x1b[2C\nhunt\x1b[31mer22\r\x1b[mx",
    1000,
  );
  one.write("stderr", "hunter22\x08\x08\x08\x0822x", 1000);
  const shown = JSON.stringify([one.outputs.regions(), one.partials]);
  one.outputs.end(1000);
  assert.ok(!shown.includes("hunter22") && !one.lines.join("\n").includes("hunter22"), shown);
  assert.equal(one.outputs.regions().length, 0);
});

Deno.test("Outputs tells once what a reader should know", pure, () => {
  const one = new TestOutputs();
  assert.deepEqual(one.outputs.unsaid(), []);
  for (let i = 0; i < 20; i++) one.write("stdout", "\x1b[999Ax\n".repeat(5000), 1000);
  assert.deepEqual(one.outputs.unsaid(), [
    "redraws cost more than output may: some of it is stored as it came",
  ]);
  assert.deepEqual(one.outputs.unsaid(), []);
});

Deno.test("Outputs loses and adds nothing, and keeps lines in order, whatever comes of what", pure, () => {
  const burst = fc.record({
    stream: fc.constantFrom("stdout" as const, "stderr" as const),
    text: fc.array(fc.constantFrom("a", "bc", "\n", "é", "x".repeat(5000)), { maxLength: 12 })
      .map((parts) => parts.join("")),
    wait: fc.constantFrom(0, 1, 100, 300),
  });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 12 }), (bursts) => {
      const one = new TestOutputs();
      const expected: string[] = [];
      const begun = { stdout: "", stderr: "" };
      let at = 1000;
      for (const { stream, text, wait } of bursts) {
        one.write(stream, text, at);
        const lines = (begun[stream] + text).split("\n");
        begun[stream] = lines.pop()!;
        expected.push(...lines.map((line) => `${stream} ${at} ${line}`));
        at += wait;
        one.outputs.tick(at);
      }
      one.outputs.end(at);
      for (const stream of ["stdout", "stderr"] as const) {
        if (begun[stream] !== "") expected.push(`${stream} ${at} ${begun[stream]}…`);
      }
      assert.deepEqual(one.lines, expected);
      assert.deepEqual(one.partials, []);
    }),
    { seed: 6, numRuns: 200 },
  );
});
