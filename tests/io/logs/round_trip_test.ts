import assert from "node:assert/strict";
import fc from "fast-check";
import type { OutputStream } from "../../../src/io/logs/writer.ts";
import { concat } from "../../../src/core/bytes.ts";
import { RUN, TestLogs, UNIT, utf8 } from "./fixture.ts";

interface Step {
  kind: "stdout" | "stderr" | "flush" | "system" | "turn";
  bytes: Uint8Array;
}

const fragment = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "line\n", "\n", "bc\r\n", "é", "€uro\n", "\0", "\0\rd\n") },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }).map((length) => "x".repeat(length)) },
);
const written = fc.array(fragment, { maxLength: 12 }).map((parts) => utf8(parts.join("")));
const kind = fc.constantFrom<Array<Step["kind"]>>(
  "stdout",
  "stdout",
  "stderr",
  "stderr",
  "flush",
  "system",
  "turn",
);
const step: fc.Arbitrary<Step> = fc.record({ kind, bytes: written });

/** The texts of what one stream wrote: an independent, simple splitter. */
function expectedTexts(bytes: Uint8Array): string[] {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
  const last = lines.pop() ?? "";
  const texts = lines.flatMap((line) => pieces(line, true));
  if (last !== "") texts.push(...pieces(last, false));
  return texts.map((text) => text.replaceAll("\0", "\u2400"));
}

/** Long runs are made of `x` here, but short things may stand beside them: cuts go by bytes, between characters. */
function pieces(line: string, ended: boolean): string[] {
  const texts: string[] = [];
  let text = "";
  let size = 0;
  if (line.length < 20_000) return [ended && line.endsWith("\r") ? line.slice(0, -1) : line];
  for (const char of line) {
    const length = char === "x" ? 1 : utf8(char).length;
    if (size + length > 65_536) {
      texts.push(text);
      text = "";
      size = 0;
    }
    text += char;
    size += length;
  }
  texts.push(ended && text.endsWith("\r") ? text.slice(0, -1) : text);
  return texts;
}

Deno.test("LogStore gives back every line and every byte, whatever the chunks", async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, cut) => {
      await using logs = new TestLogs();
      const writer = logs.open();
      const sent: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] };
      let systems = 0;
      let at = 1000;
      for (const step of steps) {
        if (step.kind === "flush") writer.flush();
        else if (step.kind === "turn") logs.timer.advance(at++ % 2 === 0 ? 60 : 6000);
        else if (step.kind === "system") writer.system(`note ${systems++}`, at++);
        else {
          sent[step.kind].push(step.bytes);
          // The caller's buffer is used again at once: nothing may be kept in it.
          const size = cut ? 7 + round++ % 50 : Infinity;
          for (let i = 0; i < step.bytes.length; i += size) {
            const chunk = step.bytes.slice(i, i + size);
            writer.write(step.kind, chunk, at += i % 3);
            chunk.fill(0xee);
          }
        }
      }
      writer.close();
      const lines = logs.all();
      assert.deepEqual(lines.map((line) => line.n), lines.map((_, i) => i));
      assert.equal(writer.lines, lines.length);
      for (const stream of ["stdout", "stderr"] as const) {
        const bytes = concat(sent[stream]);
        assert.deepEqual(
          lines.filter((line) => line.stream === stream).map((line) => line.text),
          expectedTexts(bytes),
        );
        assert.deepEqual(logs.raw(stream), bytes);
      }
      assert.equal(lines.filter((line) => line.stream === "system").length, systems);
      assert.deepEqual(lines.map((line) => line.at), lines.map((line) => line.at).toSorted((a, b) => a - b));
      assert.deepEqual(logs.all(logs.reopened()), lines);
      assert.equal(logs.store.size(UNIT, RUN), writer.bytes);
    }),
    { seed: 5, numRuns: 40 },
  );
});

Deno.test("LogWriter keeps a stdout line whole that stderr interrupts", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", utf8("half "), 1);
  writer.write("stderr", utf8("oops\n"), 2);
  writer.write("stdout", utf8("whole\nend"), 3);
  writer.close();
  assert.deepEqual(
    logs.all().map(({ at, stream, text }) => [at, stream, text]),
    [[2, "stderr", "oops"], [3, "stdout", "half whole"], [3, "stdout", "end"]],
  );
  assert.deepEqual(logs.raw(), utf8("oops\nhalf whole\nend"));
  assert.equal(Deno.readTextFileSync(logs.path("log")), "oops\nhalf whole\nend\n");
});

Deno.test("LogWriter marks the pieces of a line over 64 KiB, and the raw bytes don't show the cuts", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  const long = "é".repeat(70_000);
  writer.write("stdout", utf8(`first\n${long}\nlast\n`), 1);
  writer.close();
  assert.deepEqual(
    logs.all().map(({ text, continued }) => [text.length, continued]),
    [[5, false], [32_768, false], [32_768, true], [4464, true], [4, false]],
  );
  assert.deepEqual(logs.raw("stdout"), utf8(`first\n${long}\nlast\n`));
});

Deno.test("LogWriter stores bytes as they came and decodes them only for reading", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  const bytes = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7 + (i >> 8)) & 255);
  for (let i = 0; i < bytes.length; i += 13) writer.write("stderr", bytes.slice(i, i + 13), i);
  writer.write("stdout", Uint8Array.of(0xe2, 0x82), 5000);
  writer.write("stdout", Uint8Array.of(0xac, 0, 0xff, 10), 5001);
  writer.close();
  assert.deepEqual(logs.raw("stderr"), bytes);
  const [line] = logs.all().filter((line) => line.stream === "stdout");
  assert.equal(line?.text, "€\u2400\ufffd");
});

Deno.test("LogWriter holds a bounded part of 100 MB without a newline", async () => {
  await using logs = new TestLogs();
  const writer = logs.open({ maxSize: 40_000_000, onFull: "drop_old" });
  const chunk = new Uint8Array(1024 * 1024).fill(120);
  const before = Deno.memoryUsage();
  for (let i = 0; i < 100; i++) writer.write("stdout", chunk, i);
  const after = Deno.memoryUsage();
  const grown = after.external - before.external + after.heapUsed - before.heapUsed;
  assert.ok(grown < 40 * 1024 * 1024, `${grown} bytes more in use`);
  assert.equal(writer.partials()[0]?.bytes.length, (100 * 1024 * 1024) % 65_536 || 65_536);
  assert.ok(logs.store.size(UNIT, RUN) <= 40_000_000);
  writer.close();
  assert.equal(writer.lines, 1600);
});

Deno.test("LogStore pages through a million empty lines", async () => {
  await using logs = new TestLogs();
  const writer = logs.open();
  writer.write("stdout", new Uint8Array(1_000_000).fill(10), 1);
  const page = logs.store.page(UNIT, RUN, { from: -3, limit: 10, finalized: false });
  assert.equal(page.totalLines, 1_000_000);
  assert.deepEqual(page.lines.map(({ n, text }) => [n, text]), [[999_997, ""], [999_998, ""], [999_999, ""]]);
  const middle = logs.store.page(UNIT, RUN, { from: 65_530, limit: 20, finalized: false });
  assert.deepEqual(middle.lines.map((line) => line.n), Array.from({ length: 20 }, (_, i) => 65_530 + i));
  writer.close();
});
