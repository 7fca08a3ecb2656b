import assert from "node:assert/strict";
import { readOutput } from "../../../src/io/process/output.ts";

/** A pipe that has something to read whenever it is asked, `chunks` times. */
function fullPipe(
  chunks: number,
  gave: (bytes: number) => void = () => {},
): ReadableStream<Uint8Array> {
  let left = chunks;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const request = controller.byobRequest!;
      const view = new Uint8Array(request.view!.buffer, request.view!.byteOffset, request.view!.byteLength);
      if (left-- === 0) {
        controller.close();
        return request.respond(0);
      }
      view.fill(120);
      gave(view.length);
      request.respond(view.length);
    },
  });
}

Deno.test("readOutput lets timers and other pipes have their turn while a pipe is never empty", async () => {
  let taken = 0;
  let whenTimerRan = Infinity;
  setTimeout(() => whenTimerRan = taken, 1);
  const busy = (chunk: Uint8Array): number => {
    for (const until = performance.now() + 1; performance.now() < until;);
    taken++;
    return chunk.length;
  };
  const [one, other] = [readOutput(fullPipe(150), busy), readOutput(fullPipe(150), busy)];
  await Promise.all([one.ended, other.ended]);
  assert.equal(taken, 300);
  assert.ok(whenTimerRan < 100, `the timer ran after ${whenTimerRan} chunks`);
});

Deno.test("readOutput hands out all bytes of a pipe, and ends when it is cancelled", async () => {
  for (const most of [64 * 1024, 3000, 1]) {
    let given = 0;
    let bytes = 0;
    const chunks = most === 1 ? 1 : 40;
    const pipe = fullPipe(chunks, (count) => given += count);
    await readOutput(pipe, (chunk) => {
      const taken = Math.min(most, chunk.length);
      bytes += taken;
      return taken;
    }).ended;
    assert.equal(bytes, given);
    // The buffer grows from 4 KiB while each read fills it, and shrinks where the machine is busy.
    assert.ok(given >= chunks * 4 * 1024);
  }
  const endless = readOutput(fullPipe(Infinity), (chunk) => {
    endless.cancel();
    return chunk.length;
  });
  await endless.ended;
});
