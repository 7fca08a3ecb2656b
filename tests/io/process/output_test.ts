import assert from "node:assert/strict";
import { readOutput } from "../../../src/io/process/output.ts";

/** A pipe that has something to read whenever it is asked, `chunks` times. */
function fullPipe(chunks: number): ReadableStream<Uint8Array> {
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
      request.respond(view.length);
    },
  });
}

Deno.test("readOutput lets timers and other pipes have their turn while a pipe is never empty", async () => {
  let taken = 0;
  let whenTimerRan = Infinity;
  setTimeout(() => whenTimerRan = taken, 1);
  const busy = (): void => {
    for (const until = performance.now() + 1; performance.now() < until;);
    taken++;
  };
  const [one, other] = [readOutput(fullPipe(150), busy), readOutput(fullPipe(150), busy)];
  await Promise.all([one.ended, other.ended]);
  assert.equal(taken, 300);
  assert.ok(whenTimerRan < 100, `the timer ran after ${whenTimerRan} chunks`);
});

Deno.test("readOutput hands out all bytes of a pipe, and ends when it is cancelled", async () => {
  let bytes = 0;
  await readOutput(fullPipe(40), (chunk) => void (bytes += chunk.length)).ended;
  // The buffer grows from 4 to 64 KiB while each read fills it.
  assert.equal(bytes, (4 + 16) * 1024 + 38 * 64 * 1024);
  const endless = readOutput(fullPipe(Infinity), () => endless.cancel());
  await endless.ended;
});
