/** Output is taken for so many ms at a time: a pipe that is never empty would hold timers and requests for longer. */
const longestTurn = 5;
const smallest = 4 * 1024;
/** A chunk below this size is no flood any more. */
const quiet = 16 * 1024;
/** What takes this many ms to be taken would take four times as long in a larger chunk, ms. */
const slow = 2;
/** A pipe of Linux holds no more. */
const largest = 64 * 1024;

/** A pipe that is being read. `ended` resolves at its end, or soon after `cancel`; it never rejects. */
export interface OutputPipe {
  ended: Promise<void>;
  cancel(): void;
}

/**
 * Reads a pipe to its end. The buffer starts small, since each touched one stays resident, grows while
 * the process floods and shrinks when it is quiet again. `take` must be done with a chunk when it returns.
 */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => void,
): OutputPipe {
  const reader = stream.getReader({ mode: "byob" });
  return { ended: pump(reader, take), cancel: () => void reader.cancel().catch(() => {}) };
}

/** What all pipes together take before the event loop goes round. */
class Turn {
  #began: number | undefined;
  #over: Promise<void> | undefined;

  /** Begins a turn unless one has; true when it has lasted long enough. */
  get isLong(): boolean {
    if (this.#began === undefined) {
      this.#began = performance.now();
      void this.end();
    }
    return performance.now() - this.#began > longestTurn;
  }

  /** Resolves when the event loop has gone round. */
  end(): Promise<void> {
    return this.#over ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#began = undefined;
        this.#over = undefined;
        resolve();
      })
    );
  }
}

const turn = new Turn();

async function pump(reader: ReadableStreamBYOBReader, take: (chunk: Uint8Array) => void): Promise<void> {
  let buffer = new ArrayBuffer(smallest);
  try {
    while (true) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (value === undefined) return; // cancelled
      const begun = performance.now();
      if (value.byteLength > 0) take(value);
      if (done) return;
      const isSlow = performance.now() - begun > slow;
      if (turn.isLong) await turn.end();
      const size = buffer.byteLength === 0 ? value.buffer.byteLength : buffer.byteLength;
      buffer = resized(value.buffer as ArrayBuffer, { filled: value.byteLength, size, isSlow });
    }
  } catch {
    // A pipe that breaks has ended.
  } finally {
    reader.releaseLock();
  }
}

function resized(
  buffer: ArrayBuffer,
  { filled, size, isSlow }: { filled: number; size: number; isSlow: boolean },
): ArrayBuffer {
  if (filled === size && size < largest && !isSlow) return new ArrayBuffer(size * 4);
  if (isSlow ? size > smallest : filled < quiet && size > quiet) return new ArrayBuffer(smallest);
  return buffer;
}
