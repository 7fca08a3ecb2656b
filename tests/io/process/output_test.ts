import assert from "node:assert/strict";
import { readOutput } from "../../../src/io/process/output.ts";

/** A pipe that has something to read whenever it is asked, `chunks` times. */
function fullPipe(
  chunks: number,
  { fill = 120, gave = () => {} }: { fill?: number; gave?: (bytes: number) => void } = {},
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
      view.fill(fill);
      gave(view.length);
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
  for (const fill of [120, 13]) {
    let given = 0;
    let bytes = 0;
    const pipe = fullPipe(40, { fill, gave: (count) => given += count });
    await readOutput(pipe, (chunk) => void (bytes += chunk.length)).ended;
    assert.equal(bytes, given);
    // The buffer grows from 4 KiB while each read fills it, and shrinks where the machine is busy.
    assert.ok(given > 40 * 4 * 1024);
  }
  const endless = readOutput(fullPipe(Infinity), () => endless.cancel());
  await endless.ended;
});

Deno.test("readOutput hands out what may be drawn over in small pieces, and plain output as it came", async () => {
  for (const [fill, most] of [[13, 4 * 1024], [27, 4 * 1024], [8, 4 * 1024], [120, 64 * 1024]] as const) {
    let longest = 0;
    await readOutput(fullPipe(40, { fill }), (chunk) => void (longest = Math.max(longest, chunk.length)))
      .ended;
    assert.ok(longest <= most, `${fill}: ${longest}`);
  }
});

Deno.test("readOutput finds what may be drawn over wherever it stands in a chunk", async () => {
  const size = 16_384;
  /** How large the pieces of the second chunk are, which has something else than letters in it. */
  const pieces = async (text: string, at: number): Promise<number> => {
    let given = 0;
    const stream = new ReadableStream<Uint8Array>({
      type: "bytes",
      pull(controller) {
        const request = (controller as ReadableByteStreamController).byobRequest!;
        const { view } = request;
        const bytes = new Uint8Array(view!.buffer, view!.byteOffset, view!.byteLength).fill(120);
        if (given++ === 2) {
          controller.close();
          return request.respond(0);
        }
        if (bytes.length === size) bytes.set(new TextEncoder().encode(text), at);
        request.respond(bytes.length);
      },
    });
    const taken: number[] = [];
    await readOutput(stream, (chunk) => taken.push(chunk.length)).ended;
    return taken[1]!;
  };
  for (const at of [0, 1, 2, 3, 4, 5, 4095, 4096, size - 8, size - 7, size - 6, size - 5]) {
    for (const text of ["\x1b[A", "\r", "\b"]) assert.equal(await pieces(text, at), 4096, `${text} at ${at}`);
    // Colours and line ends draw over nothing.
    for (const text of ["\n", "\r\n", "\t", "\x1b[31m", "\f", "\x1a", "é"]) {
      assert.equal(await pieces(text, at), size, `${text} at ${at}`);
    }
  }
});
