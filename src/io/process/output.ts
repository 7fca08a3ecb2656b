import { Turn } from "../../core/turn.ts";

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
  /** Reads nothing any more: somebody else goes on behind the last byte that was taken. */
  leave(): void;
  /** From now on what comes is thrown away. */
  mute(): void;
  /** Where it was muted, and a keeper holds the pipe: resolves once that isn't needed any more. */
  readonly held?: Promise<void> | undefined;
}

/** Where output comes from; a chunk lies in the buffer that was given, or one as large. Without a value it is over. */
export interface OutputSource {
  read(
    buffer: Uint8Array<ArrayBuffer>,
  ): Promise<{ value?: Uint8Array<ArrayBufferLike> | undefined; done: boolean }>;
}

/** So many pipes are read at most for those that were let go: beyond them the oldest is closed. */
const mostLetGo = 512;

const released = new Set<OutputPipe>();

/** Goes on reading pipes of processes that may outlive their run: who writes into a closed one dies of it. */
export function letGo(pipes: readonly OutputPipe[]): void {
  for (const pipe of pipes) {
    pipe.mute();
    released.add(pipe);
    void pipe.ended.then(() => released.delete(pipe), () => released.delete(pipe));
    const [oldest] = released;
    if (released.size > mostLetGo) oldest!.cancel();
  }
}

/** Leaves pipes to somebody else; resolves once what was read of them has been handed out. */
export function leavePipes(pipes: readonly OutputPipe[]): Promise<void> {
  for (const pipe of pipes) pipe.leave();
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Reads a pipe to its end. The buffer starts small, since each touched one stays resident, grows while
 * the process floods and shrinks when it is quiet again. `take` answers how many bytes of a chunk it took, one at
 * least, and must be done with them when it returns; others get their turn before it gets the rest.
 */
export function readOutput(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => number,
): OutputPipe {
  const reader = stream.getReader({ mode: "byob" });
  let isMuted = false;
  return {
    ended: pump(reader, (chunk) => isMuted ? chunk.length : take(chunk)).then(() => reader.releaseLock()),
    cancel: () => void reader.cancel().catch(() => {}),
    leave: () => void reader.cancel().catch(() => {}),
    mute: () => isMuted = true,
  };
}

/**
 * Reads a pipe itself until `isTime` after a chunk that was taken as a whole; then `moved` goes on with it. Nothing is
 * read that isn't taken, so that what comes next is the very next byte.
 */
export function readMovable(
  stream: ReadableStream<Uint8Array>,
  take: (chunk: Uint8Array) => number,
  { isTime, moved }: { isTime: () => boolean; moved: () => OutputPipe },
): OutputPipe {
  const reader = stream.getReader({ mode: "byob" });
  let now: Omit<OutputPipe, "ended"> | undefined;
  let isMuted = false;
  let isLeft = false;
  const ended = async (): Promise<void> => {
    const isOver = await pump(
      reader,
      (chunk) => isMuted ? chunk.length : take(chunk),
      () => isLeft || isTime(),
    );
    if (isOver || isMuted || isLeft) return reader.releaseLock();
    await reader.cancel().catch(() => {});
    if (isLeft) return;
    const next = now = moved();
    await next.ended;
  };
  return {
    ended: ended(),
    cancel: () => now === undefined ? void reader.cancel().catch(() => {}) : now.cancel(),
    leave(): void {
      isLeft = true;
      if (now === undefined) void reader.cancel().catch(() => {});
      else now.leave();
    },
    mute: () => now === undefined ? isMuted = true : now.mute(),
    get held(): Promise<void> | undefined {
      return now?.held;
    },
  };
}

/** All pipes share it: one that is never empty would hold timers and requests for longer. */
const turn = new Turn({ now: () => performance.now(), soon: setImmediate });

/** Hands out all that a source has; true when it is over, false when `isTime` has ended it between two chunks. */
export async function pump(
  source: OutputSource,
  take: (chunk: Uint8Array) => number,
  isTime: () => boolean = () => false,
): Promise<boolean> {
  let buffer = new ArrayBuffer(smallest);
  try {
    while (true) {
      const { value, done } = await source.read(new Uint8Array(buffer));
      if (value === undefined) return true; // cancelled
      const begun = performance.now();
      let waited = 0;
      let times = 0;
      for (let from = 0; from < value.byteLength; times++) {
        from += take(from === 0 ? value : value.subarray(from));
        if (turn.isLong) waited += await timed(turn.end());
      }
      if (done) return true;
      if (isTime()) return false;
      // What is only held up, by the collector or by other programs, is none of it.
      const isSlow = times > 1 && performance.now() - begun - waited > slow;
      const size = buffer.byteLength === 0 ? value.buffer.byteLength : buffer.byteLength;
      buffer = resized(value.buffer as ArrayBuffer, { filled: value.byteLength, size, isSlow });
    }
  } catch {
    return true; // a pipe that breaks has ended
  }
}

/** How long a promise takes, ms. */
async function timed(promise: Promise<void>): Promise<number> {
  const begun = performance.now();
  await promise;
  return performance.now() - begun;
}

function resized(
  buffer: ArrayBuffer,
  { filled, size, isSlow }: { filled: number; size: number; isSlow: boolean },
): ArrayBuffer {
  if (filled === size && size < largest && !isSlow) return new ArrayBuffer(size * 4);
  if (isSlow ? size > smallest : filled < quiet && size > quiet) return new ArrayBuffer(smallest);
  return buffer;
}
